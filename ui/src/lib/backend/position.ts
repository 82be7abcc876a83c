// SPDX-License-Identifier: Apache-2.0
import type { StreamMessage } from "./bindings";

/** How far a subscriber has read: what it asks for when it connects again. */
export class Position {
  /** The process the sequence numbers belong to; empty before the first snapshot. */
  epoch = "";
  /** The last event seen. */
  since = 0;

  /** Notes a message; says whether one before it is missing. */
  note(message: StreamMessage): "next" | "seen" | "gap" {
    if (message.type === "snapshot") {
      this.epoch = message.epoch;
      this.since = message.seq;
      return "next";
    }
    if (message.seq <= this.since) return "seen";
    const gap = message.seq > this.since + 1;
    if (!gap) this.since = message.seq;
    return gap ? "gap" : "next";
  }

  /** Forgets everything, so that the next connection begins with a snapshot. */
  forget(): void {
    this.epoch = "";
    this.since = 0;
  }
}

/** Milliseconds to wait before attempt `n` (from 0): quick at first, then every five seconds, spread so that tabs do not march in step. */
export function backoff(attempt: number, random = Math.random()): number {
  return Math.min(5000, 250 * 2 ** attempt) * (0.75 + random * 0.5);
}
