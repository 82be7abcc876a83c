// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Call, Message } from "$lib/backend/bindings";
import { answerText, asked, endsRun, firstAnswer, isLastPlan, planSteps } from "$lib/state/branch";

const call = (id: string, tool: string, args: unknown, state: Call["state"] = "done"): Call => ({ id, provider_id: id, tool, arguments: args, state, parts: [], ms: 0 });
const plan = (id: string, state: Call["state"] = "done") => call(id, "plan_update", { steps: [{ title: "t", status: "done" }] }, state);
const message = (id: string, run: string, role: Message["role"], text: string, ...calls: Call[]): Message => ({
  id, conversation: "c", parent: null, run, role, status: "complete", at: 0, labels: { outside: [], private: [] },
  blocks: [...(text ? [{ type: "text" as const, text }] : []), ...calls.map((each) => ({ type: "call" as const, call: each }))],
});

const branch = [
  message("u1", "r1", "user", "ask"), message("a1", "r1", "assistant", "one", plan("p1")), message("a2", "r1", "assistant", "two", plan("p2"), plan("p3")),
  message("u2", "r2", "user", "again"), message("a3", "r2", "assistant", "three", plan("p4"), plan("p5", "denied")),
];

describe("a branch", () => {
  it("knows where runs end", () => {
    expect(branch.map((_, i) => endsRun(branch, i))).toEqual([false, false, true, false, true]);
    expect(endsRun([branch[0]!], 0)).toBe(true);
  });

  it("finds the first answer of a run and what was asked", () => {
    expect(firstAnswer(branch, 2).id).toBe("a1");
    expect(firstAnswer(branch, 4).id).toBe("a3");
    expect(asked(branch, 2)!.id).toBe("u1");
    expect(asked(branch, 4)!.id).toBe("u2");
  });

  it("copies all a run wrote", () => {
    expect(answerText(branch, 2)).toBe("one\n\ntwo");
    expect(answerText(branch, 4)).toBe("three");
  });

  it("draws one plan a run, its last that was let through", () => {
    const drawn = branch.flatMap((each, i) => each.blocks.flatMap((block) => (block.type === "call" && block.call.state !== "denied" && isLastPlan(branch, i, block.call) ? [block.call.id] : [])));
    expect(drawn).toEqual(["p3", "p4"]);
  });

  it("reads steps, also untidy ones", () => {
    expect(planSteps(call("x", "plan_update", { steps: ["a", { title: "b", status: "active" }, { title: "c", status: "odd" }, { no: 1 }, null] }))).toEqual([
      { title: "a", status: "pending" }, { title: "b", status: "active" }, { title: "c", status: "pending" },
    ]);
    expect(planSteps(call("x", "plan_update", "raw"))).toBeUndefined();
    expect(planSteps(call("x", "compute", { steps: [] }))).toBeUndefined();
  });
});
