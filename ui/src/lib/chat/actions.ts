// SPDX-License-Identifier: Apache-2.0
import { call, type Denial, type Mode } from "$lib/backend";
import { app } from "$lib/state/app.svelte";

/** What the person can change after a no: switch the shell on, or take a mode that may act. */
export type WayOut = "shell" | "act";

/** The way out of a no; `undefined` where the person can change nothing. */
export function wayOut(denial: Denial, tool: string, mode: Mode | undefined): WayOut | undefined {
  if (denial.code === "switched_off" && tool === "run_shell") return "shell";
  return denial.code === "mode" && (mode === "chat" || mode === "chat_plus") ? "act" : undefined;
}

/** Answers a user message anew, perhaps in another mode. What fails is said in a toast. */
export async function answerAgain(conversation: string, message: string, mode?: Mode): Promise<void> {
  try {
    if (mode) await call("conversation_update", { conversation, mode });
    await call("retry", { conversation, message });
  } catch (error) {
    app.complain(error);
  }
}
