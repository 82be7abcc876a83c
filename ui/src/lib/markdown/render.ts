// SPDX-License-Identifier: Apache-2.0
// Markdown to HTML that can't load or run anything: marked writes it, DOMPurify is the wall behind it.
import createDOMPurify, { type DOMPurify } from "dompurify";
import { Marked, type Token, type Tokens } from "marked";
import { address } from "$lib/parts/address";
import { visible } from "$lib/parts/arguments";
import { target, unsaid } from "./links";

/** The words that rendered text needs in the language of the face. */
export interface Words {
  imageBlocked: string;
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
let words: Words = { imageBlocked: "Picture not loaded", table: "Table" };

const marked = new Marked({ gfm: true, breaks: true });
marked.use({
  renderer: {
    // Text of a model is never markup, except for a line break, which tables need.
    html({ text }) {
      return /^<br\s*\/?>$/i.test(text.trim()) ? "<br>" : escape(text);
    },
    link({ href, tokens }) {
      // A picture has a button of its own, which is no part of a link.
      const pictures = tokens.filter(({ type }) => type === "image");
      const rest = pictures.length > 0 ? tokens.filter(({ type }) => type !== "image") : tokens;
      const before = pictures.length > 0 ? this.parser.parseInline(pictures) : "";
      const found = target(href);
      const said = rest.map(plainText).join("");
      const inner = said.trim() === "" ? escape(found?.host ?? "") : this.parser.parseInline(rest);
      if (!found) return `${before}${inner} <span class="goes">${escape(visible(href))}</span>`;
      const link = `${before}<a href="${escape(found.href)}" target="_blank" rel="noopener noreferrer">${inner}</a>`;
      const more = said.trim() === "" ? undefined : unsaid(said, found);
      return more === undefined ? link : `${link} <span class="goes">${escape(visible(more))}</span>`;
    },
    image({ href, text }) {
      const web = target(href);
      const fetched = web && !/^mailto:/i.test(web.href) ? web.href : undefined;
      const parts = fetched === undefined ? undefined : address(fetched);
      const where = parts ? `${escape(visible(parts.before))}<b>${escape(visible(parts.host))}</b>${escape(visible(parts.after))}` : "";
      const alt = text ? `<span class="alt">${escape(visible(text))}</span>` : "";
      // The address is what would be asked for, letter by letter: only a tap does.
      return `<span class="picture"${fetched === undefined ? "" : ` data-picture="${escape(fetched)}"`}>${alt}<span class="blocked">${escape(words.imageBlocked)}</span>${where && `<span class="where">${where}</span>`}</span>`;
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
  ALLOWED_ATTR: ["href", "target", "rel", "class", "start", "scope", "role", "tabindex", "aria-label", "data-lang", "data-picture"],
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
