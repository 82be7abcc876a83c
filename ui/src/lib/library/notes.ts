// SPDX-License-Identifier: Apache-2.0
// What the Library says of notes.
import type { NoteView, Source } from "$lib/backend/bindings";
import { sourceText } from "$lib/i18n/words";
import { getLocale } from "$lib/paraglide/runtime.js";

/** Whether a note was written after outside text, and is not the person's until they keep it. */
export const waits = (note: Pick<NoteView, "labels">): boolean => note.labels.outside.length > 0;

/** So many characters or lines are shown whole; what is longer scrolls in a box of its own. */
const LONG = { characters: 700, lines: 12 };
/** Whether a note needs a box of its own. */
export const long = (text: string): boolean => text.length > LONG.characters || text.split("\n").length > LONG.lines;

/** The beginning of a note, on one line. */
export const beginning = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 120);

/** Sources in words, each once, as part of a sentence; `itemName` as for {@link sourceText}. */
export function sourcesText(sources: readonly Source[], itemName?: (kind: string) => string | undefined): string {
  const named = [...new Set(sources.map((source) => sourceText(source, itemName)))];
  return new Intl.ListFormat(getLocale() === "zh" ? "zh-CN" : "en", { type: "conjunction" }).format(named);
}
