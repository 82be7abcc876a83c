// SPDX-License-Identifier: Apache-2.0

/** One argument as a row. */
export interface Row {
  name: string;
  text: string;
  /** Needs a box of its own that scrolls. */
  long: boolean;
  /** Code-like: a command, a path, JSON. */
  mono: boolean;
  /** A truth value. */
  yes?: boolean;
}

const CODE = new Set(["command", "expression", "path", "cwd", "url", "script", "code", "regex", "pattern"]);
const LONG = 160;

/** The rows of a call's arguments in their order; `undefined` when they are not an object. */
export function rows(value: unknown): Row[] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([name, argument]) => {
    const mono = CODE.has(name) || (typeof argument === "object" && argument !== null && !isWords(argument));
    const text = visible(show(argument));
    const row: Row = { name, text, long: text.length > LONG || text.split("\n").length > 3, mono };
    return typeof argument === "boolean" ? { ...row, yes: argument } : row;
  });
}

/** The argument that tells most, on one line; empty when there is none. */
export function gist(value: unknown): string {
  const read = rows(value);
  if (!read) return "";
  const said = read.find((row) => ["command", "expression", "query", "task", "path", "question", "title", "url", "place"].includes(row.name)) ?? read.find((row) => row.text !== "" && row.yes === undefined);
  return said ? said.text.replace(/\s+/g, " ").trim().slice(0, 200) : "";
}

const isWords = (value: object): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");

function show(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (isWords(value as object)) return (value as string[]).map((word) => `• ${word}`).join("\n");
  return JSON.stringify(value, null, 2);
}

/** Makes characters visible that would hide or reorder what is really there. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu, (c) => `⟨U+${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`);
}
