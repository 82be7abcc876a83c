// @vitest-environment jsdom
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { BEGINNING, lex, render, type Outline } from "$lib/markdown/render";
import { target, unsaid } from "$lib/markdown/links";
import { MarkdownStream, type Shown } from "$lib/markdown/stream";

const html = (text: string, outline: Outline = { ...BEGINNING }): string => lex(text).filter((t) => t.type !== "space" && t.type !== "def").map((t) => { const piece = render(t, outline); return piece.type === "html" ? piece.html : `[${piece.lang}]${piece.text}`; }).join("");
const flat = (shown: Shown[]): string => shown.map(({ piece }) => (piece.type === "html" ? piece.html : `[${piece.lang}]${piece.text}`)).join("");

const SAMPLE = `# Title

A paragraph with **bold**, \`code\` and a [link](https://example.org/path).
It has a second line.

- one
- two
  - nested
- three

1. first
2. second

> quoted
> more

| a | b |
|---|--:|
| 1 | 2 |
| 3 | 4 |

\`\`\`python
def f():
    return "\`\`"

print(f())
\`\`\`

~~~
tilde
~~~

Setext
------

Last line with ![pic](https://img.example/x.png)`;

describe("what is rendered", () => {
  it("never loads a picture: a placeholder says what and from where", () => {
    const out = html("![A view](https://pictures.example/v.png?q=a%20b) ![](data:image/png;base64,x)");
    expect(out).not.toMatch(/<img|src=/);
    expect(out).toContain('<span class="alt">A view</span>');
    expect(out).toContain('<span class="where">https://<b>pictures.example</b>/v.png?q=a%20b</span>');
    expect(out.match(/data-picture="([^"]*)"/g)).toEqual(['data-picture="https://pictures.example/v.png?q=a%20b"']);
  });

  it.each([
    ["data:image/svg+xml,<svg onload=alert(1)>"],
    ["javascript:alert(1)"],
    ["file:///etc/passwd"],
    ["mailto:a@b.example"],
    ["//pictures.example/v.png"],
  ])("has nothing to show for a picture at %s", (src) => {
    expect(html(`![x](<${src}>)`)).not.toContain("data-picture");
  });

  it("takes a picture out of the link around it: its button is its own", () => {
    const box = document.createElement("div");
    box.innerHTML = html("[![chart](https://img.example/c.png)](https://evil.example/go) and [see ![i](https://img.example/i.png) here](https://a.example/)");
    expect(box.querySelector("a .picture")).toBeNull();
    expect([...box.querySelectorAll("a")].map((a) => a.textContent!.replace(/\s+/g, " "))).toEqual(["evil.example", "see here"]);
    expect(box.querySelectorAll(".picture[data-picture]")).toHaveLength(2);
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text <svg onload=alert(1)> text",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:x)",
    "<iframe src=https://evil.example></iframe>",
    "<style>*{display:none}</style>",
    "<form action=https://evil.example><input></form>",
    "**<b onclick=alert(1)>**",
    "[\"onmouseover=alert(1) x=\"](https://a.example/\"onmouseover=alert(1))",
    "```\"><script>alert(1)</script>\nx\n```",
    "| <script>alert(1)</script> |\n|---|\n| <img src=x> |",
    "![\"><script>alert(1)</script>](https://x.example/\"><script>)",
  ])("can't run or load anything: %s", (source) => {
    const box = document.createElement("div");
    box.innerHTML = flat(new MarkdownStream().update(source, true).map((s) => (s.piece.type === "code" ? { ...s, piece: { type: "html", html: "" } } : s)));
    expect(box.querySelectorAll("script,img,svg,iframe,style,form,input,object,embed,link,base")).toHaveLength(0);
    for (const node of box.querySelectorAll("*")) for (const { name, value } of node.attributes) {
      expect(name).not.toMatch(/^on|^style$|^src$/);
      if (name === "href") expect(value).toMatch(/^(https?|mailto):/);
    }
  });

  it("shows a link's host when its text says something else", () => {
    expect(html("[my bank](https://evil.example/login)")).toContain('<span class="goes">evil.example</span>');
    expect(html("[https://bank.example](https://evil.example/)")).toContain("evil.example</span>");
    expect(html("https://plain.example/path")).not.toContain("goes");
    expect(html("[plain.example](https://plain.example/)")).not.toContain("goes");
    expect(html("[https://a.example/report](https://a.example/report?stolen=secret)")).toContain('<span class="goes">https://a.example/report?stolen=secret</span>');
    expect(html("https://bank.example@evil.example/")).toContain('<span class="goes">evil.example</span>');
    expect(html("[](https://silent.example/x)")).toContain(">silent.example</a>");
    expect(html("[x](https://a.example/%E2%80%AE)")).toContain('<span class="goes">a.example</span>');
  });

  it("opens links outside, without a way back", () => {
    expect(html("[x](https://a.example)")).toContain('target="_blank" rel="noopener noreferrer"');
  });

  it("begins headings below the page's own and never skips a level", () => {
    const levels = (text: string) => [...html(text).matchAll(/<h(\d)/g)].map((hit) => Number(hit[1]));
    expect(levels("### a\n\n##### b\n\n# c\n\n#### d\n\n###### e")).toEqual([2, 3, 2, 3, 4]);
    expect(levels("# a\n\n## b\n\n### c")).toEqual([2, 3, 4]);
  });

  it("keeps tables reachable by keyboard", () => {
    expect(html("| a |\n|---|\n| 1 |")).toMatch(/class="table"[^>]*role="region"[^>]*tabindex="0"[^>]*aria-label/);
  });
});

describe("links", () => {
  it("refuses schemes that do things", () => {
    for (const href of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "/relative", "tel:1", "bailey://x"]) expect(target(href)).toBeUndefined();
    expect(target("mailto:a@b.example")?.host).toBe("a@b.example");
    expect(target("mailto:%E0%A4%A")?.host).toBe("%E0%A4%A");
  });

  it("shows the real letters of a lookalike host", () => {
    expect(target("https://аpple.com/")!.host).toMatch(/^xn--/);
    expect(unsaid("аpple.com", target("https://аpple.com/")!)).toMatch(/^xn--/);
  });
});

describe("a growing text", () => {
  it.each([1, 3, 7, 50])("ends as the whole text would be rendered, in steps of %i", (step) => {
    const stream = new MarkdownStream();
    for (let i = step; i < SAMPLE.length; i += step) stream.update(SAMPLE.slice(0, i), false);
    expect(flat(stream.update(SAMPLE, true))).toBe(html(SAMPLE));
  });

  it("keeps closed blocks by identity and keys once given", () => {
    const stream = new MarkdownStream();
    let before: Shown[] = [];
    for (let i = 1; i <= SAMPLE.length; i++) {
      const shown = stream.update(SAMPLE.slice(0, i), false);
      const closed = before.filter((each) => !each.open);
      expect(shown.slice(0, closed.length)).toEqual(closed);
      closed.forEach((each, at) => expect(shown[at]).toBe(each));
      expect(new Set(shown.map((each) => each.key)).size).toBe(shown.length);
      before = shown;
    }
    expect(before.filter((each) => !each.open).length).toBeGreaterThan(6);
  });

  it("shows an open fence as code from its first line on, and never its closing marks", () => {
    const stream = new MarkdownStream();
    const text = "```js\nlet a = 1;\nlet b = 2;\n```\nafter\n";
    for (let i = 6; i <= text.length; i++) {
      const first = stream.update(text.slice(0, i), false)[0]!.piece;
      expect(first.type).toBe("code");
      if (first.type === "code") {
        expect(first.lang).toBe("js");
        expect("let a = 1;\nlet b = 2;").toContain(first.text);
      }
    }
    expect(flat(stream.update(text, true))).toBe("[js]let a = 1;\nlet b = 2;<p>after</p>\n");
  });

  it("starts over when the text is another one", () => {
    const stream = new MarkdownStream();
    stream.update("# one\n\ntwo\n\nthree", false);
    expect(flat(stream.update("other", true))).toBe("<p>other</p>\n");
  });

  it("starts over when it was taken back, even to its own beginning", () => {
    const stream = new MarkdownStream();
    stream.update("# one\n\n```js\nlet a;\n", false);
    expect(flat(stream.update("# one", false))).toBe("<h2>one</h2>");
    expect(flat(stream.update("", false))).toBe("");
    expect(flat(stream.update("two", true))).toBe("<p>two</p>\n");
  });

  it.each([
    ["paragraphs", "Some words that make a sentence, and **more** of them.\n\n"],
    ["one long paragraph", "word after word after word "],
    ["a long list", "- an item with a few *words* in it\n"],
    ["a long table", "| cell one | cell two | cell three |\n"],
    ["a long fence", "let value = compute(1, 2, 3);\n"],
    ["a long quote", "> quoted words go on and on\n"],
    ["carriage returns", "a line with an old ending\r\n"],
  ])("costs work linear in its length: %s", (name, unit) => {
    const head = name === "a long table" ? "| a | b | c |\n|---|---|---|\n" : name === "a long fence" ? "```js\n" : "";
    const work = (length: number): number => {
      const text = (head + unit.repeat(Math.ceil(length / unit.length))).slice(0, length);
      const stream = new MarkdownStream((token) => ({ type: "html", html: token.raw }));
      for (let i = 16; i < length; i += 16) stream.update(text.slice(0, i), false);
      stream.update(text, true);
      return stream.parsed / length;
    };
    const small = work(6_000);
    const large = work(36_000);
    expect(large).toBeLessThan(small * 1.3 + 1);
    expect(large).toBeLessThan(25);
  });
});
