// SPDX-License-Identifier: Apache-2.0
// Colours for code, loaded when the first code block is shown. The engine is JavaScript's own regular expressions: the
// content security policy has no place for WebAssembly.
import type { HighlighterCore } from "shiki/core";

/** A run of code in one colour. */
export interface Span {
  text: string;
  color?: string;
}

type Grammar = () => Promise<{ default: unknown }>;
const GRAMMARS: Record<string, Grammar> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};
const ALIASES: Record<string, string> = {
  sh: "bash", shell: "bash", zsh: "bash", console: "bash", "c++": "cpp", js: "javascript", jsx: "tsx", mjs: "javascript", kt: "kotlin",
  md: "markdown", py: "python", rb: "ruby", rs: "rust", ts: "typescript", yml: "yaml", svg: "xml", htm: "html", jsonc: "json", golang: "go",
};
/** Beyond this many characters colours are not worth the wait. */
const LONGEST = 30_000;

let core: Promise<HighlighterCore> | undefined;
const loaded = new Map<string, Promise<unknown>>();

async function highlighter(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([
    import("shiki/core"),
    import("shiki/engine/javascript"),
  ]);
  const theme = createCssVariablesTheme({ name: "bailey", variablePrefix: "--code-", variableDefaults: {}, fontStyle: false });
  return createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
}

/** The lines of `code` in colours; `undefined` for a language nobody knows here and for very long code. */
export async function highlight(code: string, lang: string): Promise<Span[][] | undefined> {
  const name = ALIASES[lang] ?? lang;
  const grammar = Object.hasOwn(GRAMMARS, name) ? GRAMMARS[name] : undefined;
  if (!grammar || code.length > LONGEST) return undefined;
  const made = await (core ??= highlighter());
  let loading = loaded.get(name);
  if (!loading) {
    loading = grammar().then((module) => made.loadLanguage(module.default as Parameters<HighlighterCore["loadLanguage"]>[0]));
    loaded.set(name, loading);
  }
  await loading;
  const { tokens } = made.codeToTokens(code, { lang: name, theme: "bailey" });
  return tokens.map((line) => line.map(({ content, color }) => (color ? { text: content, color } : { text: content })));
}
