// SPDX-License-Identifier: Apache-2.0
import { call, type Mode } from "$lib/backend";
import { app } from "$lib/state/app.svelte";

/** Answers a user message anew, perhaps in another mode. What fails is said in a toast. */
export async function answerAgain(conversation: string, message: string, mode?: Mode): Promise<void> {
  try {
    if (mode) await call("conversation_update", { conversation, mode });
    await call("retry", { conversation, message });
  } catch (error) {
    app.complain(error);
  }
}
