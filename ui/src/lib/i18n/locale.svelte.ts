// SPDX-License-Identifier: Apache-2.0
import { overwriteGetLocale, type Locale } from "$lib/paraglide/runtime.js";
import type { Language } from "$lib/backend/bindings";

const preferred = (): Locale => (navigator.languages.find((tag) => /^(en|zh)\b/i.test(tag)) ?? "en").slice(0, 2).toLowerCase() as Locale;

let current = $state<Locale>(preferred());

// Every message function asks for the locale; answering from a rune redraws all text when it changes, without a reload.
overwriteGetLocale(() => current);

/** The language the face speaks. */
export const locale = {
  /** `en` or `zh`. */
  get current(): Locale {
    return current;
  },
  /** Takes the person's setting; `null` follows the browser. */
  follow(language: Language | null): void {
    current = language ?? preferred();
    document.documentElement.lang = current === "zh" ? "zh-Hans" : "en";
  },
};
