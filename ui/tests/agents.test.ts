// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Block, Labels, Message, RunView } from "$lib/backend/bindings";
import { agentOf, childrenOf, conversationOf, parentOf } from "$lib/state/agents";
import { answerText, messageLabels } from "$lib/state/branch";
import { EMPTY, type World } from "$lib/state/world";

const NONE: Labels = { outside: [], private: [] };
const run = (id: string, conversation: string, started: number, parent?: string, call?: string): RunView => ({
  id, conversation, mode: "act", state: "done", started, ledger: { rounds: 0, calls: 0, active_ms: 0, cost: 0 }, budget: { rounds: 1, calls: 1, active_ms: null }, resumed: false, unattended: false, compressed: false, ...(parent ? { parent } : {}), ...(call ? { call } : {}),
});
const message = (id: string, blocks: Block[], more: Partial<Message> = {}): Message => ({ id, conversation: "c", parent: null, run: "r", role: "assistant", status: "complete", at: 0, blocks, labels: NONE, ...more });

describe("sub-agents", () => {
  const world: World = {
    ...EMPTY,
    runs: { r: run("r", "c", 0), k2: run("k2", "child-2", 20, "r", "two"), other: run("other", "x", 1, "q") },
    opened: { c: { messages: [], runs: { r: run("r", "c", 0), k1: run("k1", "child-1", 10, "r", "one") }, stale: false } },
  };

  it("are those of a run, in the order they began, wherever they were seen", () => {
    expect(childrenOf(world, "r").map(({ id }) => id)).toEqual(["k1", "k2"]);
    expect(childrenOf(world, "none")).toEqual([]);
  });

  it("belong to the calls that started them", () => {
    expect(["one", "no", "two"].map((call) => agentOf(world, "r", call))).toEqual(["child-1", undefined, "child-2"]);
  });

  it("have a chat that knows whose it is", () => {
    const opened = { messages: [], runs: { k1: run("k1", "child-1", 10, "r") }, stale: false };
    expect([parentOf(opened, "child-1"), parentOf(world.opened["c"], "c"), parentOf(undefined, "c")]).toEqual(["r", undefined, undefined]);
    expect([conversationOf(world, "r"), conversationOf(world, "k1"), conversationOf(world, "nobody")]).toEqual(["c", "child-1", undefined]);
  });
});

describe("the marks of a message", () => {
  const page = { tool: "web_read", detail: "a.example" };
  it("are its own and those of all in it, each once", () => {
    const labels = messageLabels(message("m", [
      { type: "call", call: { id: "k", provider_id: "k", tool: "web_read", arguments: {}, state: "done", ms: 1, parts: [{ text: "x", labels: { outside: [page], private: [{ tool: "memory_search" }] } }, { text: "y", labels: { outside: [{ ...page }], private: [] } }] } },
      { type: "item", kind: "web_search_call", data: {} },
      { type: "picture", picture: { id: "p", name: "a.png", media_type: "image/png", width: 1, height: 1, labels: { outside: [{ tool: "attachment", detail: "a.png" }], private: [] } } },
    ], { labels: { outside: [page], private: [] } }));
    expect(labels.outside).toEqual([page, { tool: "provider", detail: "web_search_call" }, { tool: "attachment", detail: "a.png" }]);
    expect(labels.private).toEqual([{ tool: "memory_search" }]);
    expect(messageLabels(message("n", []))).toEqual(NONE);
  });
});

it("a summary is no part of the answer that is copied", () => {
  const branch = [message("u", [], { role: "user" }), message("s", [{ type: "text", text: "Before: …" }], { summary: "used" }), message("a", [{ type: "text", text: "The answer." }])];
  expect(answerText(branch, 2)).toBe("The answer.");
});
