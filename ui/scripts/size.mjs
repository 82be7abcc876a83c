// SPDX-License-Identifier: Apache-2.0
// Fails when the JavaScript a browser loads before anything is shown grows beyond what docs promise.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_KB = 150;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const entry = Object.values(manifest).find((chunk) => chunk.isEntry);
const seen = new Map();
const visit = (chunk) => {
  if (seen.has(chunk.file)) return;
  seen.set(chunk.file, gzipSync(readFileSync(new URL(chunk.file, dist)), { level: 9 }).length);
  for (const key of chunk.imports ?? []) visit(manifest[key]);
};
visit(entry);

const total = [...seen.values()].reduce((sum, size) => sum + size, 0) / 1024;
for (const [file, size] of seen) console.log(`${(size / 1024).toFixed(1).padStart(7)} KB  ${file}`);
console.log(`${total.toFixed(1).padStart(7)} KB  first JavaScript, gzipped (limit ${LIMIT_KB} KB)`);
if (total > LIMIT_KB) {
  console.error("The first JavaScript is too large: load what is not needed at once with import().");
  process.exit(1);
}
