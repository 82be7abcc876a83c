// SPDX-License-Identifier: Apache-2.0
// Markdown to HTML that can't load or run anything: marked writes it, DOMPurify is the wall behind it.
import createDOMPurify, { type DOMPurify } from "dompurify";
import { Marked, type Token, type Tokens } from "marked";
import { pictureHost, saysWhere, target } from "./links";

/** The words that rendered text needs in the language of the face. */
export interface Words {
  imageBlocked: string;
  imageFrom(host: string): string;
  table: string;
}

/** A block that is drawn as a whole. */
export type Piece = { type: "html"; html: string } | { type: "code"; lang: string; text: string };

/** The headings of a text so far. Headings of a message begin below the page's own and never skip a level. */
export interface Outline {
  /** The depth of the first heading; 0 before it. */
  first: number;
  /** The level the last one was given. */
  last: number;
}

/** Before the first heading. */
export const BEGINNING: Readonly<Outline> = { first: 0, last: 1 };

const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

let outline: Outline = { ...BEGINNING };
let words: Words = { imageBlocked: "Picture not loaded", imageFrom: (host) => `from ${host}`, table: "Table" };

const marked = new Marked({ gfm: true, breaks: true });
marked.use({
  renderer: {
    // Text of a model is never markup, except for a line break, which tables need.
    html({ text }) {
      return /^<br\s*\/?>$/i.test(text.trim()) ? "<br>" : escape(text);
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const found = target(href);
      if (!found) return `${inner} <span class="goes">${escape(href)}</span>`;
      const link = `<a href="${escape(found.href)}" target="_blank" rel="noopener noreferrer">${inner}</a>`;
      const said = tokens.map(plainText).join("");
      return saysWhere(said, found) ? link : `${link} <span class="goes">${escape(found.host)}</span>`;
    },
    image({ href, text }) {
      const host = pictureHost(href);
      const from = host ? ` ${words.imageFrom(host)}` : "";
      return `<span class="picture">${escape(text ? `${text} · ` : "")}${escape(words.imageBlocked)}${escape(from)}</span>`;
    },
    table(token) {
      const row = (cells: Tokens.TableCell[], tag: "th" | "td") =>
        `<tr>${cells
          .map((cell) => `<${tag}${tag === "th" ? ' scope="col"' : ""}${cell.align ? ` class="${cell.align}"` : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`)
          .join("")}</tr>`;
      const body = token.rows.map((cells) => row(cells, "td")).join("");
      return `<div class="table" role="region" tabindex="0" aria-label="${escape(words.table)}"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>`;
    },
    code({ text, lang }) {
      return `<div class="code-inner" data-lang="${escape(language(lang))}"><pre tabindex="0"><code>${escape(text)}</code></pre></div>`;
    },
    checkbox({ checked }) {
      return checked ? '<span class="box checked" role="img" aria-label="☑"></span> ' : '<span class="box" role="img" aria-label="☐"></span> ';
    },
    heading({ tokens, depth }) {
      outline.first ||= depth;
      const level = Math.max(2, Math.min(6, outline.last + 1, 2 + depth - outline.first));
      outline.last = level;
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
  },
});

const ALLOWED = {
  ALLOWED_TAGS: ["a", "b", "blockquote", "br", "code", "del", "div", "em", "h2", "h3", "h4", "h5", "h6", "hr", "i", "li", "ol", "p", "pre", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"],
  ALLOWED_ATTR: ["href", "target", "rel", "class", "start", "scope", "role", "tabindex", "aria-label", "data-lang"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: true,
  // This expression judges the value of every attribute but these.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  ADD_URI_SAFE_ATTR: ["target", "rel", "class", "start", "scope", "role", "tabindex", "aria-label", "data-lang"],
};

let purify: DOMPurify | undefined;

/** Sets the words; what was rendered before keeps its own. */
export function setWords(next: Words): void {
  words = next;
}

/** The blocks of a text, in order, as marked reads them. */
export function lex(text: string): Token[] {
  return marked.lexer(text);
}

/** Renders one block; notes its headings in `soFar`. */
export function render(token: Token, soFar: Outline = { ...BEGINNING }): Piece {
  outline = soFar;
  if (token.type === "code") return { type: "code", lang: language((token as Tokens.Code).lang), text: (token as Tokens.Code).text };
  return { type: "html", html: clean(marked.parser([token])) };
}

/** Takes everything out of HTML that is not on the list. */
export function clean(html: string): string {
  purify ??= createDOMPurify(window);
  return purify.sanitize(html, ALLOWED);
}

/** The language of a fence: its first word. */
export function language(info: string | undefined): string {
  return (info ?? "").trim().split(/[\s,{]/)[0]!.toLowerCase();
}

function plainText(token: Token): string {
  if ("tokens" in token && token.tokens) return token.tokens.map(plainText).join("");
  return "text" in token ? String(token.text) : token.raw;
}
