// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from "vitest";
import { overwriteGetLocale } from "$lib/paraglide/runtime.js";
import { countdown, dayGroup, daysAgo, duration, when } from "$lib/i18n/format";
import { itemTitle } from "$lib/i18n/items";
import { presetName } from "$lib/i18n/providers";
import { toolQuestion } from "$lib/i18n/asked";
import { argumentLabel, pathLabel } from "$lib/i18n/calls";
import { plain, recoveryText, sourceText, toolTitle } from "$lib/i18n/words";
import { gist, rows, visible } from "$lib/parts/arguments";
import { fragments, unmarked } from "$lib/chats/snippet";
import { href, parse, type Route } from "$lib/state/route";
import { whole } from "$lib/settings/budget";

let language: "en" | "zh" = "en";
beforeEach(() => {
  language = "en";
  overwriteGetLocale(() => language);
});

describe("times", () => {
  it.each([[0, "0 ms"], [999, "999 ms"], [1234, "1.2 s"], [9999, "9.9 s"], [12_345, "12 s"], [59_999, "59 s"], [61_500, "1 min 1 s"]])("%i ms lasts %s", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  it.each([[0, "0 s"], [1, "1 s"], [1000, "1 s"], [59_001, "1 min 0 s"], [234_000, "3 min 54 s"]])("a countdown of %i shows %s", (ms, words) => {
    expect(countdown(ms)).toBe(words);
  });

  it("change with the language", () => {
    language = "zh";
    expect(countdown(234_000)).toBe("3 分 54 秒");
    expect(toolTitle("compute")).toBe("计算");
  });

  const noon = new Date(2026, 2, 15, 12).getTime();
  const hours = (n: number) => noon - n * 3_600_000;
  it("count local days, not stretches of 24 hours", () => {
    expect(daysAgo(hours(11), noon)).toBe(0);
    expect(daysAgo(hours(13), noon)).toBe(1);
    expect(dayGroup(hours(13), noon)).toBe("yesterday");
    expect(dayGroup(hours(24 * 6), noon)).toBe("week");
    expect(dayGroup(hours(24 * 8), noon)).toBe("older");
  });

  it("are as short as they stay clear", () => {
    expect(when(hours(1), noon)).toMatch(/11:00/);
    expect(when(hours(24 * 2), noon)).toBe("Fri");
    expect(when(hours(24 * 30), noon)).toBe("Feb 13");
    expect(when(hours(24 * 365), noon)).toBe("Mar 15, 2025");
  });
});

describe("names", () => {
  it("of tools nobody translated are made readable", () => {
    expect(toolTitle("server__send_mail")).toBe("Server send mail");
    expect(toolQuestion("run_shell")).toBe("Run this shell command?");
    expect(toolQuestion("fly_kite")).toBe("Use “Fly kite”?");
    expect(plain("maxResults")).toBe("Max Results");
    expect(toolTitle("constructor")).toBe("Constructor");
    expect(argumentLabel("toString")).toBe("To String");
  });

  it("of what stands deep in the arguments say where", () => {
    expect(["url", "recipients[1]", "message.to[0].mail", "rows[0][2]", ""].map(pathLabel)).toEqual(["Address", "Recipients, no. 2", "Message › To, no. 1 › Mail", "Rows, no. 1, no. 3", ""]);
    language = "zh";
    expect(pathLabel("recipients[1]")).toBe("收件人，第 2 项");
  });

  it("of sources tell the tool and the place", () => {
    expect(sourceText({ tool: "web_read", detail: "a.example" })).toBe("a web page: a.example");
    expect(sourceText({ tool: "mail__inbox", detail: "boss" })).toBe("Mail inbox: boss");
    expect(sourceText({ tool: "attachment", detail: "x.pdf" })).toBe("an attached file: x.pdf");
    const searched = { tool: "provider", detail: "web_search_call" };
    expect([sourceText(searched), sourceText(searched, itemTitle), sourceText({ tool: "provider", detail: "hologram" }, itemTitle)]).toEqual(["the model's provider", "the model's provider: Web search", "the model's provider: hologram"]);
  });
});

it("a provider's region is named in the person's language", () => {
  expect(["Qwen (China)", "Qwen", "China Models"].map(presetName)).toEqual(["Qwen (China)", "Qwen", "China Models"]);
  language = "zh";
  expect(presetName("Qwen (China)")).toBe("Qwen（中国）");
});

describe("what was said of an unknown call", () => {
  it("ready answers are in the person's language, their own words as they are", () => {
    expect(recoveryText("It happened.")).toBe("It happened");
    language = "zh";
    expect(recoveryText("It did not happen.")).toBe("未执行");
    expect(recoveryText("Only half of it.")).toBe("Only half of it.");
  });
});

describe("arguments", () => {
  it("are rows in their order, nothing cut", () => {
    const long = "x".repeat(5000);
    const read = rows({ command: "ls", content: long, force: true, tags: ["a", "b"], deep: { a: [1] } })!;
    expect(read.map((row) => [row.name, row.long, row.mono, row.yes])).toEqual([["command", false, true, undefined], ["content", true, false, undefined], ["force", false, false, true], ["tags", false, false, undefined], ["deep", true, true, undefined]]);
    expect(read[1]!.text).toBe(long);
    expect(read[3]!.text).toBe("• a\n• b");
  });

  it("that are no object are not rows", () => {
    for (const value of ["{broken", null, 3, [1]]) expect(rows(value)).toBeUndefined();
  });

  it("show characters that hide or reorder", () => {
    expect(visible("rm\u202e -rf\u200b \u001b[8m")).toBe("rm⟨U+202E⟩ -rf⟨U+200B⟩ ⟨U+001B⟩[8m");
    expect(visible("a\tb\nc 中文 é")).toBe("a\tb\nc 中文 é");
  });

  it("have a gist", () => {
    expect(gist({ overwrite: true, path: "a.txt", content: "c" })).toBe("a.txt");
    expect(gist({ steps: [], note: "two\nlines" })).toBe("two lines");
    expect(gist({})).toBe("");
    expect(gist("raw")).toBe("");
  });
});

describe("search hits", () => {
  it("mark every word, whatever its case and whatever it holds", () => {
    expect(fragments("A cat. (Cat)", "cat (")).toEqual([
      { text: "A ", hit: false }, { text: "cat", hit: true }, { text: ". ", hit: false }, { text: "(", hit: true }, { text: "Cat", hit: true }, { text: ")", hit: false },
    ]);
    expect(fragments("晚上散步", "散步")).toEqual([{ text: "晚上", hit: false }, { text: "散步", hit: true }]);
    expect(fragments("x", " ")).toEqual([{ text: "x", hit: false }]);
  });

  it("lose the marks of markdown", () => {
    expect(unmarked("# Title **bold** `code` *slanted* C# 2*3*4")).toBe("Title bold code slanted C# 2*3*4");
    expect(unmarked("rows | a | b |\n|---|--:|\n| 1 | 2 |").trim()).toBe("rows a b 1 2");
  });
});

describe("addresses", () => {
  it.each<Route>([{ at: "chats" }, { at: "new" }, { at: "chat", id: "a/b ?#%" }, { at: "chat", id: "c", message: "m&1" }, { at: "library" }, { at: "settings" }, { at: "settings", section: "grants" }, { at: "settings", section: "tools" }, { at: "settings", section: "device" }, { at: "settings", section: "models", part: "money" }])("come back as they went: %o", (route) => {
    expect(parse(href(route))).toEqual(route);
  });

  it.each(["", "#", "#/", "#/nowhere", "#/chat", "#/chat/"])("unknown ones are the list: %s", (hash) => {
    expect(parse(hash)).toEqual({ at: "chats" });
  });

  it("survive broken ones", () => {
    expect(parse("#/chat/%E0%A4%A")).toEqual({ at: "chat", id: "%E0%A4%A" });
    expect(parse("#/settings/tasks")).toEqual({ at: "settings" });
    expect(parse("#/settings/models/nothing")).toEqual({ at: "settings", section: "models" });
  });
});

it("a budget field takes whole numbers within its limits", () => {
  const limits = { min: 1, max: 500 };
  expect(["1", " 20 ", "500"].map((text) => whole(text, limits))).toEqual([1, 20, 500]);
  expect(["0", "501", "1.5", "-3", "", "abc", "1e2"].map((text) => whole(text, limits))).toEqual(Array(7).fill(undefined));
});
