// SPDX-License-Identifier: Apache-2.0
// Every test that docs/SECURITY.md names for a claim must be there.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";

const root = new URL("../", import.meta.url);

function references(text) {
  return [...text.matchAll(/`((?:[a-z]+\/)+[\w.]+\.(?:rs|ts|mjs))(?:::(\w+))?`/g)].map(([, path, name]) => ({ path, name }));
}

function find(path) {
  return ["src-tauri/crates/", ""].map((base) => new URL(base + path, root)).find((url) => existsSync(url));
}

test("every claim names a test that is there", () => {
  const text = readFileSync(new URL("docs/SECURITY.md", root), "utf8");
  const named = references(text);
  assert.ok(named.length > 30, `only ${named.length} tests are named`);
  const missing = named.filter(({ path, name }) => {
    const file = find(path);
    return !file || (name && !new RegExp(`fn ${name}\\b`).test(readFileSync(file, "utf8")));
  });
  assert.deepEqual(missing, []);
});

test("every row of a table of claims names one", () => {
  const rows = readFileSync(new URL("docs/SECURITY.md", root), "utf8").split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| claim"));
  assert.deepEqual(rows.filter((row) => references(row).length === 0), []);
});
