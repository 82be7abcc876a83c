// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, named } from "./lib/mutants.mjs";

const SURVIVOR = "src-tauri/crates/policy/src/gate.rs:12:5: replace gate -> Verdict with Default::default()";
const NAME = "src-tauri/crates/policy/src/gate.rs: replace gate -> Verdict with Default::default()";

test("a mutant's name does not move with its line", () => assert.equal(named(SURVIVOR), NAME));

test("a survivor needs a reason, and a reason a survivor", () => {
  assert.deepEqual(judge([SURVIVOR], {}, true), { unexplained: [SURVIVOR], stale: [] });
  assert.deepEqual(judge([SURVIVOR], { [NAME]: " " }, true), { unexplained: [SURVIVOR], stale: [] });
  assert.deepEqual(judge([SURVIVOR], { [NAME]: "the same" }, true), { unexplained: [], stale: [] });
  assert.deepEqual(judge([], { [NAME]: "the same" }, true), { unexplained: [], stale: [NAME] });
  assert.deepEqual(judge([], { [NAME]: "the same" }, false), { unexplained: [], stale: [] });
});
