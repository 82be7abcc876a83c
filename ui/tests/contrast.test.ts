// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("src/tokens.css", "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
type Tokens = Record<string, string>;

function block(selector: string): Tokens {
  const found: Tokens = {};
  for (const [, selectors, body] of css.matchAll(/^([^@{}\n][^{}]*)\{([^{}]*)\}/gm)) {
    if (!selectors!.split(",").map((each) => each.trim()).includes(selector)) continue;
    for (const [, name, value] of body!.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)) found[name!] = value!;
  }
  return found;
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const contrast = (a: string, b: string): number => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

const ACCENTS = ["green", "blue", "teal", "rose", "graphite"];
const LOOKS = ["light", "dark"].flatMap((theme) => ACCENTS.map((accent) => [theme, accent] as const));
const grounds = ["paper", "surface", "sunken"];
const TEXT: [string, string][] = [
  ...["ink", "ink-2", "ink-3", "accent", "danger", "caution", "mode-chat", "mode-plus", "mode-act", "mode-max", "outside"].flatMap((text) => grounds.map((ground): [string, string] => [text, ground])),
  ["accent-ink", "accent"], ["accent", "accent-soft"], ["ink", "accent-soft"], ["ink-2", "accent-soft"], ["danger", "danger-soft"], ["ink", "danger-soft"], ["ink-2", "danger-soft"], ["caution", "caution-soft"],
  ["ink", "caution-soft"], ["outside", "outside-soft"], ["ink", "outside-soft"], ["paper", "ink"],
  ...["code-key", "code-string", "code-name", "code-number", "code-comment"].map((text): [string, string] => [text, "sunken"]),
];

describe.each(LOOKS)("%s, %s", (theme, accent) => {
  const tokens: Tokens = { ...block(":root"), ...block(`:root[data-accent="${accent}"]`), ...(theme === "dark" ? { ...block(':root[data-theme="dark"]'), ...block(`:root[data-theme="dark"][data-accent="${accent}"]`) } : {}) };

  it("has text that can be read", () => {
    const weak = TEXT.filter(([text, ground]) => contrast(tokens[text]!, tokens[ground]!) < 4.5).map(([text, ground]) => `${text} on ${ground}: ${contrast(tokens[text]!, tokens[ground]!).toFixed(2)}`);
    expect(weak).toEqual([]);
  });

  it("has field borders that can be seen", () => {
    for (const ground of ["paper", "surface"]) expect(contrast(tokens.edge!, tokens[ground]!)).toBeGreaterThanOrEqual(3);
  });
});
