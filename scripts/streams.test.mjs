// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { figures, table } from "./lib/streams.mjs";

test("the figures of every reader are found in what it prints", () => {
  const text = [
    "bailey text chunks=100000 text=690000 args=0 ms=80.0 kchunks/s=1250",
    "async-openai tool chunks=100004 text=0 args=1 ms=400.1 kchunks/s=248 MB/s=50.0",
    "node-openai text chunks 100002 text 690000 args 0 ms 1400 kchunks/s 71.4",
    "• something else text",
  ].join("\n");
  assert.deepEqual(figures(text), [
    { name: "bailey", kind: "text", rate: 1250 },
    { name: "async-openai", kind: "tool", rate: 248 },
    { name: "node-openai", kind: "text", rate: 71.4 },
  ]);
});

test("the table says how many times faster Bailey is", () => {
  const rates = [
    { name: "bailey", kind: "text", rate: 700 },
    { name: "bailey", kind: "tool", rate: 900 },
    { name: "bailey", kind: "text", rate: 1000 },
    { name: "peer", kind: "text", rate: 250 },
  ];
  const lines = table(rates, [{ name: "bailey", title: "B" }, { name: "peer", title: "P" }, { name: "absent", title: "A" }]).split("\n");
  assert.deepEqual(lines.slice(2), ["| B | 1000 | 900 |  |  |", "| P | 250 |  | 4.0× |  |"]);
});
