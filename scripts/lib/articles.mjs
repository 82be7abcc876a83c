// SPDX-License-Identifier: Apache-2.0
// How well and how fast articles are read: Bailey beside dom_smoothie by itself, on the same pages in the same run.
import { join } from "node:path";
import { targetDir } from "./cargo.mjs";
import { step } from "./peers.mjs";
import { capture, exe, ROOT } from "./process.mjs";

/** A program's lines with figures: `{ name, pages, f1, precision, recall, ms }` each, `ms` a page. */
export function articleFigures(text) {
  const line = /^(\S+) articles pages=(\d+) f1=([\d.]+) precision=([\d.]+) recall=([\d.]+) ms=([\d.]+)$/gm;
  return [...text.matchAll(line)].map(([, name, ...numbers]) => {
    const [pages, f1, precision, recall, ms] = numbers.map(Number);
    return { name, pages, f1, precision, recall, ms };
  });
}

const TITLES = { bailey: "**Bailey** (bytes to markdown, with links and what the page says of itself)", dom_smoothie: "dom_smoothie by itself" };

/** The table in markdown: each reader, and how many times its time is the other's. */
export function articleTable(figures) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const peer = figures.find(({ name }) => name === "dom_smoothie");
  const head = ["", "F1", "precision", "recall", "ms a page", "time to dom_smoothie's"];
  const rows = figures.map(({ name, f1, precision, recall, ms }) => [
    TITLES[name] ?? name,
    ...[f1, precision, recall].map((share) => share.toFixed(3)),
    ms.toFixed(2),
    peer ? `${(ms / peer.ms).toFixed(2)}×` : "",
  ]);
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** Measures. Resolves to the table in markdown, or null (and said) when there are no pages. */
export async function benchArticles() {
  const build = ["build", "--release", "--locked", "-p", "bailey-reader", "--example", "article_speed"];
  if (!(await step("Building the reader of articles", "cargo", build, { cwd: ROOT }))) throw new Error("The reader of articles was not built");
  const { code, text } = await capture(join(targetDir(), "release", "examples", exe("article_speed")), [], { quiet: true });
  if (code !== 0) {
    console.error(text.trimEnd());
    return null;
  }
  const figures = articleFigures(text);
  return [articleTable(figures), "", `${figures[0].pages} pages, one reader after another, the best of five turns; scored as the article extraction benchmark does.`].join("\n");
}
