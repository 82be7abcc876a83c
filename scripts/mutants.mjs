// SPDX-License-Identifier: Apache-2.0
// npm run mutants: changes the gate in small ways, one at a time, and looks whether a test notices.
//   npm run mutants [-- FILE…]
// FILE is a part of a path in crates/policy, as in `src/gate.rs`; all of it by default. What no test notices is printed, and is
// wrong unless scripts/mutants.json says why it is not: `{ "name": "reason" }`, where a name is as cargo-mutants prints it,
// without its line and column. A name in it that no longer survives is wrong, too, when all files were looked at.
// The copies it works on and what it found are in the folder for temporary files.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machineOutput, ROOT, run } from "./lib/process.mjs";
import { judge } from "./lib/mutants.mjs";

const EXPLAINED = join(ROOT, "scripts", "mutants.json");

if (!machineOutput("cargo", ["mutants", "--version"])) {
  console.error("cargo-mutants is missing. Install it with: cargo install cargo-mutants --locked");
  process.exit(1);
}
const files = process.argv.slice(2).flatMap((file) => ["--file", `**/policy/${file}`]);
const out = mkdtempSync(join(tmpdir(), "mutants-"));
const code = await run("cargo", ["mutants", "--package", "bailey-policy", "--output", out, "--no-shuffle", "--gitignore", "true", "--colors", "never", ...files], {
  // A target folder of its own would be inherited by the copies and shared with other builds.
  env: { ...process.env, CARGO_TARGET_DIR: join(out, "target") },
});
const listed = (name) => {
  const path = join(out, "mutants.out", `${name}.txt`);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
};
const [missed, hung] = [listed("missed"), listed("timeout")];
rmSync(out, { recursive: true, force: true });
// 0: all were noticed, 2: some were missed, 3: some hung. All else means that it did not come to an end.
if (![0, 2, 3].includes(code)) {
  console.error(`cargo-mutants ended with ${code}: nothing is known.`);
  process.exit(1);
}
const { unexplained, stale } = judge([...missed, ...hung], JSON.parse(readFileSync(EXPLAINED, "utf8")), files.length === 0);
for (const mutant of unexplained) console.error(`No test notices: ${mutant}`);
for (const name of stale) console.error(`No longer survives, take it out of scripts/mutants.json: ${name}`);
process.exitCode = unexplained.length + stale.length === 0 ? 0 : 1;
