// SPDX-License-Identifier: Apache-2.0

/** A piece of a text; `hit` when a search found it. */
export interface Fragment {
  text: string;
  hit: boolean;
}

/** Takes the marks of markdown out of the beginning of a message, where they say nothing. */
export function unmarked(text: string): string {
  return text.replace(/\s*\|[\s|:-]*/g, " ").replace(/(^|\s)#{1,6}\s+/g, "$1").replace(/\*\*|__|`+/g, "").replace(/(^|\s)\*(\S[^*]*)\*/g, "$1$2");
}

/** Cuts a text where the words of a query lie, so that they can be marked. */
export function fragments(text: string, query: string): Fragment[] {
  const words = query.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text, hit: false }];
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).sort((a, b) => b.length - a.length);
  const found = new RegExp(`(${escaped.join("|")})`, "giu");
  return text
    .split(found)
    .map((piece, i) => ({ text: piece, hit: i % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
