// SPDX-License-Identifier: Apache-2.0
// What was typed and not yet sent, by conversation. A private window without storage just forgets.

const KEY = "bailey.draft.";

/** The draft of a conversation (`new` for one that does not exist yet). */
export function readDraft(conversation: string): string {
  try {
    return localStorage.getItem(KEY + conversation) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a draft; an empty one is removed. */
export function keepDraft(conversation: string, text: string): void {
  try {
    if (text) localStorage.setItem(KEY + conversation, text);
    else localStorage.removeItem(KEY + conversation);
  } catch {
    // Storage is full or forbidden: the draft lives as long as the page.
  }
}
