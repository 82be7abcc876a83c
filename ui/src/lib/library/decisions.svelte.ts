// SPDX-License-Identifier: Apache-2.0
import { call, CommandError, type NoteView } from "$lib/backend";
import { app } from "$lib/state/app.svelte";

/** What a person can decide of a note. */
export type Decision = "keep" | "forget";

/** So long a decision can be taken back, in milliseconds. */
const UNDO_MS = 8000;
/** A decision that is being looked at waits so much longer, in milliseconds. */
const LONGER_MS = 2000;

/**
 * Decisions about notes. Neither can be taken back once it is done, so each is done only when the time to undo it is over,
 * or the person leaves. `done` is told what became of the note: `undefined` when it is gone. `watched` says whether the
 * person is at it.
 */
export class Decisions {
  #made = $state.raw<ReadonlyMap<number, Decision>>(new Map());
  #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #done: (id: number, note: NoteView | undefined) => void;
  #watched: (id: number) => boolean;

  constructor(done: (id: number, note: NoteView | undefined) => void, watched: (id: number) => boolean) {
    this.#done = done;
    this.#watched = watched;
  }

  /** What was decided of a note, as long as it can be undone. */
  of(id: number): Decision | undefined {
    return this.#made.get(id);
  }

  /** Decides. */
  make(id: number, decision: Decision): void {
    this.#made = new Map(this.#made).set(id, decision);
    this.#arm(id, UNDO_MS);
  }

  /** Takes a decision back. */
  undo(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const rest = new Map(this.#made);
    rest.delete(id);
    this.#made = rest;
  }

  /** Does all that is still open, now. */
  settle(): void {
    for (const id of this.#made.keys()) void this.#carryOut(id);
  }

  #arm(id: number, ms: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.set(id, setTimeout(() => (this.#watched(id) ? this.#arm(id, LONGER_MS) : void this.#carryOut(id)), ms));
  }

  async #carryOut(id: number): Promise<void> {
    const decision = this.#made.get(id);
    if (!decision || !this.#timers.has(id)) return;
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    try {
      const kept = decision === "keep" ? await call("note_keep", { note: id }) : undefined;
      if (decision === "forget") await call("note_forget", { note: id });
      this.#done(id, kept);
    } catch (error) {
      // Somebody else was quicker.
      if (CommandError.from(error).code === "not_found") this.#done(id, undefined);
      else app.complain(error);
    } finally {
      this.undo(id);
    }
  }
}
