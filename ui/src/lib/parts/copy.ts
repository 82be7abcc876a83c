// SPDX-License-Identifier: Apache-2.0
import { m } from "$lib/paraglide/messages.js";
import { toasts } from "$lib/state/toasts.svelte";

/** Puts text on the clipboard; says so when that is not allowed. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toasts.show(m.copy_failed(), { kind: "error" });
    return false;
  }
}
