// SPDX-License-Identifier: Apache-2.0
// The values a question is about, and where they stand among the arguments shown.
import type { Doubt, Reason, Source } from "$lib/backend/bindings";
import { visible, type Row } from "$lib/parts/arguments";

/** A value in doubt as it is shown. */
export interface Doubted extends Doubt {
  /** Whose text it is: purple is kept for what came from outside. */
  look: "outside" | "model" | "private";
}

/** A piece of an argument's text; `doubted` when it is the value in doubt. */
export interface Piece {
  text: string;
  doubted?: Doubted;
}

const same = (a: Source, b: Source): boolean => a.tool === b.tool && a.detail === b.detail;

/** The values in doubt of all reasons, each once. */
export function doubted(reasons: readonly Reason[]): Doubted[] {
  const found: Doubted[] = [];
  for (const reason of reasons) {
    if (reason.type !== "outside_acts" && reason.type !== "private_may_leave") continue;
    for (const doubt of reason.doubts) {
      const { source } = doubt;
      const look = doubt.kind === "private" ? "private" : source && reason.sources.some((other) => same(other, source)) ? "outside" : "model";
      if (!found.some((other) => other.path === doubt.path && other.value === doubt.value && other.kind === doubt.kind)) found.push({ ...doubt, look });
    }
  }
  return found;
}

/** Whether a value stands in the argument of this name. */
const isIn = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);

/** The values in doubt of one argument. A name may itself hold a dot, so the longest that fits has them. */
export function doubtsOf(name: string, all: readonly Doubted[], rows: readonly Row[]): Doubted[] {
  return all.filter(({ path }) => home(path, rows) === name);
}

/** The values in doubt that stand in no argument shown. */
export function homeless(all: readonly Doubted[], rows: readonly Row[]): Doubted[] {
  return all.filter(({ path }) => home(path, rows) === undefined);
}

function home(path: string, rows: readonly Row[]): string | undefined {
  let best: string | undefined;
  for (const { name } of rows) if (isIn(path, name) && name.length >= (best?.length ?? 0)) best = name;
  return best;
}

/** Cuts the text of an argument into pieces at the values in doubt. Where they overlap, the longer one wins. */
export function pieces(row: Row, all: readonly Doubted[]): Piece[] {
  const taken: { from: number; to: number; doubted: Doubted }[] = [];
  for (const each of all.toSorted((a, b) => b.value.length - a.value.length)) {
    const value = visible(each.value);
    if (value === "") continue;
    let seen = false;
    for (let from = row.text.indexOf(value); from >= 0; from = row.text.indexOf(value, from + value.length)) {
      const to = from + value.length;
      seen = true;
      if (!taken.some((other) => from < other.to && other.from < to)) taken.push({ from, to, doubted: each });
    }
    // Shown in other words than it is used in, as a truth value is: then all of it is meant.
    if (!seen && each.path === row.name && taken.length === 0) return [{ text: row.text, doubted: each }];
  }
  taken.sort((a, b) => a.from - b.from);
  const cut: Piece[] = [];
  let at = 0;
  for (const { from, to, doubted } of taken) {
    if (from > at) cut.push({ text: row.text.slice(at, from) });
    cut.push({ text: row.text.slice(from, to), doubted });
    at = to;
  }
  if (at < row.text.length || cut.length === 0) cut.push({ text: row.text.slice(at) });
  return cut;
}
