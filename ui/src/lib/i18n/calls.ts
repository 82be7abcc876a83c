// SPDX-License-Identifier: Apache-2.0
// Names of arguments, for a call that is looked into or asked about.
import { m } from "$lib/paraglide/messages.js";
import { lateWords } from "./late";
import { plain } from "./words";

type Words = Record<string, () => string>;
// Spelt out, so that a bundle holds only the words it shows.
const LABELS: Words = {
  expression: m.arg_expression, command: m.arg_command, path: m.arg_path, content: m.arg_content, text: m.arg_text, query: m.arg_query, timezone: m.arg_timezone, question: m.arg_question,
  choices: m.arg_choices, steps: m.arg_steps, limit: m.arg_limit, timeout_s: m.arg_timeout_s, url: m.arg_url, name: m.arg_name, to: m.arg_to, recipients: m.arg_recipients,
  recipient: m.arg_to, amount: m.arg_amount, subject: m.arg_subject, body: m.arg_body, title: m.arg_title, task: m.arg_task, place: m.arg_place, latitude: m.arg_latitude,
  longitude: m.arg_longitude, days: m.arg_days, count: m.arg_count, page: m.arg_page,
};

/** The label of an argument. */
export const argumentLabel = (name: string): string => (Object.hasOwn(LABELS, name) ? LABELS[name]!() : (lateWords()?.argumentLabel(name) ?? plain(name)));

/** Where in the arguments a value stands: `recipients[1]` as "Recipients, no. 2". */
export function pathLabel(path: string): string {
  const steps = [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)];
  let words = "";
  for (const [, index, name] of steps) words = index !== undefined ? m.arg_nth({ argument: words, n: Number(index) + 1 }) : words ? `${words} › ${argumentLabel(name!)}` : argumentLabel(name!);
  return words || path;
}
