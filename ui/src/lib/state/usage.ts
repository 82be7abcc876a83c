// SPDX-License-Identifier: Apache-2.0
// What the providers counted: of one run, and of the model's window.
import type { Message, ModelChoice, RunView, Usage } from "$lib/backend/bindings";

/** What a run used, its requests together. */
export interface Used extends Omit<Usage, "cost"> {
  /** Requests that were counted. */
  requests: number;
  /** In micro-dollars, as far as known; `undefined` when nothing is. */
  cost: number | undefined;
  /** A request of it has no known price. */
  partly: boolean;
}

/** What the run of the message at `index` used up to there; `undefined` when its provider counts nothing. */
export function runUsage(messages: readonly Message[], index: number): Used | undefined {
  const run = messages[index]!.run;
  const sum: Used = { requests: 0, input: 0, cached: 0, cache_write: 0, output: 0, reasoning: 0, cost: undefined, partly: false };
  for (let i = index; i >= 0; i--) {
    const { role, run: other, usage } = messages[i]!;
    if (role !== "assistant" || other !== run) break;
    if (!usage) continue;
    sum.requests += 1;
    for (const key of ["input", "cached", "cache_write", "output", "reasoning"] as const) sum[key] += usage[key];
    if (usage.cost === undefined) sum.partly = true;
    else sum.cost = (sum.cost ?? 0) + usage.cost;
  }
  return sum.requests > 0 ? sum : undefined;
}

/** How much of a model's window the conversation fills. */
export interface Filled {
  /** Tokens of the last request and its answer. */
  used: number;
  /** Tokens that fit. */
  window: number;
}

/**
 * How full the window of `model` is: what the newest answer's request and answer were, against the window its run says, or
 * the one known of the model when it has been changed since. `undefined` where something of it is not known.
 */
export function windowUse(messages: readonly Message[], runs: Readonly<Record<string, RunView>>, model: ModelChoice | null, known: number | null | undefined): Filled | undefined {
  const newest = messages.findLast((message) => message.role === "assistant" && message.usage !== undefined);
  if (!newest?.usage) return undefined;
  const run = runs[newest.run];
  const same = run?.model === undefined || (run.model.provider === model?.provider && run.model.model === model.model);
  const window = (same ? (run?.window ?? known) : known) ?? 0;
  return window > 0 ? { used: newest.usage.input + newest.usage.output, window } : undefined;
}
