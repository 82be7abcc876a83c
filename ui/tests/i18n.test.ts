// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import en from "../messages/en.json";
import zh from "../messages/zh.json";

type Texts = Record<string, unknown>;
const texts = (value: unknown): string[] => (typeof value === "string" ? [value] : (value as { match: Record<string, string> }[]).flatMap((variant) => Object.values(variant.match)));
const holes = (value: unknown): string[] => [...new Set(texts(value).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((hole) => hole[1]!)))].sort();
const keys = Object.keys(en).filter((key) => key !== "$schema");

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "paraglide" ? [] : sources(path);
    return /\.(svelte|ts)$/.test(entry.name) ? [path] : [];
  });
}

describe("the two languages", () => {
  it("have the same keys", () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(keys)("say the same with the same placeholders: %s", (key) => {
    expect(holes((zh as Texts)[key])).toEqual(holes((en as Texts)[key]));
    for (const text of [...texts((en as Texts)[key]), ...texts((zh as Texts)[key])]) expect(text.trim()).not.toBe("");
  });

  it("leave no English behind in Chinese", () => {
    const names = /Android|Shizuku|https:\/\/api\.example\.com\/v1|Bailey|Ollama|LM Studio|llama\.cpp|OpenAI(?: Responses)?|Anthropic Messages|Google Gemini|Shell|Apache-2\.0|HTTPS|https?|socks5h?|MCP|PEM|BEGIN CERTIFICATE|SearXNG|Brave|Tavily|JSON|IP|PDF|JPEG|PNG|WebP|GIF|HEIC|MB/g;
    const left = keys.filter((key) => texts((zh as Texts)[key]).some((text) => /[A-Za-z]{2,}/.test(text.replace(/\{\w+\}/g, "").replace(names, ""))));
    expect(left).toEqual([]);
  });

  it("hold nothing that is never shown, and miss nothing that is", () => {
    const used = new Set(sources("src").flatMap((path) => [...readFileSync(path, "utf8").matchAll(/\bm\.(\w+)/g)].map((use) => use[1]!)));
    expect(keys.filter((key) => !used.has(key))).toEqual([]);
    expect([...used].filter((key) => !keys.includes(key))).toEqual([]);
  });
});

describe("the face", () => {
  it("has no words outside the message files", () => {
    const found = sources("src").filter((path) => path.endsWith(".svelte")).flatMap((path) => {
      const markup = readFileSync(path, "utf8").replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, "");
      const attributes = [...markup.matchAll(/\b(?:aria-label|title|placeholder|alt)="([^"{]*[A-Za-z]{2,}[^"{]*)"/g)].map((hit) => hit[1]!);
      const text = [...markup.replace(/\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, "{}").matchAll(/>([^<>{}]*[A-Za-z]{2,}[^<>{}]*)</g)].map((hit) => hit[1]!.trim());
      return [...attributes, ...text].filter((words) => !/^(Bailey|&nbsp;|https:.*)$/.test(words)).map((words) => `${path}: ${words}`);
    });
    expect(found).toEqual([]);
  });
});
