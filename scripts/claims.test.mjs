// SPDX-License-Identifier: Apache-2.0
// Every test that docs/SECURITY.md names for a claim, or docs/PROVIDERS.md for a kind of trouble, must be there.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";

const root = new URL("../", import.meta.url);

function references(text) {
  return [...text.matchAll(/`((?:[a-z0-9-]+\/)+[\w.-]+\.(?:rs|ts|mjs))(?:::(\w+))?`/g)].map(([, path, name]) => ({ path, name }));
}

function find(path) {
  return ["src-tauri/crates/", ""].map((base) => new URL(base + path, root)).find((url) => existsSync(url));
}

const pages = [
  { page: "docs/SECURITY.md", least: 30, heads: ["| claim"] },
  { page: "docs/PROVIDERS.md", least: 20, heads: ["| what happens", "| room"] },
];

for (const { page, least, heads } of pages) {
  const text = readFileSync(new URL(page, root), "utf8");

  test(`every claim of ${page} names a test that is there`, () => {
    const named = references(text);
    assert.ok(named.length > least, `only ${named.length} tests are named`);
    const missing = named.filter(({ path, name }) => {
      const file = find(path);
      return !file || (name && !new RegExp(`fn ${name}\\b`).test(readFileSync(file, "utf8")));
    });
    assert.deepEqual(missing, []);
  });

  test(`every row of a table of claims in ${page} names one`, () => {
    const tables = text.split(/\n\n+/).filter((part) => part.startsWith("| ") && !part.startsWith("| room"));
    const rows = tables.flatMap((table) => table.split("\n")).filter((line) => line.startsWith("| ") && !heads.some((head) => line.startsWith(head)));
    assert.ok(rows.length > 10, `${rows.length} rows`);
    assert.deepEqual(rows.filter((row) => references(row).length === 0), []);
  });
}
