// SPDX-License-Identifier: Apache-2.0
// Words for the values of the contract: tools, arguments, modes, states, reasons, errors.
import { m } from "$lib/paraglide/messages.js";
import { lateWords } from "./late";
import type { Accent, CallState, Danger, DenialCode, Message, Mode, ModelChoice, Provider, RunErrorKind, Source, Theme } from "$lib/backend/bindings";

/** The modes, most careful first. */
export const MODES: readonly Mode[] = ["chat", "chat_plus", "act", "max"];

type Words = Record<string, () => string>;
// Spelt out, so that a bundle holds only the words it shows.
const TITLES: Words = {
  get_time: m.tool_get_time, compute: m.tool_compute, plan_update: m.tool_plan_update, ask_user: m.tool_ask_user,
  memory_write: m.tool_memory_write, memory_search: m.tool_memory_search, file_write: m.tool_file_write,
  run_shell: m.tool_run_shell, web_search: m.tool_web_search, web_read: m.tool_web_read, fetch_rss: m.tool_fetch_rss, get_weather: m.tool_get_weather,
  download_file: m.tool_download_file, spawn_agent: m.tool_spawn_agent,
};
const SOURCES: Words = {
  attachment: m.source_attachment, shared: m.source_shared, unknown: m.source_unknown, run_shell: m.source_shell, memory_search: m.source_notes, memory_read: m.source_notes,
  web_search: m.source_web_search, web_read: m.source_web_page, fetch_rss: m.source_feed, get_weather: m.source_weather, download_file: m.source_download, spawn_agent: m.source_agent,
};
const find = (words: Words, key: string): string | undefined => (Object.hasOwn(words, key) ? words[key]!() : undefined);

/** `file_write` as "File write": for names nobody has translated. */
export function plain(name: string): string {
  const words = name.replace(/[_-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").trim();
  return words ? words[0]!.toUpperCase() + words.slice(1) : name;
}

/** What a tool is called in front of people. */
export const toolTitle = (tool: string): string => find(TITLES, tool) ?? late(tool)?.toolTitle(tool) ?? plain(tool);
/** A tool of somebody else's server has no words of ours. */
const late = (tool: string) => (tool.includes("__") ? undefined : lateWords());

/** A mode's name. */
export const modeName = (mode: Mode): string => ({ chat: m.mode_chat, chat_plus: m.mode_chat_plus, act: m.mode_act, max: m.mode_max })[mode]();
/** What a mode may do, in one line. */
export const modeLine = (mode: Mode): string =>
  ({ chat: m.mode_chat_line, chat_plus: m.mode_chat_plus_line, act: m.mode_act_line, max: m.mode_max_line })[mode]();

/** Where a call stands. */
export const callState = (state: CallState): string =>
  ({
    pending: m.state_pending, waiting: m.state_waiting, running: m.state_running, done: m.state_done, failed: m.state_failed,
    denied: m.state_denied, rejected: m.state_rejected, cancelled: m.state_cancelled, unknown: m.state_unknown,
  })[state]();

/** Why the gate said no. */
export const denialText = (code: DenialCode): string =>
  ({
    unknown_tool: m.denial_unknown_tool, invalid_arguments: m.denial_invalid_arguments, no_target: m.denial_no_target, budget: m.denial_budget, breaker: m.denial_breaker,
    identical: m.denial_identical, sequence: m.denial_sequence, unattended: m.denial_unattended, mode: m.denial_mode,
    switched_off: m.denial_switched_off, nobody_to_ask: m.denial_nobody_to_ask, expired: m.denial_expired, fault: m.denial_fault,
  })[code]();

/** How much harm a tool can do. */
export const dangerText = (danger: Danger): string => ({ low: m.danger_low, medium: m.danger_medium, high: m.danger_high })[danger]();

/** What ended a run or a test, and the next step. */
export function runError(kind: RunErrorKind): { title: string; next: string } {
  const words = {
    auth: [m.error_auth, m.error_auth_next], rate: [m.error_rate, m.error_rate_next], quota: [m.error_quota, m.error_quota_next],
    invalid: [m.error_invalid, m.error_invalid_next], too_long: [m.error_too_long, m.error_too_long_next],
    refused: [m.error_refused, m.error_refused_next], overloaded: [m.error_overloaded, m.error_overloaded_next], server: [m.error_server, m.error_server_next],
    timeout: [m.error_timeout, m.error_timeout_next], network: [m.error_network, m.error_network_next],
    interrupted: [m.error_interrupted, m.error_interrupted_next], budget: [m.error_budget, m.error_budget_next], money: [m.error_money, m.error_money_next], no_model: [m.error_no_model, m.error_no_model_next],
    storage: [m.error_storage, m.error_storage_next], internal: [m.error_internal, m.error_internal_next],
  } as const;
  // A newer backend may know more kinds.
  const [title, next] = Object.hasOwn(words, kind) ? words[kind] : words.internal;
  return { title: title(), next: next() };
}

/** Why a request is tried again. */
export function retryText(kind: RunErrorKind): string {
  const words: Partial<Record<RunErrorKind, () => string>> = {
    rate: m.retry_rate, overloaded: m.retry_overloaded, server: m.retry_server, timeout: m.retry_timeout, network: m.retry_network, interrupted: m.retry_interrupted,
  };
  return (words[kind] ?? m.retry_other)();
}

/** How an assistant message ended, when that is worth a sentence. */
export function statusText(status: Message["status"]): string | undefined {
  const words = { stopped: m.status_stopped, interrupted: m.status_interrupted, truncated: m.status_truncated, refused: m.status_refused } as const;
  return status in words ? words[status as keyof typeof words]() : undefined;
}

/** What the person said of an unknown call: the ready answers in their language, their own words as they are. */
export function recoveryText(said: string): string {
  const known: Record<string, () => string> = { "It happened.": m.recovery_yes, "It did not happen.": m.recovery_no, "Nobody knows.": m.recovery_unknown };
  return known[said]?.() ?? said;
}

/** Where a labelled text came from; `itemName` names what a provider did. */
export function sourceText(source: Source, itemName?: (kind: string) => string | undefined): string {
  // What a provider did by itself has names of its own; they come when somebody first looks.
  if (source.tool === "provider") {
    const detail = source.detail === undefined || !itemName ? undefined : (itemName(source.detail) ?? source.detail);
    return detail ? m.source_with_detail({ tool: m.source_provider(), detail }) : m.source_provider();
  }
  const tool = find(SOURCES, source.tool) ?? late(source.tool)?.sourceName(source.tool) ?? toolTitle(source.tool);
  return source.detail ? m.source_with_detail({ tool, detail: source.detail }) : tool;
}

/** The name of a provider; the demo is always called what it is. */
export const providerName = (provider: Provider): string => (provider.kind === "demo" ? m.demo_name() : provider.name);

/** The name of a model in front of people. */
export function modelName(choice: ModelChoice, providers: readonly Provider[]): string {
  return providers.find((provider) => provider.id === choice.provider)?.kind === "demo" ? m.demo_name() : choice.model;
}

/** The name of a theme. */
export const themeName = (theme: Theme): string => ({ system: m.theme_system, light: m.theme_light, dark: m.theme_dark })[theme]();
/** The name of an accent. */
export const accentName = (accent: Accent): string =>
  ({ green: m.accent_green, blue: m.accent_blue, teal: m.accent_teal, rose: m.accent_rose, graphite: m.accent_graphite })[accent]();
