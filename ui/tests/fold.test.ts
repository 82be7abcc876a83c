// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Ask, ConversationSummary, Event, Message, RunView, Settings, Snapshot, StreamMessage } from "$lib/backend/bindings";
import { beginOpening, fold, forget, takeOpened } from "$lib/state/fold";
import { EMPTY, liveRun, type World } from "$lib/state/world";

const SETTINGS: Settings = {
  onboarded: true, language: null, theme: "system", accent: "green", default_mode: "chat_plus", default_model: null, providers: [], budgets: {}, shell: false,
  models: [], fallback_model: null, caps: { run: null, day: null }, network: { proxy: "", proxy_user: "", proxy_password: false, roots_pem: "" },
  web: { search: "automatic", searxng: "", search_key: false, fake_ip: false }, keys: { kind: "memory", locked: false, problem: null },
};
const NONE = { outside: [], private: [] };

const summary = (id: string, updated = 1): ConversationSummary => ({ id, title: id, mode: "act", model: null, starred: false, updated, preview: "", run: null, asks: 0 });
const message = (id: string, parent: string | null, more: Partial<Message> = {}): Message => ({
  id, conversation: "c", parent, run: "r", role: "assistant", status: "complete", at: 0, blocks: [], labels: NONE, siblings: [id], ...more,
});
const run = (id: string, state: RunView["state"] = "running", more: Partial<RunView> = {}): RunView => ({
  id, conversation: "c", mode: "act", state, started: 0, ledger: { rounds: 0, calls: 0, active_ms: 0, cost: 0 }, budget: { rounds: 1, calls: 1, active_ms: null }, resumed: false, unattended: false, compressed: false, ...more,
});
const ask = (id: string, left_ms: number | null = 1000): Ask => ({ id, conversation: "c", run: "r", call: "k", kind: { type: "question", question: { question: "?", choices: [] }, labels: NONE }, asked: 0, left_ms });

const snapshot = (more: Partial<Snapshot> = {}): StreamMessage => ({ type: "snapshot", epoch: "e", seq: 0, snapshot: { conversations: [summary("c")], live: [], asks: [], notes_waiting: 0, settings: SETTINGS, version: "1", ...more } });
let seq = 0;
const events = (...list: Event[]): StreamMessage[] => list.map((event) => ({ type: "event", seq: ++seq, event }));
const delta = (text: string, kind: "text" | "reasoning" | "call" = "text", id = "a"): Event => ({ type: "delta", delta: { conversation: "c", message: id, kind, text } });
const ids = (world: World): string[] => world.opened.c!.messages.map((each) => each.id);

const started = (more: Partial<Snapshot> = {}): World => fold(EMPTY, [snapshot(more)], 0);
const opened = (...messages: Message[]): World => takeOpened(beginOpening(started(), "c"), { summary: summary("c"), messages, runs: [] });

describe("a snapshot", () => {
  it("replaces what was known and marks what is open as stale", () => {
    const before = opened(message("u", null, { role: "user" }));
    const after = fold(before, [snapshot({ conversations: [summary("d", 2)], asks: [ask("q", 500)] })], 1000);
    expect(after.conversations.map((each) => each.id)).toEqual(["d"]);
    expect(after.asks[0]!.until).toBe(1500);
    expect(after.opened.c!.stale).toBe(true);
    expect(after.snapshots).toBe(before.snapshots + 1);
  });

  it("brings the runs that go on and the message being written", () => {
    const world = started({ live: [{ run: run("r"), streaming: message("a", "u", { status: "streaming", blocks: [{ type: "text", text: "so " }] }) }] });
    expect(liveRun(world, "c")?.id).toBe("r");
    const later = fold(world, events(delta("far")), 0);
    expect(later.streaming.a!.blocks).toEqual([{ type: "text", text: "so far" }]);
  });
});

describe("conversations", () => {
  it("stand newest first, each once", () => {
    const world = fold(started({ conversations: [summary("a", 1), summary("b", 2)] }), events({ type: "conversation", conversation: summary("a", 3) }), 0);
    expect(world.conversations.map((each) => each.id)).toEqual(["a", "b"]);
  });

  it("take their questions and messages with them when they go", () => {
    const world = fold(fold(opened(message("u", null)), events({ type: "ask_opened", ask: ask("q") }), 0), events({ type: "conversation_removed", id: "c" }), 0);
    expect(world.conversations).toEqual([]);
    expect(world.asks).toEqual([]);
    expect(world.opened.c).toBeUndefined();
  });
});

describe("messages", () => {
  it("extend the branch when they follow its head", () => {
    const world = fold(opened(message("u", null, { role: "user" })), events({ type: "message", message: message("a", "u") }), 0);
    expect(ids(world)).toEqual(["u", "a"]);
    expect(world.opened.c!.stale).toBe(false);
  });

  it("begin a branch that was empty", () => {
    expect(ids(fold(opened(), events({ type: "message", message: message("u", null, { role: "user" }) }), 0))).toEqual(["u"]);
  });

  it("replace themselves", () => {
    const world = fold(opened(message("u", null), message("a", "u", { status: "streaming" })), events({ type: "message", message: message("a", "u", { status: "stopped" }) }), 0);
    expect(world.opened.c!.messages[1]!.status).toBe("stopped");
  });

  it("make the branch stale when a new one forks off it", () => {
    const world = fold(opened(message("u", null, { role: "user" }), message("a", "u")), events({ type: "message", message: message("b", "u") }), 0);
    expect(ids(world)).toEqual(["u", "a"]);
    expect(world.opened.c!.stale).toBe(true);
  });

  it("make it stale when the first message is edited", () => {
    const world = fold(opened(message("u", null, { role: "user" })), events({ type: "message", message: message("v", null, { role: "user" }) }), 0);
    expect(world.opened.c!.stale).toBe(true);
  });

  it("of a branch known to stand beside leave this one alone", () => {
    const world = fold(opened(message("u", null, { role: "user" }), message("a", "u", { siblings: ["b", "a"] })), events({ type: "message", message: message("b", "u") }, { type: "message", message: message("b2", "b") }), 0);
    expect(world.opened.c!.stale).toBe(false);
    expect(ids(world)).toEqual(["u", "a"]);
  });

  it("the person sent elsewhere make it stale", () => {
    const world = fold(opened(message("u", null, { role: "user" })), events({ type: "message", message: message("w", "unseen", { role: "user" }) }), 0);
    expect(world.opened.c!.stale).toBe(true);
  });
});

describe("deltas", () => {
  const streaming = () => fold(opened(message("u", null, { role: "user" })), events({ type: "message", message: message("a", "u", { status: "streaming" }) }), 0);

  it("grow the last block of their kind, or begin one", () => {
    const world = fold(streaming(), events(delta("hm", "reasoning"), delta("m", "reasoning"), delta("Hel"), delta("lo"), delta("again", "reasoning")), 0);
    expect(world.opened.c!.messages[1]!.blocks).toEqual([
      { type: "reasoning", text: "hmm", ms: 0 },
      { type: "text", text: "Hello" },
      { type: "reasoning", text: "again", ms: 0 },
    ]);
    expect(world.streaming.a).toBe(world.opened.c!.messages[1]);
  });

  it("come out the same however they are cut into batches", () => {
    const text = "The quick brown fox jumps over the lazy dog";
    const all = [...text].map((c) => delta(c));
    const once = fold(streaming(), events(...all), 0);
    let bit = streaming();
    for (const each of all) bit = fold(bit, events(each), 0);
    expect(bit.opened.c!.messages).toEqual(once.opened.c!.messages);
    expect(once.opened.c!.messages[1]!.blocks).toEqual([{ type: "text", text }]);
  });

  it("name the tool being written until the message or its text goes on", () => {
    const naming = fold(streaming(), events(delta("compute", "call")), 0);
    expect(naming.writing.a).toBe("compute");
    expect(fold(naming, events({ type: "message", message: message("a", "u") }), 0).writing).toEqual({});
  });

  it("of an unknown message change nothing", () => {
    const world = streaming();
    expect(fold(world, events(delta("x", "text", "ghost")), 0)).toBe(world);
  });

  it("leave every other message as it is, by identity", () => {
    const before = streaming();
    const after = fold(before, events(delta("x")), 0);
    expect(after.opened.c!.messages[0]).toBe(before.opened.c!.messages[0]);
    expect(after.conversations).toBe(before.conversations);
  });
});

describe("an attempt that failed", () => {
  const streaming = () => fold(opened(message("u", null, { role: "user" })), events({ type: "message", message: message("a", "u", { status: "streaming" }) }, delta("hm", "reasoning"), delta("Half an ans")), 0);
  const rolledBack = message("a", "u", { status: "streaming" });

  it("takes back what it wrote, wherever that is kept, and the next one begins anew", () => {
    const before = streaming();
    expect(before.opened.c!.messages[1]!.blocks).toHaveLength(2);
    const after = fold(before, events({ type: "message", message: rolledBack }), 0);
    expect(after.opened.c!.messages[1]!.blocks).toEqual([]);
    expect(after.streaming.a!.blocks).toEqual([]);
    expect(fold(after, events(delta("Whole")), 0).opened.c!.messages[1]!.blocks).toEqual([{ type: "text", text: "Whole" }]);
  });

  it("takes back part of it just the same, and the name of the tool being written", () => {
    const named = fold(streaming(), events(delta("compute", "call")), 0);
    const after = fold(named, events({ type: "message", message: { ...rolledBack, blocks: [{ type: "reasoning", text: "hm", ms: 10 }] } }), 0);
    expect(after.opened.c!.messages[1]!.blocks).toEqual([{ type: "reasoning", text: "hm", ms: 10 }]);
    expect(after.writing).toEqual({});
  });

  it("takes it back in a chat that is being opened", () => {
    const before = fold(beginOpening(started({ live: [{ run: run("r"), streaming: message("a", "u", { status: "streaming", blocks: [{ type: "text", text: "Half" }] }) }] }), "c"), events({ type: "message", message: rolledBack }), 0);
    const view = { summary: summary("c"), messages: [message("u", null, { role: "user" }), message("a", "u", { status: "streaming", blocks: [{ type: "text", text: "Half" }] })], runs: [run("r")] };
    expect(takeOpened(before, view).opened.c!.messages[1]!.blocks).toEqual([]);
  });

  it("says on the page's own clock when the next one is made, until it is", () => {
    const retrying = { kind: "overloaded" as const, wait_ms: 8000, attempt: 1 };
    const waiting = fold(opened(message("u", null)), events({ type: "run", run: run("r", "running", { retrying }) }), 1000);
    expect([waiting.runs.r!.retryAt, waiting.opened.c!.runs.r!.retryAt, liveRun(waiting, "c")?.retryAt]).toEqual([9000, 9000, 9000]);
    expect(fold(waiting, events({ type: "run", run: run("r") }), 2000).runs.r!.retryAt).toBeUndefined();
    expect(fold(EMPTY, [snapshot({ live: [{ run: run("r", "running", { retrying }), streaming: null }] })], 500).runs.r!.retryAt).toBe(8500);
  });
});

describe("opening", () => {
  it("lets events that overtook the answer win over it", () => {
    let world = beginOpening(started(), "c");
    world = fold(world, events({ type: "message", message: message("a", "u", { status: "complete", blocks: [{ type: "text", text: "whole" }] }) }, { type: "message", message: message("b", "a") }), 0);
    world = takeOpened(world, { summary: summary("c"), messages: [message("u", null, { role: "user" }), message("a", "u", { status: "streaming" })], runs: [] });
    expect(ids(world)).toEqual(["u", "a", "b"]);
    expect(world.opened.c!.messages[1]!.status).toBe("complete");
    expect(world.opening).toEqual({});
  });

  it("takes the streamed text, not the older checkpoint", () => {
    let world = started({ live: [{ run: run("r"), streaming: message("a", "u", { status: "streaming", blocks: [{ type: "text", text: "newer and longer" }] }) }] });
    world = takeOpened(beginOpening(world, "c"), { summary: summary("c"), messages: [message("u", null, { role: "user" }), message("a", "u", { status: "streaming", blocks: [{ type: "text", text: "newer" }] })], runs: [run("r")] });
    expect(world.opened.c!.messages[1]!.blocks).toEqual([{ type: "text", text: "newer and longer" }]);
  });

  it("adds a streaming message that the answer does not have yet", () => {
    const world = started({ live: [{ run: run("r"), streaming: message("a", "u", { status: "streaming" }) }] });
    expect(ids(takeOpened(world, { summary: summary("c"), messages: [message("u", null, { role: "user" })], runs: [] }))).toEqual(["u", "a"]);
  });

  it("never brings a run back from its end", () => {
    const world = fold(beginOpening(started(), "c"), events({ type: "run", run: run("r", "done") }), 0);
    expect(takeOpened(world, { summary: summary("c"), messages: [], runs: [run("r", "running")] }).opened.c!.runs.r!.state).toBe("done");
    const other = fold(beginOpening(started(), "c"), events({ type: "run", run: run("r", "running") }), 0);
    expect(takeOpened(other, { summary: summary("c"), messages: [], runs: [run("r", "done")] }).opened.c!.runs.r!.state).toBe("done");
  });

  it("opens ten thousand messages and folds a delta without touching them one by one", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => message(`m${i}`, i === 0 ? null : `m${i - 1}`));
    const world = fold(opened(...many), events({ type: "message", message: message("a", "m9999", { status: "streaming" }) }, delta("x")), 0);
    expect(world.opened.c!.messages).toHaveLength(10_001);
    expect(world.opened.c!.messages[5]).toBe(many[5]);
  });

  it("lets go of what is not kept", () => {
    expect(forget(opened(message("u", null)), []).opened).toEqual({});
  });
});

describe("questions", () => {
  it("count their time from when they came; null waits for ever", () => {
    const world = fold(started(), events({ type: "ask_opened", ask: ask("q", 300) }, { type: "ask_opened", ask: ask("p", null) }), 50);
    expect(world.asks.map((each) => each.until)).toEqual([350, null]);
  });

  it("come once and go when closed, also twice", () => {
    let world = fold(started(), events({ type: "ask_opened", ask: ask("q") }, { type: "ask_opened", ask: ask("q") }), 0);
    expect(world.asks).toHaveLength(1);
    world = fold(world, events({ type: "ask_closed", id: "q", answer: null }, { type: "ask_closed", id: "q", answer: null }), 0);
    expect(world.asks).toEqual([]);
  });
});

describe("notes and permissions", () => {
  it("say how many notes wait, and that lists of them are old", () => {
    const world = started({ notes_waiting: 2 });
    expect(world.notesWaiting).toBe(2);
    const later = fold(world, events({ type: "notes", waiting: 3 }, { type: "notes", waiting: 1 }), 0);
    expect([later.notesWaiting, later.notesChanged - world.notesChanged, later.grantsChanged]).toEqual([1, 2, world.grantsChanged]);
    const granted = fold(world, events({ type: "grants" }), 0);
    expect([granted.grantsChanged - world.grantsChanged, granted.notesChanged, granted.notesWaiting]).toEqual([1, world.notesChanged, 2]);
  });

  it("are read again after the connection was lost", () => {
    const world = started();
    const again = fold(world, [snapshot({ notes_waiting: 4 })], 0);
    expect(again.notesWaiting).toBe(4);
    expect(again.notesChanged).toBeGreaterThan(world.notesChanged);
    expect(again.grantsChanged).toBeGreaterThan(world.grantsChanged);
  });
});

it("an event of a newer backend is passed over", () => {
  const world = started();
  expect(fold(world, events({ type: "weather" } as unknown as Event), 0)).toBe(world);
});
