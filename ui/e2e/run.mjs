// SPDX-License-Identifier: Apache-2.0
// Runs the browser tests: npm --prefix ui run e2e [-- chat kill …] [--grep words]
// Names are those of the files here; the last line says how many tests passed and failed.
import { readdirSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HERE = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: "string" }, jobs: { type: "string", default: "2" } } });

const known = readdirSync(HERE).filter((name) => name.endsWith(".test.mjs")).map((name) => name.slice(0, -".test.mjs".length));
const unknown = positionals.find((name) => !known.includes(name));
if (unknown) {
  console.error(`There is no theme "${unknown}". Themes: ${known.join(", ")}.`);
  process.exit(2);
}
// The longest first, so that none is left running alone at the end.
const LONG = ["a11y", "layout", "providers", "kill", "confirmation", "chat", "stage", "aimock"];
const rank = (name) => (LONG.includes(name) ? LONG.indexOf(name) : LONG.length);
const files = (positionals.length > 0 ? positionals : known).toSorted((a, b) => rank(a) - rank(b)).map((name) => join(HERE, `${name}.test.mjs`));

let passed = 0;
let failed = 0;
const stream = run({ files, concurrency: Number(values.jobs), ...(values.grep ? { testNamePatterns: [new RegExp(values.grep, "i")] } : {}) });
stream.on("test:pass", (event) => {
  if (event.details.type !== "suite" && event.skip === undefined && event.todo === undefined) passed += 1;
});
stream.on("test:fail", (event) => {
  if (event.details.type !== "suite") failed += 1;
});
const again = [];
stream.on("test:diagnostic", ({ message }) => {
  if (message.startsWith("SECOND TRY ")) again.push(message.slice("SECOND TRY ".length));
});
stream.compose(new spec()).pipe(process.stdout);
// When all else has been said.
process.on("exit", () => {
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  if (again.length > 0) writeSync(1, `\nNeeded a second try, and are to be looked into:\n  ${again.join("\n  ")}\n`);
  writeSync(1, `\n${passed} passed, ${failed} failed\n`);
});
