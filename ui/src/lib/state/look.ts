// SPDX-License-Identifier: Apache-2.0
import type { Settings } from "$lib/backend/bindings";

/** What of the settings the page wears. */
export type Look = Pick<Settings, "theme" | "accent">;

const KEY = "bailey.look";
const dark = matchMedia("(prefers-color-scheme: dark)");
let worn: Look = { theme: "system", accent: "green" };

/** Wears a look: `system` follows the system, also later on. */
export function applyLook({ theme, accent }: Look): void {
  worn = { theme, accent };
  const root = document.documentElement;
  root.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  root.dataset.accent = accent;
  const paper = getComputedStyle(root).getPropertyValue("--paper").trim();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.removeAttribute("media");
    meta.content = paper;
  }
}

dark.addEventListener("change", () => applyLook(worn));

/** Keeps the look for the next start, so that it does not flash in another one before the settings are known. */
export function rememberLook({ theme, accent }: Look): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ theme, accent }));
  } catch {
    // Without storage the next start begins in the system's look.
  }
}

/** Wears the look of the last time. */
export function recallLook(): void {
  let look = worn;
  try {
    look = { ...look, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Look>) };
  } catch {
    // Unreadable: the system's look.
  }
  applyLook(look);
}
