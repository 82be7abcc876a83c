// SPDX-License-Identifier: Apache-2.0
import type { Budget, Mode, Settings } from "$lib/backend";

/** The budgets the core has built in. */
export const BUILT_IN: Readonly<Record<Mode, Budget>> = {
  chat: { rounds: 4, calls: 6, active_ms: null },
  chat_plus: { rounds: 8, calls: 25, active_ms: 600_000 },
  act: { rounds: 12, calls: 32, active_ms: 600_000 },
  max: { rounds: 60, calls: 160, active_ms: 3_600_000 },
};

/** What a field takes. */
export const LIMITS = { rounds: { min: 1, max: 500 }, calls: { min: 0, max: 2000 }, minutes: { min: 1, max: 1440 } } as const;

/** The budget a mode has now. */
export const budgetOf = (settings: Pick<Settings, "budgets">, mode: Mode): Budget => settings.budgets[mode] ?? BUILT_IN[mode];

/** Reads a whole number within limits; `undefined` when it is not one. */
export function whole(text: string, { min, max }: { min: number; max: number }): number | undefined {
  if (!/^\s*\d+\s*$/.test(text)) return undefined;
  const n = Number(text);
  return n >= min && n <= max ? n : undefined;
}

/** Whether two budgets are the same. */
export const same = (a: Budget, b: Budget): boolean => a.rounds === b.rounds && a.calls === b.calls && a.active_ms === b.active_ms;
