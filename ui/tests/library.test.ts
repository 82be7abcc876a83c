// SPDX-License-Identifier: Apache-2.0
// What the Library says of notes, and Settings of permissions and of the web.
import { beforeEach, describe, expect, it } from "vitest";
import type { GrantView } from "$lib/backend/bindings";
import { moment } from "$lib/i18n/format";
import { beginning, long, sourcesText, waits } from "$lib/library/notes";
import { overwriteGetLocale } from "$lib/paraglide/runtime.js";
import { scopeText, timesText, untilFirstEnd } from "$lib/settings/grants";
import { addressTrouble } from "$lib/settings/web";

let language: "en" | "zh" = "en";
beforeEach(() => {
  language = "en";
  overwriteGetLocale(() => language);
});

describe("a note", () => {
  const page = { tool: "web_read", detail: "fair.example" };
  it("waits as long as it carries outside text; private data alone does not make it wait", () => {
    expect(waits({ labels: { outside: [page], private: [] } })).toBe(true);
    expect(waits({ labels: { outside: [], private: [{ tool: "memory_search" }] } })).toBe(false);
  });

  it("names its sources once each, as a sentence does", () => {
    const mail = { tool: "attachment", detail: "offer.pdf" };
    expect(sourcesText([page])).toBe("a web page: fair.example");
    expect(sourcesText([page, mail, page])).toBe("a web page: fair.example and an attached file: offer.pdf");
    expect(sourcesText([{ tool: "provider", detail: "web_search_call" }], () => "Web search")).toBe("the model's provider: Web search");
    language = "zh";
    expect(sourcesText([page, mail])).toBe("网页：fair.example和附件：offer.pdf");
  });

  it("has a beginning on one line, and a box of its own when it is long", () => {
    expect(beginning("  Prefers\n\twindow seats ")).toBe("Prefers window seats");
    expect(beginning("x".repeat(500))).toHaveLength(120);
    expect([long("x".repeat(700)), long("x".repeat(701)), long("\n".repeat(11)), long("\n".repeat(12))]).toEqual([false, true, false, true]);
  });
});

describe("a permission", () => {
  const given: GrantView = { id: "g", tool: "web_read", scope: "always", arguments: [], at: 1_700_000_000_000, expires: null };
  it.each([
    [{ scope: "always" }, "In every chat"],
    [{ scope: "conversation", title: "Trip" }, "Only in “Trip”"],
    [{ scope: "conversation", title: "" }, "Only in “New chat”"],
    [{ scope: "run", title: "Trip" }, "Only in a run of “Trip”"],
    [{ scope: null, automation: "Morning news" }, "Only for the automation “Morning news”"],
  ] as const)("says where it holds: %o", (more, words) => {
    expect(scopeText({ ...given, ...more })).toBe(words);
  });

  it("says when it was given and when it ends", () => {
    const at = `Given ${moment(given.at)}`;
    expect(timesText(given)).toBe(`${at} · no end`);
    expect(timesText({ ...given, scope: "run" })).toBe(`${at} · ends with the run`);
    const expires = given.at + 3_600_000;
    for (const scope of ["always", "run"] as const) expect(timesText({ ...given, scope, expires })).toBe(`${at} · ends ${moment(expires)}`);
  });

  it("that ends first tells when the list is old", () => {
    expect(untilFirstEnd([], 0)).toBeUndefined();
    expect(untilFirstEnd([{ expires: null }], 0)).toBeUndefined();
    expect(untilFirstEnd([{ expires: 900 }, { expires: null }, { expires: 500 }], 100)).toBe(400);
    expect(untilFirstEnd([{ expires: 50 }], 100)).toBe(0);
  });
});

describe("the address of a search server", () => {
  it.each(["https://searx.example.org", "http://192.168.1.5:8080", "HTTPS://searx.example.org/search/", " http://[::1]:8888/ ", "https://搜索.example"])("is taken: %s", (address) => {
    expect(addressTrouble(address)).toBeUndefined();
  });

  it.each([
    ["", "missing"], ["  ", "missing"], ["searx.example.org", "scheme"], ["ftp://searx.example.org", "scheme"], ["//searx.example.org", "scheme"],
    ["https://me:secret@searx.example.org", "login"], ["https://me@searx.example.org/", "login"], ["https://searx.example.org/?q=x", "rest"], ["https://searx.example.org/#top", "rest"],
    ["https://", "bad"], ["https://searx.example.org:99999", "bad"], ["https://two words.example", "bad"], ["https://searx.example.org\\evil", "bad"],
  ])("is refused: %s (%s)", (address, trouble) => {
    expect(addressTrouble(address)).toBe(trouble);
  });

  it("may hold an @ in its path", () => {
    expect(addressTrouble("https://searx.example.org/@me")).toBeUndefined();
  });
});
