// SPDX-License-Identifier: Apache-2.0
import type { Token, Tokens } from "marked";
import { BEGINNING, language, lex, render, type Outline, type Piece } from "./render";

/** A block on show. A closed one keeps its identity and never changes again. */
export interface Shown {
  /** Stable for as long as the block lives; an open block keeps it when it closes. */
  key: number;
  piece: Piece;
  open: boolean;
}

/** An open block up to this length is parsed anew whenever it grows; beyond, only when it has grown by an eighth. */
const EAGER = 1024;
/** A list beyond this length is closed item by item. */
const LONG_LIST = 512;

/**
 * Markdown that grows. A block is parsed until another one follows it, then kept; only the open tail is parsed again, a
 * code fence is followed line by line, and a long tail waits until it has grown by an eighth of itself. So the work of
 * all parsing together stays linear in the text.
 */
export class MarkdownStream {
  /** Characters handed to the parser so far: what the promise is measured by. */
  parsed = 0;

  readonly #draw: (token: Token, outline: Outline) => Piece;
  #text = "";
  #closed: Shown[] = [];
  #outline: Outline = { ...BEGINNING };
  #closedTo = 0;
  #key = 0;
  #tail: Shown[] = [];
  #tailTo = 0;
  #tableOpen = false;
  #fence: Fence | undefined;

  /** `draw` makes a block of a token. */
  constructor(draw: (token: Token, outline: Outline) => Piece = render) {
    this.#draw = draw;
  }

  /** Shows `text`; `done` says that nothing more will come. A text that does not continue the last one starts over. */
  update(text: string, done: boolean): Shown[] {
    if (text.length < this.#text.length || !text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    this.#closeFence(text, done);
    if (!this.#fence) this.#parse(text, done);
    const shown = [...this.#closed, ...this.#tail];
    const rest = text.slice(this.#tailTo);
    // Half a table row says nothing; half a sentence does.
    if (!this.#fence && rest.trim() && !this.#tableOpen) shown.push({ key: this.#key + this.#tail.length, piece: { type: "html", html: `<p>${plain(rest)}</p>` }, open: true });
    if (this.#fence) shown.push({ key: this.#key, piece: { type: "code", lang: this.#fence.lang, text: this.#fence.body(text) }, open: true });
    return shown;
  }

  #restart(): void {
    this.#closed = [];
    this.#outline = { ...BEGINNING };
    this.#closedTo = this.#tailTo = 0;
    this.#tail = [];
    this.#tableOpen = false;
    this.#fence = undefined;
    this.#key = 0;
  }

  #close(token: Token): void {
    if (token.type !== "space" && token.type !== "def") this.#closed.push({ key: this.#key++, piece: this.#draw(token, this.#outline), open: false });
    this.#closedTo += token.raw.length;
  }

  /** Follows an open fence to its end, looking only at what is new. */
  #closeFence(text: string, done: boolean): void {
    const fence = this.#fence;
    if (!fence) return;
    const end = fence.find(text, done);
    if (end === undefined && !done) return;
    const piece: Piece = { type: "code", lang: fence.lang, text: fence.body(text) };
    this.#closed.push({ key: this.#key++, piece, open: false });
    this.#closedTo = this.#tailTo = end ?? text.length;
    this.#fence = undefined;
  }

  #parse(text: string, done: boolean): void {
    const open = this.#tailTo - this.#closedTo;
    const grown = text.length - this.#tailTo;
    if (grown === 0 && !done) return;
    if (!done && open > EAGER && grown * 8 < open) return;
    const tail = text.slice(this.#closedTo);
    // A tab or a carriage return makes marked's pieces longer or shorter than the text they came from.
    const source = tail.replace(/\r\n?/g, "\n");
    const tokens = source === "" ? [] : lex(source);
    this.parsed += source.length;
    this.#tail = [];
    this.#tailTo = text.length;
    const exact = source === tail && tokens.reduce((sum, token) => sum + token.raw.length, 0) === tail.length;
    if (exact && !done) {
      tokens.splice(0, this.#closeFollowed(tokens, tail));
      if (tokens[0]?.type === "list") tokens[0] = this.#closeItems(tokens[0] as Tokens.List);
    }
    const fence = exact && !done && tokens.length === 1 ? Fence.open(tokens[0]!, this.#closedTo) : undefined;
    if (fence) {
      this.#fence = fence;
      // What the fence holds already has to be looked through, too.
      this.#closeFence(text, false);
      if (!this.#fence) this.#parse(text, done);
      return;
    }
    if (done) {
      for (const token of tokens) this.#close(token);
      this.#closedTo = text.length;
      return;
    }
    this.#tableOpen = tokens.at(-1)?.type === "table";
    let key = this.#key;
    const outline = { ...this.#outline };
    for (const token of tokens) if (token.type !== "space" && token.type !== "def") this.#tail.push({ key: key++, piece: this.#draw(token, outline), open: true });
  }

  /** Closes the blocks that another one follows for certain; says how many. A line still being written may yet join the block before it. */
  #closeFollowed(tokens: Token[], tail: string): number {
    const last = tokens.findLastIndex((token) => token.type !== "space");
    if (last <= 0) return 0;
    const begins = tokens.slice(0, last).reduce((sum, token) => sum + token.raw.length, 0);
    if (!tail.includes("\n", begins)) return 0;
    for (const token of tokens.slice(0, last)) this.#close(token);
    return last;
  }

  /** Closes the items of a long list but its last two, as a list of their own; what remains is a list again. */
  #closeItems(list: Tokens.List): Tokens.List {
    const keep = list.items.length - 2;
    if (keep < 1 || list.raw.length < LONG_LIST) return list;
    const items = list.items.slice(0, keep);
    this.#close({ ...list, items, raw: items.map((item) => item.raw).join("") });
    const rest = list.items.slice(keep);
    return { ...list, items: rest, raw: rest.map((item) => item.raw).join(""), start: list.start === "" ? "" : list.start + keep };
  }
}

/** A code fence whose end has not come. */
class Fence {
  readonly lang: string;
  readonly #start: number;
  readonly #indent: number;
  readonly #closing: RegExp;
  #seen: number;
  #bodyEnd: number | undefined;
  #body = "";
  #bodyTo: number;

  private constructor(lang: string, start: number, indent: number, closing: RegExp) {
    this.lang = lang;
    this.#start = this.#seen = this.#bodyTo = start;
    this.#indent = indent;
    this.#closing = closing;
  }

  /** Reads the opening line of a token that is an open fence; `at` is where the token begins in the text. */
  static open(token: Token, at: number): Fence | undefined {
    if (token.type !== "code") return undefined;
    const opening = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n/.exec(token.raw);
    if (!opening) return undefined;
    const [line, indent, marks, info] = opening as unknown as [string, string, string, string];
    if (marks[0] === "`" && info.includes("`")) return undefined;
    const closing = new RegExp(`^ {0,3}\\${marks[0]}{${marks.length},}[ \\t]*$`);
    return new Fence(language(info), at + line.length, indent.length, closing);
  }

  /** Where the text goes on after the fence; `undefined` while it is open. Looks at each line once. */
  find(text: string, done: boolean): number | undefined {
    for (;;) {
      const newline = text.indexOf("\n", this.#seen);
      if (newline < 0 && !done) return undefined;
      const end = newline < 0 ? text.length : newline;
      if (this.#closing.test(text.slice(this.#seen, end))) {
        this.#bodyEnd = Math.max(this.#start, this.#seen - 1);
        return newline < 0 ? end : end + 1;
      }
      if (newline < 0) return undefined;
      this.#seen = newline + 1;
    }
  }

  /** The code so far. */
  body(text: string): string {
    if (this.#bodyEnd !== undefined) return this.#unindent(text.slice(this.#start, this.#bodyEnd));
    // A line that may become the closing one is not shown yet.
    const partial = text.slice(this.#seen);
    const end = /^ {0,3}[`~]+[ \t]*$/.test(partial) ? Math.max(this.#start, this.#seen - 1) : text.length;
    if (this.#indent > 0) return this.#unindent(text.slice(this.#start, end)).replace(/\n$/, "");
    if (end < this.#bodyTo) return this.#body.slice(0, end - this.#start);
    this.#body += text.slice(this.#bodyTo, end);
    this.#bodyTo = end;
    return this.#body.endsWith("\n") ? this.#body.slice(0, -1) : this.#body;
  }

  #unindent(code: string): string {
    return this.#indent === 0 ? code : code.replace(new RegExp(`^ {1,${this.#indent}}`, "gm"), "");
  }
}

const plain = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/\n/g, "<br>");
