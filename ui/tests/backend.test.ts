// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { CommandError } from "$lib/backend";
import type { StreamMessage } from "$lib/backend/bindings";
import { backoff, Position } from "$lib/backend/position";

const event = (seq: number) => ({ type: "event", seq, event: { type: "conversation_removed", id: "x" } }) as StreamMessage;
const snapshot = (epoch: string, seq: number) => ({ type: "snapshot", epoch, seq, snapshot: {} }) as StreamMessage;

describe("the position in the stream", () => {
  it("follows snapshots and events", () => {
    const position = new Position();
    expect(position.note(snapshot("a", 7))).toBe("next");
    expect(position.note(event(8))).toBe("next");
    expect([position.epoch, position.since]).toEqual(["a", 8]);
    expect(position.note(snapshot("b", 2))).toBe("next");
    expect([position.epoch, position.since]).toEqual(["b", 2]);
  });

  it("knows an event it has seen and one that is missing", () => {
    const position = new Position();
    position.note(snapshot("a", 7));
    expect(position.note(event(7))).toBe("seen");
    expect(position.note(event(9))).toBe("gap");
    expect(position.since).toBe(7);
    position.forget();
    expect([position.epoch, position.since]).toEqual(["", 0]);
  });
});

it("attempts are quick at first and never more than some seconds apart", () => {
  const waits = [0, 1, 2, 3, 4, 5, 50].map((attempt) => backoff(attempt, 0.5));
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
  expect(backoff(50, 1)).toBeLessThanOrEqual(6250);
  expect(backoff(0, 0)).toBeGreaterThan(100);
});

it("a failed command keeps what it was told, whatever shape that has", () => {
  expect(CommandError.from({ code: "busy", message: "m" })).toMatchObject({ code: "busy", message: "m" });
  expect(CommandError.from("nope")).toMatchObject({ code: "internal", message: "nope" });
  expect(CommandError.from(null).code).toBe("internal");
  const error = new CommandError("offline", "x");
  expect(CommandError.from(error)).toBe(error);
});
