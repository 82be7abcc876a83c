// SPDX-License-Identifier: Apache-2.0
import type { AllowScope, Answer, ArgumentPattern } from "$lib/backend/bindings";

/** How long a permission may hold, in minutes; `null` is without an end. */
export const MINUTES = { hour: 60, day: 1440, week: 10_080, none: null } as const;
/** A length of time to choose. */
export type Length = keyof typeof MINUTES;

/** A pattern on offer for an argument. */
export interface Offered extends ArgumentPattern {
  /** Whether it counts. */
  used: boolean;
}

/** Longer values are left open at first: hardly any other call would have them. */
const SHORT = 160;

/** A pattern for each argument that fits exactly what it is now. */
export function offered(value: unknown): Offered[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).map(([argument, given]) => {
    const pattern = typeof given === "string" ? given : JSON.stringify(given);
    return { argument, pattern, used: pattern.length <= SHORT && !pattern.includes("\n") };
  });
}

/** The answer that gives a lasting permission. */
export function lasting(scope: AllowScope, length: Length, patterns: readonly Offered[]): Answer {
  return { type: "allow_more", scope, arguments: patterns.filter(({ used }) => used).map(({ argument, pattern }) => ({ argument, pattern })), minutes: MINUTES[length] };
}
