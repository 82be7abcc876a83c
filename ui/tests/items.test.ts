// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from "vitest";
import type { Message, RunErrorKind, RunView, Usage } from "$lib/backend/bindings";
import { overwriteGetLocale } from "$lib/paraglide/runtime.js";
import { isResult, itemTitle, KNOWN_ITEMS } from "$lib/i18n/items";
import { retryText, runError } from "$lib/i18n/words";
import { runUsage, windowUse } from "$lib/state/usage";

let language: "en" | "zh" = "en";
beforeEach(() => {
  language = "en";
  overwriteGetLocale(() => language);
});

describe("what a provider does by itself", () => {
  it.each(KNOWN_ITEMS)("has a name in both languages: %s", (kind) => {
    for (const full of [kind, `${kind}_call`, `${kind}_tool_result`]) {
      language = "en";
      const en = itemTitle(full);
      language = "zh";
      const zh = itemTitle(full);
      expect(en).toMatch(/^[A-Z][A-Za-z ()]+(?:, result)?$/);
      expect(zh).toMatch(/\p{Script=Han}/u);
      expect(zh!.replace(/MCP|Shell/g, "")).not.toMatch(/[A-Za-z]{2,}/);
    }
  });

  it.each([
    ["web_search_call", "Web search"], ["web_search_tool_result", "Web search, result"], ["code_interpreter_call", "Running code"], ["executableCode", "Running code"], ["codeExecutionResult", "Running code, result"],
    ["bash_code_execution_tool_result", "Running code, result"], ["file_search_call", "File search"], ["image_generation_call", "Image generation"], ["mcp_call", "Remote tool (MCP)"], ["mcp_list_tools", "List of remote tools (MCP)"],
    ["mcp_approval_request", "Approval of a remote tool (MCP)"], ["mcp_tool_use", "Remote tool (MCP)"], ["mcp_tool_result", "Remote tool (MCP), result"], ["tool_search_call", "Search for tools"], ["tool_search_output", "Search for tools, result"],
    ["tool_search_tool_result", "Search for tools, result"], ["compaction", "Shortening the conversation"], ["local_shell_call", "Shell command"], ["shell_call_output", "Shell command, result"], ["apply_patch_call", "Change to files"],
    ["groundingMetadata", "Sources"], ["computer_call", "Use of a computer"], ["advisor_tool_result", "Advice of another model, result"], ["program_output", "Program that calls tools, result"], ["x_search_call", "Web search"],
  ])("%s is %s", (kind, title) => {
    expect(itemTitle(kind)).toBe(title);
  });

  it("is told apart by its name where one kind stands for many", () => {
    expect(itemTitle("server_tool_use", { name: "web_fetch" })).toBe("Reading a web page");
    expect(itemTitle("server_tool_use", { name: "memory" })).toBe("Memory");
    expect(itemTitle("server_tool_use", { name: "hologram" })).toBeUndefined();
    expect(itemTitle("server_tool_use", null)).toBeUndefined();
  });

  it("keeps its own name where nobody knows it", () => {
    for (const kind of ["hologram_call", "constructor", "toString", "__proto__", "", "search_the_web_or_not"]) expect(itemTitle(kind)).toBeUndefined();
  });

  it("has results that are told from calls", () => {
    expect(["web_search_tool_result", "shell_call_output", "codeExecutionResult"].map(isResult)).toEqual([true, true, true]);
    expect(["web_search_call", "compaction"].map(isResult)).toEqual([false, false]);
  });
});

describe("what went wrong", () => {
  const KINDS: RunErrorKind[] = ["auth", "rate", "quota", "invalid", "too_long", "refused", "overloaded", "server", "timeout", "network", "interrupted", "budget", "money", "no_model", "storage", "internal"];
  it.each(KINDS)("has its words and why it is tried again, in both languages: %s", (kind) => {
    const en = runError(kind);
    const retry = retryText(kind);
    language = "zh";
    const zh = runError(kind);
    for (const text of [zh.title, zh.next, retryText(kind)]) expect(text.replace(/Bailey/g, "")).not.toMatch(/[A-Za-z]{2,}/);
    expect([en.title, en.next, retry].every((text) => text.length > 5)).toBe(true);
  });

  it("of a kind this page does not know yet is something that went wrong", () => {
    expect(runError("eclipse" as RunErrorKind)).toEqual(runError("internal"));
    expect(runError("constructor" as RunErrorKind)).toEqual(runError("internal"));
  });
});

describe("usage", () => {
  const usage = (more: Partial<Usage>): Usage => ({ input: 0, cached: 0, cache_write: 0, output: 0, reasoning: 0, ...more });
  const message = (id: string, run: string, role: Message["role"], more: Partial<Message> = {}): Message => ({ id, conversation: "c", parent: null, run, role, status: "complete", at: 0, blocks: [], labels: { outside: [], private: [] }, ...more });
  const branch = [
    message("u1", "r1", "user"), message("a1", "r1", "assistant", { usage: usage({ input: 100, output: 10, cost: 5 }) }),
    message("u2", "r2", "user"), message("a2", "r2", "assistant", { usage: usage({ input: 200, cached: 150, output: 20, reasoning: 5, cost: 7 }) }), message("a3", "r2", "assistant", { usage: usage({ input: 300, cached: 200, cache_write: 50, output: 30 }) }), message("a4", "r2", "assistant"),
  ];
  const run = (id: string, more: Partial<RunView> = {}): RunView => ({ id, conversation: "c", mode: "act", state: "done", started: 0, ledger: { rounds: 0, calls: 0, active_ms: 0, cost: 0 }, budget: { rounds: 1, calls: 1, active_ms: null }, resumed: false, unattended: false, compressed: false, ...more });

  it("of a run is that of its requests together, and says when a part has no price", () => {
    expect(runUsage(branch, 5)).toEqual({ requests: 2, input: 500, cached: 350, cache_write: 50, output: 50, reasoning: 5, cost: 7, partly: true });
    expect(runUsage(branch, 1)).toEqual({ requests: 1, input: 100, cached: 0, cache_write: 0, output: 10, reasoning: 0, cost: 5, partly: false });
  });

  it("is nothing where the provider counts nothing", () => {
    expect(runUsage([message("u", "r", "user"), message("a", "r", "assistant")], 1)).toBeUndefined();
  });

  const A = { provider: "p", model: "a" };
  const B = { provider: "p", model: "b" };
  it("fills the window of the model that answered last", () => {
    expect(windowUse(branch, { r2: run("r2", { model: A, window: 1000 }) }, A, undefined)).toEqual({ used: 330, window: 1000 });
    expect(windowUse(branch, { r2: run("r2", { window: 1000 }) }, A, undefined)).toEqual({ used: 330, window: 1000 });
  });

  it("is held against the window of the model chosen since, where that is known", () => {
    const runs = { r2: run("r2", { model: A, window: 1000 }) };
    expect(windowUse(branch, runs, B, 500)).toEqual({ used: 330, window: 500 });
    expect(windowUse(branch, runs, B, undefined)).toBeUndefined();
    expect(windowUse(branch, { r2: run("r2", { model: A }) }, A, 800)).toEqual({ used: 330, window: 800 });
  });

  it("is not shown before anything was counted", () => {
    expect(windowUse([branch[0]!], {}, A, 1000)).toBeUndefined();
  });
});
