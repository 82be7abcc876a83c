// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Doubt, NodeClass, Reason } from "$lib/backend/bindings";
import { appAsked, goesWith, isFromOutside, isWeighty, onSheet } from "$lib/ask/confirm";
import { doubted, doubtsOf, homeless, pieces } from "$lib/ask/doubts";
import { lasting, offered } from "$lib/ask/grant";
import { address, lookalike } from "$lib/parts/address";
import { rows } from "$lib/parts/arguments";
import type { OpenAsk } from "$lib/state/world";

const PAGE = { tool: "web_read", detail: "evil.example" };
const NOTES = { tool: "memory_search" };
const acts = (...doubts: Doubt[]): Reason => ({ type: "outside_acts", sources: [PAGE], doubts });
const leaves = (...doubts: Doubt[]): Reason => ({ type: "private_may_leave", sources: [NOTES], doubts });
const doubt = (path: string, value: string, kind: Doubt["kind"] = "untraced", source?: Doubt["source"]): Doubt => ({ path, value, kind, ...(source ? { source } : {}) });

describe("values in doubt", () => {
  it("are purple only when outside text holds them", () => {
    const found = doubted([acts(doubt("to", "a@b.example", "untraced", PAGE), doubt("amount", "500"), doubt("body", "https://x.example", "link", NOTES)), leaves(doubt("body", "Elm St 5", "private", NOTES))]);
    expect(found.map(({ path, look }) => [path, look])).toEqual([["to", "outside"], ["amount", "model"], ["body", "model"], ["body", "private"]]);
  });

  it("are each told once, and other reasons have none", () => {
    expect(doubted([{ type: "mode", mode: "act" }, { type: "outside_high", sources: [PAGE] }, acts(doubt("to", "x"), doubt("to", "x")), acts(doubt("to", "x"))])).toHaveLength(1);
  });

  it("belong to the argument they stand in, however deep; the rest is not lost", () => {
    const read = rows({ to: ["a", "b"], "to.list": "c", too: "d" })!;
    const all = doubted([acts(doubt("to[1]", "b"), doubt("to.list", "c"), doubt("to.list.x", "c"), doubt("gone", "e"), doubt("", "f"))]);
    expect(doubtsOf("to", all, read).map(({ path }) => path)).toEqual(["to[1]"]);
    expect(doubtsOf("to.list", all, read).map(({ path }) => path)).toEqual(["to.list", "to.list.x"]);
    expect(doubtsOf("too", all, read)).toEqual([]);
    expect(homeless(all, read).map(({ path }) => path)).toEqual(["gone", ""]);
  });

  const cut = (value: unknown, ...doubts: Doubt[]) => pieces(rows({ v: value })![0]!, doubted([acts(...doubts)])).map((piece) => (piece.doubted ? `[${piece.text}]` : piece.text)).join("");
  it("stand out wherever they occur, and the text stays whole", () => {
    expect(cut("pay bob 50, then bob", doubt("v", "bob"))).toBe("pay [bob] 50, then [bob]");
    expect(cut("https://a.example/x and a.example", doubt("v", "https://a.example/x"), doubt("v", "a.example"))).toBe("[https://a.example/x] and [a.example]");
    expect(cut(["a@x.example", "b@x.example"], doubt("v[1]", "b@x.example"))).toBe("• a@x.example\n• [b@x.example]");
    expect(cut("a\u202eb", doubt("v", "a\u202eb"))).toBe("[a⟨U+202E⟩b]");
    expect(cut(500, doubt("v", "500"))).toBe("[500]");
  });

  it("that are written otherwise mark all of their argument, deep ones nothing", () => {
    expect(cut("Ａｂｃ", doubt("v", "abc"))).toBe("[Ａｂｃ]");
    expect(cut({ deep: 'say "x"' }, doubt("v.deep", 'say "x"'))).not.toContain("[");
    expect(cut("", doubt("v", ""))).toBe("");
  });
});

describe("an address", () => {
  it.each([
    ["https://a.example/x?q=1", "a.example", undefined],
    ["https://bank.example@evil.example/login", "evil.example", undefined],
    ["https://bank.example:443@evil.example\\@bank.example/", "evil.example", undefined],
    ["https://A.Example:8443/", "A.Example:8443", undefined],
    ["https://a.example:443/", "a.example:443", undefined],
    ["http://0x7f.1/", "0x7f.1", "127.0.0.1"],
    ["https://аpple.com/", "аpple.com", "xn--pple-43d.com"],
    ["https://例え.jp/", "例え.jp", "xn--r8jz45g.jp"],
    ["a.b@mail.example", "mail.example", undefined],
    ["mailto:a@mail.example?body=x", "mail.example", undefined],
    ["a@mаil.example", "mаil.example", "xn--mil-6cd.example"],
    ["https:\\\\evil.example\\x", "evil.example", undefined],
  ])("%s reaches %s", (text, host, real) => {
    const parts = address(text)!;
    expect([parts.host, parts.real]).toEqual([host, real]);
    expect(parts.before + parts.host + parts.after).toBe(text);
  });

  it.each(["", "plain words", "a.example", "12@", "@x", "https://", "meet me @ 5"])("is not %o", (text) => {
    expect(address(text)).toBeUndefined();
  });

  it("has letters that pass for others when alphabets are mixed in one word", () => {
    expect(["pаypal", "https://аpple.com/"].map(lookalike)).toEqual([true, true]);
    expect(["paypal", "Привет world", "价格 50 USD", "β decay", ""].map(lookalike)).toEqual([false, false, false, false, false]);
  });
});

describe("a lasting permission", () => {
  it("is offered for exactly what is asked; long values are left open", () => {
    expect(offered({ path: "a.txt", content: "x".repeat(500), lines: "a\nb", n: 3, deep: { a: [1] }, none: null })).toEqual([
      { argument: "path", pattern: "a.txt", used: true }, { argument: "content", pattern: "x".repeat(500), used: false }, { argument: "lines", pattern: "a\nb", used: false },
      { argument: "n", pattern: "3", used: true }, { argument: "deep", pattern: '{"a":[1]}', used: true }, { argument: "none", pattern: "null", used: true },
    ]);
    expect([null, "x", [1], 3].map(offered)).toEqual([[], [], [], []]);
  });

  it("says what is ticked, how far and how long", () => {
    const patterns = [{ argument: "path", pattern: "notes/*", used: true }, { argument: "content", pattern: "x", used: false }];
    expect(lasting("run", "hour", patterns)).toEqual({ type: "allow_more", scope: "run", arguments: [{ argument: "path", pattern: "notes/*" }], minutes: 60 });
    expect(lasting("always", "none", [])).toEqual({ type: "allow_more", scope: "always", arguments: [], minutes: null });
    expect(["day", "week"].map((length) => lasting("conversation", length as "day", []))).toMatchObject([{ minutes: 1440 }, { minutes: 10_080 }]);
  });
});

describe("one sheet", () => {
  const ask = (id: string, run: string, type: "confirm" | "question" = "confirm"): OpenAsk => ({
    id, conversation: "c", run, call: id, asked: 0, left_ms: null, until: null,
    kind: type === "confirm" ? { type, tool: "t", danger: "low", leaves: false, arguments: {}, reasons: [{ type: "mode", mode: "act" }], grantable: true } : { type, question: { question: "?", choices: [] }, labels: { outside: [], private: [] } },
  });
  it("holds what the first one's run asks, and only whether calls may run", () => {
    const ids = (asks: OpenAsk[]) => onSheet(asks).map(({ id }) => id);
    expect(ids([ask("a", "1"), ask("b", "2"), ask("c", "1"), ask("d", "1", "question")])).toEqual(["a", "c"]);
    expect(ids([ask("q", "1", "question"), ask("a", "1")])).toEqual([]);
    expect(ids([])).toEqual([]);
  });

  it("nudges only where the mode alone asks", () => {
    const high: Reason = { type: "outside_high", sources: [PAGE] };
    expect([[{ type: "mode", mode: "act" }], [{ type: "mode", mode: "act" }, high], [leaves()]].map((reasons) => [isWeighty({ reasons: reasons as Reason[] }), isFromOutside(reasons as Reason[])])).toEqual([[false, false], [true, true], [true, false]]);
    const risk = { level: "high" as const, effects: [] };
    expect([true, false].map((parsed) => isWeighty({ reasons: [{ type: "mode", mode: "act" }], risk: { ...risk, parsed } }))).toEqual([false, true]);
  });

  const target = (name: NodeClass) => ({ app: "org.chat", app_name: "Chat", role: "button", label: "OK", class: name, bounds: [0, 0, 9, 9] as [number, number, number, number], fingerprint: "f" });
  const drive = (app: string): Reason => ({ type: "drive_app", app, name: "Chat" });
  const mode: Reason = { type: "mode", mode: "act" };
  it("nudges nowhere towards a touch that matters, nor towards the first touch in an app", () => {
    const weighty = (name: NodeClass, ...reasons: Reason[]) => isWeighty({ reasons, target: target(name) });
    expect((["scroll", "navigate", "field"] as const).map((name) => weighty(name, mode))).toEqual([false, false, false]);
    expect((["send", "pay", "delete", "install", "permission", "leave", "account", "unknown"] as const).map((name) => weighty(name, mode))).toEqual(Array(8).fill(true));
    expect([weighty("scroll", drive("org.chat")), weighty("send", { type: "touches", class: "send" })]).toEqual([true, true]);
    expect(weighty("teleport" as NodeClass, mode), "what a newer backend can tell apart").toBe(true);
  });

  it("offers the use of an app only where it is asked for", () => {
    expect(appAsked([mode, drive("org.chat")])).toEqual(drive("org.chat"));
    expect([appAsked([mode]), appAsked([{ type: "touches", class: "pay" }])]).toEqual([undefined, undefined]);
  });

  it("tells which questions the use of an app answers as well", () => {
    const touches: Reason = { type: "touches", class: "send" };
    expect([[drive("org.chat")], [mode, drive("org.chat")], [drive("org.maps")], [drive("org.chat"), touches], [mode], [drive("org.chat"), leaves()]].map((reasons) => goesWith(reasons, "org.chat"))).toEqual([true, true, false, false, false, false]);
  });
});
