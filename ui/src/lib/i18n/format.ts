// SPDX-License-Identifier: Apache-2.0
import { m } from "$lib/paraglide/messages.js";
import { getLocale } from "$lib/paraglide/runtime.js";

const DAY_MS = 86_400_000;
const tag = () => (getLocale() === "zh" ? "zh-CN" : "en");

/** A length of time in a person's words; `ms` in milliseconds. */
export function duration(ms: number): string {
  if (ms < 1000) return m.time_ms({ ms: Math.round(ms) });
  if (ms < 10_000) return m.time_s({ s: (Math.floor(ms / 100) / 10).toLocaleString(tag()) });
  if (ms < 60_000) return m.time_s({ s: Math.floor(ms / 1000) });
  const seconds = Math.floor(ms / 1000);
  return m.time_min_s({ min: Math.floor(seconds / 60), s: seconds % 60 });
}

/** A countdown: whole seconds, rounded up so that it never shows 0 while time is left. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? m.time_s({ s: seconds }) : m.time_min_s({ min: Math.floor(seconds / 60), s: seconds % 60 });
}

/** The start of the local day that holds `at`. */
function day(at: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** Whole local days between `at` and `now`; a day lighter or heavier by a time change still counts as one. */
export function daysAgo(at: number, now: number): number {
  return Math.round((day(now) - day(at)) / DAY_MS);
}

/** When something happened, as short as it stays clear: a time, a weekday or a date. */
export function when(at: number, now: number): string {
  const days = daysAgo(at, now);
  const date = new Date(at);
  if (days <= 0) return date.toLocaleTimeString(tag(), { hour: "numeric", minute: "2-digit" });
  if (days < 7) return date.toLocaleDateString(tag(), { weekday: "short" });
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString(tag(), sameYear ? { month: "short", day: "numeric" } : { year: "numeric", month: "short", day: "numeric" });
}

/** Date and time in full, for a title or a sentence. */
export function moment(at: number): string {
  return new Date(at).toLocaleString(tag(), { dateStyle: "medium", timeStyle: "short" });
}

/** Which heading of the chat list a conversation stands under. */
export function dayGroup(at: number, now: number): "today" | "yesterday" | "week" | "older" {
  const days = daysAgo(at, now);
  return days <= 0 ? "today" : days === 1 ? "yesterday" : days < 7 ? "week" : "older";
}

/** A number with the separators of the language. */
export function number(n: number): string {
  return n.toLocaleString(tag());
}

/** A number of tokens, short: 512, 8.19 k, 200 k, 1.05 M. */
export function tokens(n: number): string {
  const short = (value: number, unit: string) => `${value.toLocaleString(tag(), { maximumSignificantDigits: 3 })}\u00a0${unit}`;
  if (n < 1000) return number(n);
  return n < 999_500 ? short(n / 1000, "k") : short(n / 1_000_000, "M");
}

/** Reads a number of tokens from 1 to `most`: plain, in groups of three, or with k, M or 万. `null` for an empty field, `undefined` for anything else. */
export function readTokens(text: string, most = 100_000_000): number | null | undefined {
  const bare = text.normalize("NFKC").trim().replace(/\s*(?:tokens?|个?词元)$/i, "");
  if (bare === "") return null;
  const read = /^(.*?)\s*([km万])?$/i.exec(bare)!;
  const [, digits = "", unit = ""] = read;
  const times = { "": 1, k: 1000, m: 1_000_000, "万": 10_000 }[unit.toLowerCase()] ?? 1;
  const grouped = /^\d{1,3}(?:([ ,.'_’])\d{3})(?:\1\d{3})*$/.test(digits);
  const plain = unit === "" ? (grouped ? digits.replace(/\D/g, "") : digits) : digits.replace(",", ".");
  if (!(unit === "" ? /^\d+$/ : /^\d+(?:\.\d+)?$/).test(plain)) return undefined;
  const n = Math.round(Number(plain) * times);
  return n >= 1 && n <= most ? n : undefined;
}

/** A part of a whole in per cent, from 0 to 100. */
export function percent(part: number, whole: number): string {
  const share = whole > 0 ? Math.min(1, part / whole) : 0;
  return share.toLocaleString(tag(), { style: "percent", maximumFractionDigits: 0 });
}
