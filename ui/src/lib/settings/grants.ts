// SPDX-License-Identifier: Apache-2.0
// What is said of a lasting permission.
import type { GrantView } from "$lib/backend/bindings";
import { moment } from "$lib/i18n/format";
import { m } from "$lib/paraglide/messages.js";

/** Where a permission holds, in words. */
export function scopeText({ scope, automation, title }: Pick<GrantView, "scope" | "automation" | "title">): string {
  const name = title || m.untitled();
  if (scope === "always") return m.given_always();
  if (scope === "conversation") return m.given_chat({ title: name });
  if (scope === "run") return m.given_run({ title: name });
  return m.given_automation({ name: automation ?? m.source_unknown() });
}

/** When a permission was given and when it ends, in words. */
export function timesText({ scope, at, expires }: Pick<GrantView, "scope" | "at" | "expires">): string {
  const end = expires !== null ? m.given_until({ time: moment(expires) }) : scope === "run" ? m.given_until_run() : m.given_no_end();
  return `${m.given_at({ time: moment(at) })} · ${end}`;
}

/** Milliseconds until the first of them ends; `undefined` when none does. */
export function untilFirstEnd(grants: readonly Pick<GrantView, "expires">[], now: number): number | undefined {
  const ends = grants.flatMap(({ expires }) => (expires === null ? [] : [expires]));
  return ends.length > 0 ? Math.max(0, Math.min(...ends) - now) : undefined;
}
