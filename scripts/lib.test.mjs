// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { countPackages, packageName, progressLine } from "./lib/cargo.mjs";
import { countTests, table } from "./lib/count.mjs";
import { become, capture, duration } from "./lib/process.mjs";
import { filesUnder, hashFiles, readStamp, writeStamp } from "./lib/stamp.mjs";
import { uiInputs } from "./lib/ui.mjs";

test("tests are counted in what each runner prints", () => {
  const cargo = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured\n\ntest result: FAILED. 3 passed; 2 failed; 0 ignored\n";
  assert.deepEqual(countTests("cargo", cargo, 101), { passed: 15, failed: 2 });
  const vitest = "\x1b[2m Test Files \x1b[22m 1 failed | 6 passed (7)\n\x1b[2m      Tests \x1b[22m \x1b[31m2 failed\x1b[39m | \x1b[32m58 passed\x1b[39m (60)\n";
  assert.deepEqual(countTests("vitest", vitest, 1), { passed: 58, failed: 2 });
  assert.deepEqual(countTests("node", "ℹ tests 9\nℹ pass 8\nℹ fail 1\n", 1), { passed: 8, failed: 1 });
  assert.deepEqual(countTests("node", "# pass 8\n# fail 0\n", 0), { passed: 8, failed: 0 });
  assert.deepEqual(countTests("plain", "42 passed, 0 failed\n", 0), { passed: 42, failed: 0 });
});

test("a step that failed counts as a failure, and so does a runner that ran nothing", () => {
  assert.deepEqual(countTests("cargo", "error: could not compile", 101), { passed: 0, failed: 1 });
  assert.deepEqual(countTests("cargo", "test result: ok. 4 passed; 0 failed", 1), { passed: 4, failed: 1 });
  assert.deepEqual(countTests("node", "", 0), { passed: 0, failed: 1 });
  assert.deepEqual(countTests(undefined, "", 0), { passed: 1, failed: 0 });
  assert.deepEqual(countTests(undefined, "", 2), { passed: 0, failed: 1 });
});

test("columns line up", () => {
  assert.equal(table([["a", "bbb", ""], ["aaaa", "b", "x"]]), "a     bbb\naaaa  b    x");
});

test("durations are read as people say them", () => {
  for (const [ms, text] of [[0, "0 s"], [59_400, "59 s"], [59_600, "1 min 00 s"], [754_000, "12 min 34 s"]]) assert.equal(duration(ms), text);
});

test("cargo's progress", () => {
  const tree = "bailey-server v0.1.0 (/x)\nserde v1.0.1\nserde v1.0.1 (*)\nserde v2.0.0\n\n";
  assert.equal(countPackages(tree), 3);
  assert.equal(packageName("registry+https://example.org/index#serde@1.0.1"), "serde");
  assert.equal(packageName("path+file:///x/crates/store#bailey-store@0.1.0"), "bailey-store");
  assert.equal(packageName("path+file:///x/crates/store#0.1.0"), "store");
  assert.equal(progressLine(3, 200, "serde", 65_000), "  3 of 200 packages, 1 min 05 s (serde)");
  assert.equal(progressLine(3, 0, "", 1000), "  3 packages, 1 s");
});

function scratch(context, files) {
  const folder = mkdtempSync(join(tmpdir(), "bailey-scripts-"));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("a hash changes with a file's content and with its name, and with nothing else", (context) => {
  const hash = (files) => {
    const folder = scratch(context, files);
    return hashFiles(folder, filesUnder(folder, ["src", "one", "gone"], (path) => path.endsWith(".tmp")));
  };
  const first = hash({ "src/a.ts": "a", "src/b/c.ts": "c", one: "1" });
  assert.equal(hash({ "src/a.ts": "a", "src/b/c.ts": "c", one: "1", "src/x.tmp": "x", elsewhere: "e" }), first);
  assert.notEqual(hash({ "src/a.ts": "A", "src/b/c.ts": "c", one: "1" }), first);
  assert.notEqual(hash({ "src/a2.ts": "a", "src/b/c.ts": "c", one: "1" }), first);
  assert.notEqual(hash({ "src/a.ts": "ac", "src/b/c.ts": "", one: "1" }), first);
});

test("a stamp is kept, and a missing one is empty", (context) => {
  const path = join(scratch(context, {}), "deep", "stamp");
  assert.equal(readStamp(path), "");
  writeStamp(path, "abc");
  assert.equal(readStamp(path), "abc");
});

test("what the UI's build writes is not among its inputs", (context) => {
  const folder = scratch(context, {
    "src/main.ts": "",
    "src/lib/paraglide/messages.js": "",
    "project.inlang/settings.json": "",
    "project.inlang/cache/x.js": "",
    "dist/index.html": "",
    "e2e/run.mjs": "",
    "index.html": "",
  });
  assert.deepEqual(uiInputs(folder), ["index.html", "project.inlang/settings.json", "src/main.ts"]);
});

test("a captured program gives its output and exit code", async () => {
  const script = "process.stdout.write('out'); process.stderr.write('err'); process.exit(3)";
  const { code, text } = await capture(process.execPath, ["-e", script], { quiet: true });
  assert.equal(code, 3);
  assert.deepEqual([text.includes("out"), text.includes("err")], [true, true]);
  assert.equal((await capture("no-such-program-of-ours", [], { quiet: true })).code, 127);
});

test("a program in our place gives us its exit code", async () => {
  assert.equal(await become(process.execPath, ["-e", "process.exit(7)"], { stdio: "ignore" }), 7);
  if (process.platform !== "win32") assert.equal(await become(process.execPath, ["-e", "process.kill(process.pid, 'SIGTERM')"], { stdio: "ignore" }), 143);
});
