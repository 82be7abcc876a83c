// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { articleFigures, articleTable } from "./lib/articles.mjs";

const PRINTED = [
  "bailey articles pages=121 f1=0.9785 precision=0.9733 recall=0.9837 ms=3.00",
  "something else",
  "dom_smoothie articles pages=121 f1=0.9570 precision=0.9290 recall=0.9868 ms=2.50",
].join("\n");

test("the figures of both readers are found", () => {
  assert.deepEqual(articleFigures(PRINTED), [
    { name: "bailey", pages: 121, f1: 0.9785, precision: 0.9733, recall: 0.9837, ms: 3 },
    { name: "dom_smoothie", pages: 121, f1: 0.957, precision: 0.929, recall: 0.9868, ms: 2.5 },
  ]);
});

test("the table says how the times compare", () => {
  const lines = articleTable(articleFigures(PRINTED)).split("\n");
  assert.match(lines[2], /\*\*Bailey\*\*.* \| 0\.979 \| 0\.973 \| 0\.984 \| 3\.00 \| 1\.20× \|$/);
  assert.match(lines[3], /^\| dom_smoothie by itself \| 0\.957 \| .* \| 1\.00× \|$/);
});
