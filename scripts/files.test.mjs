// SPDX-License-Identifier: Apache-2.0
// What every file of the repository must have, and must not.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { machineOutput, ROOT } from "./lib/process.mjs";

const SOURCE = /\.(rs|ts|js|mjs|cjs|svelte|css|html|svg|sql|kt|kts|toml|yml|yaml|sh)$|^\.ci\/run$/;
// Written by tools, which would drop the line.
const WRITTEN_BY_TOOLS = /(^|\/)(project\.inlang\/|\.sqlx\/)/;
const HEADER = /SPDX-License-Identifier: Apache-2\.0\b/;

/** Files with text in them that git has or would take, with `/` between the parts. */
function files() {
  const listed = machineOutput("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
  assert.ok(listed, "git lists the files");
  return listed.split("\0").filter((path) => path && existsSync(join(ROOT, path)));
}

/** Whether a source file says its licence in its first three lines. */
export const hasHeader = (text) => text.split("\n").slice(0, 3).some((line) => HEADER.test(line));

// Put together from pieces, so that this file does not find itself.
const HOSTS = ["registry.npmjs" + ".org", "registry.yarnpkg" + ".com", "index.crates" + ".io", "static.crates" + ".io", "pypi" + ".org", "files.pythonhosted" + ".org", "proxy.golang" + ".org", "repo1?.maven" + "[.a-z]*\\.org", "deb.debian" + ".org"];
const FORBIDDEN = [
  // A checkout's folder, or what lies hidden in a home folder, as tools write it into their output. Made-up paths are fine.
  { what: "a path of somebody's machine", pattern: /(?<![\w.~/-])\/(work\/[\w.-]|(root|(home|Users)\/[\w.-]+)\/\.\w)/ },
  { what: "the host of a package registry", pattern: new RegExp(HOSTS.map((host) => host.replace(/(?<!\\)\.(?=\w)/g, "\\.")).join("|")) },
];

/** What must not be in a file: `{ line, what }` each. */
export function forbidden(text) {
  return text.split("\n").flatMap((line, at) => FORBIDDEN.filter(({ pattern }) => pattern.test(line)).map(({ what }) => ({ line: at + 1, what })));
}

test("every source file says its licence", () => {
  const bare = files().filter((path) => SOURCE.test(path) && !WRITTEN_BY_TOOLS.test(path) && !hasHeader(readFileSync(join(ROOT, path), "utf8")));
  assert.deepEqual(bare, []);
});

test("no file names a machine's own paths or a package registry", () => {
  const found = [];
  for (const path of files()) {
    const bytes = readFileSync(join(ROOT, path));
    if (bytes.includes(0)) continue;
    for (const { line, what } of forbidden(bytes.toString("utf8"))) found.push(`${path}:${line}: ${what}`);
  }
  assert.deepEqual(found, []);
});

test("Cargo.lock takes crates from the default registry or this repository only", () => {
  const sources = readFileSync(join(ROOT, "Cargo.lock"), "utf8").match(/^source = .*$/gm);
  assert.deepEqual([...new Set(sources)], ['source = "registry+https://github.com/rust-lang/crates.io-index"']);
});

test("npm's lock files record no addresses", () => {
  const locks = files().filter((path) => path.endsWith("package-lock.json"));
  assert.ok(locks.includes("ui/package-lock.json"), "the UI's lock file is there");
  for (const path of locks) assert.doesNotMatch(readFileSync(join(ROOT, path), "utf8"), /"resolved": "https?:/, path);
});

test("the licence is Apache 2.0, whole", () => {
  const text = readFileSync(join(ROOT, "LICENSE"), "utf8");
  assert.match(text, /Apache License\s+Version 2\.0, January 2004/);
  assert.match(text, /9\. Accepting Warranty or Additional Liability/);
  assert.match(text, /END OF TERMS AND CONDITIONS/);
});

test("the header and the forbidden words are recognised", () => {
  assert.ok(hasHeader("#!/usr/bin/env node\n// SPDX-License-Identifier: Apache-2.0\n"));
  assert.ok(!hasHeader("// SPDX-License-Identifier: MIT\n"));
  assert.ok(!hasHeader("\n\n\n// SPDX-License-Identifier: Apache-2.0\n"));
  for (const path of ["root/.cargo/x", "home/ana/.npm", "Users/ana/.config/y", "work/main"])
    assert.deepEqual(forbidden(`a\nopen /${path}`), [{ line: 2, what: "a path of somebody's machine" }], path);
  assert.deepEqual(forbidden(`"https://${HOSTS[0]}/x"`), [{ line: 1, what: "the host of a package registry" }]);
  assert.deepEqual(forbidden("https://example.org/home/page and ../work/x and /root/files and /home/ana/notes.md"), []);
});
