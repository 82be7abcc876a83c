// SPDX-License-Identifier: Apache-2.0
// Words for a call that is looked into or asked about. Apart from words.ts, which the first JavaScript holds.
import type { AllowScope, Reason, ShellEffectKind } from "$lib/backend/bindings";
import { m } from "$lib/paraglide/messages.js";
import { modeName, plain, toolTitle } from "./words";

type Words = Record<string, () => string>;
// Spelt out, so that a bundle holds only the words it shows.
const QUESTIONS: Words = {
  get_time: m.ask_get_time, compute: m.ask_compute, memory_write: m.ask_memory_write, memory_search: m.ask_memory_search,
  file_write: m.ask_file_write, run_shell: m.ask_run_shell, web_search: m.ask_web_search, web_read: m.ask_web_read, fetch_rss: m.ask_fetch_rss,
  get_weather: m.ask_get_weather, download_file: m.ask_download_file, spawn_agent: m.ask_spawn_agent,
};
const LABELS: Words = {
  expression: m.arg_expression, command: m.arg_command, path: m.arg_path, content: m.arg_content, text: m.arg_text, query: m.arg_query, timezone: m.arg_timezone, question: m.arg_question,
  choices: m.arg_choices, steps: m.arg_steps, limit: m.arg_limit, timeout_s: m.arg_timeout_s, url: m.arg_url, name: m.arg_name, to: m.arg_to, recipients: m.arg_recipients,
  recipient: m.arg_to, amount: m.arg_amount, subject: m.arg_subject, body: m.arg_body, title: m.arg_title, task: m.arg_task, place: m.arg_place, latitude: m.arg_latitude,
  longitude: m.arg_longitude, days: m.arg_days, count: m.arg_count, page: m.arg_page,
};
const find = (words: Words, key: string): string | undefined => (Object.hasOwn(words, key) ? words[key]!() : undefined);

/** The question of the confirmation sheet. */
export const toolQuestion = (tool: string): string => find(QUESTIONS, tool) ?? m.ask_tool({ tool: toolTitle(tool) });
/** The label of an argument. */
export const argumentLabel = (name: string): string => find(LABELS, name) ?? plain(name);

/** Where in the arguments a value stands: `recipients[1]` as "Recipients, no. 2". */
export function pathLabel(path: string): string {
  const steps = [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)];
  let words = "";
  for (const [, index, name] of steps) words = index !== undefined ? m.arg_nth({ argument: words, n: Number(index) + 1 }) : words ? `${words} › ${argumentLabel(name!)}` : argumentLabel(name!);
  return words || path;
}

/** Why a call is asked about. */
export function reasonText(reason: Reason): string {
  switch (reason.type) {
    case "mode":
      return m.reason_mode({ mode: modeName(reason.mode) });
    case "outside_high":
      return m.reason_outside_high();
    case "outside_acts":
      return m.reason_outside_acts();
    case "private_may_leave":
      return m.reason_private_may_leave();
  }
}

/** What a part of a shell command does. */
export const effectText = (kind: ShellEffectKind): string =>
  ({
    reads: m.risk_reads, writes: m.risk_writes, deletes: m.risk_deletes, network: m.risk_network, runs_code: m.risk_runs_code, privilege: m.risk_privilege,
    system: m.risk_system, unknown: m.risk_unknown,
  })[kind]();

/** How far a permission reaches. */
export const scopeText = (scope: AllowScope): string => ({ run: m.grant_run, conversation: m.grant_chat, always: m.grant_always })[scope]();
