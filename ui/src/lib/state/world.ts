// SPDX-License-Identifier: Apache-2.0
import type { Ask, ConversationSummary, ConversationView, Message, RunView, Settings } from "$lib/backend/bindings";

/** An open question, with its deadline on the page's own clock. */
export interface OpenAsk extends Ask {
  /** When it runs out, in milliseconds of the clock passed to the fold; `null` waits for ever. */
  readonly until: number | null;
}

/** A run, with the time of its next attempt on the page's own clock. */
export interface SeenRun extends RunView {
  /** While it waits to try again: when it does, in milliseconds of the clock passed to the fold. */
  readonly retryAt?: number;
}

/** Where a question stands among all that are open. */
export interface Queue {
  /** From 1. */
  readonly index: number;
  readonly total: number;
}

/** A conversation as it is shown: the active branch. */
export interface Opened {
  /** The active branch from the root on. */
  readonly messages: readonly Message[];
  /** Runs seen in it, by id. */
  readonly runs: Readonly<Record<string, SeenRun>>;
  /** What is shown may no longer be the active branch: ask again. */
  readonly stale: boolean;
}

/** Everything the face shows. Made only by the functions of `fold.ts`; never changed in place. */
export interface World {
  /** Whether a snapshot has come. */
  readonly ready: boolean;
  /** Counts snapshots: what was opened under an earlier one has to be opened again. */
  readonly snapshots: number;
  readonly version: string;
  readonly settings: Settings | null;
  /** Newest first. */
  readonly conversations: readonly ConversationSummary[];
  /** Oldest first. */
  readonly asks: readonly OpenAsk[];
  /** Notes that wait for the person to keep them. */
  readonly notesWaiting: number;
  /** Counts changes of notes: a list read under an earlier count has to be read again. */
  readonly notesChanged: number;
  /** Counts changes of permissions, likewise. */
  readonly grantsChanged: number;
  /** Runs seen in events, by id. */
  readonly runs: Readonly<Record<string, SeenRun>>;
  /** Messages being streamed, by id, with all deltas so far: the store may be a second behind. */
  readonly streaming: Readonly<Record<string, Message>>;
  /** The tool whose arguments are being written, by message id. */
  readonly writing: Readonly<Record<string, string>>;
  /** Opened conversations, by id. */
  readonly opened: Readonly<Record<string, Opened>>;
  /** Conversations being opened, with the messages that came meanwhile, oldest first. */
  readonly opening: Readonly<Record<string, readonly Message[]>>;
}

/** Before anything is known. */
export const EMPTY: World = {
  ready: false,
  snapshots: 0,
  version: "",
  settings: null,
  conversations: [],
  asks: [],
  notesWaiting: 0,
  notesChanged: 0,
  grantsChanged: 0,
  runs: {},
  streaming: {},
  writing: {},
  opened: {},
  opening: {},
};

/** Whether a run is over. */
export const isOver = (run: Pick<RunView, "state">): boolean => run.state === "done" || run.state === "failed" || run.state === "stopped";

/** The run of a conversation that is not over. */
export function liveRun(world: World, conversation: string): SeenRun | undefined {
  let live: SeenRun | undefined;
  for (const run of Object.values(world.runs)) if (run.conversation === conversation && !isOver(run)) live = run;
  return live;
}

/** What `conversation_open` answered with, without what the world keeps itself. */
export type OpenedView = Pick<ConversationView, "summary" | "messages" | "runs">;
