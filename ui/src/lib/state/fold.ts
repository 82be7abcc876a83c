// SPDX-License-Identifier: Apache-2.0
// Folds what the backend says into what is shown. Pure: no clock, no IO, nothing changed in place.
import type { Ask, Block, ConversationSummary, Delta, Event, Message, RunView, StreamMessage } from "$lib/backend/bindings";
import { EMPTY, isOver, type OpenAsk, type Opened, type OpenedView, type SeenRun, type World } from "./world";

const without = <T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> => {
  if (!(key in record)) return record;
  const { [key]: _gone, ...rest } = record;
  return rest;
};

const openAsk = (ask: Ask, now: number): OpenAsk => ({ ...ask, until: ask.left_ms === null ? null : now + ask.left_ms });

const seenRun = (run: RunView, now: number): SeenRun => (run.retrying ? { ...run, retryAt: now + run.retrying.wait_ms } : run);

/** Folds messages of the stream, in order; `now` is the page's monotonic clock in milliseconds. */
export function fold(world: World, messages: readonly StreamMessage[], now: number): World {
  let next = world;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!;
    if (message.type === "snapshot") next = takeSnapshot(next, message, now);
    else if (message.event.type === "delta") {
      // Deltas of one text in a row cost one copy of the branch, not one each.
      let delta = message.event.delta;
      for (let ahead = messages[i + 1]; ahead?.type === "event" && ahead.event.type === "delta"; ahead = messages[i + 1]) {
        const other = ahead.event.delta;
        if (other.message !== delta.message || other.kind !== delta.kind || other.kind === "call") break;
        delta = { ...delta, text: delta.text + other.text };
        i++;
      }
      next = takeDelta(next, delta);
    } else next = takeEvent(next, message.event, now);
  }
  return next;
}

function takeSnapshot(world: World, { snapshot }: Extract<StreamMessage, { type: "snapshot" }>, now: number): World {
  const runs: Record<string, SeenRun> = {};
  const streaming: Record<string, Message> = {};
  for (const live of snapshot.live) {
    runs[live.run.id] = seenRun(live.run, now);
    if (live.streaming) streaming[live.streaming.id] = live.streaming;
  }
  const opened: Record<string, Opened> = {};
  for (const [id, conversation] of Object.entries(world.opened)) opened[id] = { ...conversation, stale: true };
  return {
    ...EMPTY,
    ready: true,
    snapshots: world.snapshots + 1,
    version: snapshot.version,
    settings: snapshot.settings,
    conversations: sorted(snapshot.conversations),
    asks: snapshot.asks.map((ask) => openAsk(ask, now)),
    notesWaiting: snapshot.notes_waiting,
    notesChanged: world.notesChanged + 1,
    grantsChanged: world.grantsChanged + 1,
    runs,
    streaming,
    opened,
    opening: world.opening,
  };
}

function takeEvent(world: World, event: Exclude<Event, { type: "delta" }>, now: number): World {
  switch (event.type) {
    case "conversation":
      return { ...world, conversations: sorted([event.conversation, ...world.conversations.filter((c) => c.id !== event.conversation.id)]) };
    case "conversation_removed":
      return {
        ...world,
        conversations: world.conversations.filter((c) => c.id !== event.id),
        asks: world.asks.filter((ask) => ask.conversation !== event.id),
        opened: without(world.opened, event.id),
      };
    case "message":
      return takeMessage(world, event.message);
    case "run":
      return takeRun(world, seenRun(event.run, now));
    case "ask_opened":
      return { ...world, asks: [...world.asks.filter((ask) => ask.id !== event.ask.id), openAsk(event.ask, now)] };
    case "ask_closed":
      return { ...world, asks: world.asks.filter((ask) => ask.id !== event.id) };
    case "notes":
      return { ...world, notesWaiting: event.waiting, notesChanged: world.notesChanged + 1 };
    case "grants":
      return { ...world, grantsChanged: world.grantsChanged + 1 };
    case "settings":
      return { ...world, settings: event.settings };
    default:
      // A newer backend may say more than this page knows.
      return world;
  }
}

function takeRun(world: World, run: SeenRun): World {
  const opened = world.opened[run.conversation];
  return {
    ...world,
    runs: { ...world.runs, [run.id]: run },
    opened: opened ? { ...world.opened, [run.conversation]: { ...opened, runs: { ...opened.runs, [run.id]: run } } } : world.opened,
  };
}

function takeMessage(world: World, message: Message): World {
  const { conversation, id } = message;
  const streaming = message.status === "streaming" ? { ...world.streaming, [id]: message } : without(world.streaming, id);
  const waiting = world.opening[conversation];
  const opening = waiting ? { ...world.opening, [conversation]: [...waiting, message] } : world.opening;
  const opened = world.opened[conversation];
  return {
    ...world,
    streaming,
    writing: without(world.writing, id),
    opening,
    opened: opened ? { ...world.opened, [conversation]: place(opened, message) } : world.opened,
  };
}

/**
 * Puts a message where it belongs in a branch: over itself, or after the head. A message that forks off this branch, or
 * that the person wrote elsewhere, makes the branch stale; what a run does on a branch that is not shown does not.
 */
function place(opened: Opened, message: Message): Opened {
  const { messages } = opened;
  const at = messages.findLastIndex((other) => other.id === message.id);
  if (at >= 0) return { ...opened, messages: messages.with(at, message) };
  const head = messages.at(-1)?.id ?? null;
  if (message.parent === head) return { ...opened, messages: [...messages, message] };
  const parent = message.parent === null ? -1 : messages.findLastIndex((other) => other.id === message.parent);
  const forks = parent >= 0 || message.parent === null;
  const known = forks ? messages[parent + 1]?.siblings?.includes(message.id) === true : message.role === "assistant";
  return known ? opened : { ...opened, stale: true };
}

function takeDelta(world: World, delta: Delta): World {
  const known = world.streaming[delta.message];
  if (!known) return world;
  if (delta.kind === "call") return { ...world, writing: { ...world.writing, [delta.message]: delta.text } };
  const message = { ...known, blocks: append(known.blocks, delta.kind === "text" ? "text" : "reasoning", delta.text) };
  const opened = world.opened[delta.conversation];
  const at = opened?.messages.findLastIndex((other) => other.id === delta.message) ?? -1;
  return {
    ...world,
    streaming: { ...world.streaming, [delta.message]: message },
    writing: without(world.writing, delta.message),
    opened: opened && at >= 0 ? { ...world.opened, [delta.conversation]: { ...opened, messages: opened.messages.with(at, message) } } : world.opened,
  };
}

function append(blocks: readonly Block[], type: "text" | "reasoning", text: string): Block[] {
  const last = blocks.at(-1);
  if (last?.type === type) return [...blocks.slice(0, -1), { ...last, text: last.text + text }];
  return [...blocks, type === "text" ? { type, text } : { type, text, ms: 0 }];
}

/** Notes that a conversation is being opened: messages that come before the answer are kept for it. */
export function beginOpening(world: World, conversation: string): World {
  return { ...world, opening: { ...world.opening, [conversation]: [] } };
}

/** Notes that a conversation could not be opened. */
export function giveUpOpening(world: World, conversation: string): World {
  return { ...world, opening: without(world.opening, conversation) };
}

/** Takes what `conversation_open` or `branch_select` answered with. Events that overtook the answer win over it. */
export function takeOpened(world: World, view: OpenedView): World {
  const id = view.summary.id;
  const runs: Record<string, SeenRun> = {};
  for (const run of view.runs) {
    const seen = world.runs[run.id];
    // A run never comes back from its end, so the end wins whoever says it.
    runs[run.id] = seen && !(isOver(run) && !isOver(seen)) ? seen : run;
  }
  let opened: Opened = { messages: view.messages.map((message) => (message.status === "streaming" ? (world.streaming[message.id] ?? message) : message)), runs, stale: false };
  for (const message of world.opening[id] ?? []) opened = place(opened, world.streaming[message.id] ?? message);
  for (const message of Object.values(world.streaming)) {
    if (message.conversation === id && message.parent === (opened.messages.at(-1)?.id ?? null)) opened = place(opened, message);
  }
  return { ...world, opening: without(world.opening, id), opened: { ...world.opened, [id]: opened } };
}

/** Lets go of opened conversations that are not in `keep`. */
export function forget(world: World, keep: readonly string[]): World {
  const opened = Object.fromEntries(Object.entries(world.opened).filter(([id]) => keep.includes(id)));
  return { ...world, opened };
}

/** Newest first. Events mostly touch the newest, so this is nearly always sorted already. */
function sorted(conversations: readonly ConversationSummary[]): readonly ConversationSummary[] {
  return [...conversations].sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1));
}
