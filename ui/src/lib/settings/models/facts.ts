// SPDX-License-Identifier: Apache-2.0
// What a person sets of one model: the sheet's fields, and what they mean.
import type { Effort, ModelChoice, ModelFacts, ModelSettings, ModelView, Price } from "$lib/backend/bindings";
import { readTokens } from "$lib/i18n/format";
import { plainMoney, readMoney } from "$lib/i18n/money";

/** The fields as they stand in the sheet. */
export interface Fields {
  window: string;
  max_output: string;
  input: string;
  output: string;
  cached: string;
  cache_write: string;
  pictures: "auto" | "yes" | "no";
  effort: Effort | "provider";
}
/** The fields that are typed into. */
export type Typed = Exclude<keyof Fields, "pictures" | "effort">;

/** The dearest price a model can have, in micro-dollars a million tokens. */
export const DEAREST = 4_294_967_295;
const NOTHING: ModelFacts = { window: null, max_output: null, pictures: null, tools: null, thinks: null, price: null };

/** The fields of what the person has set so far. */
export function fieldsOf({ set, effort }: Pick<ModelView, "set" | "effort">): Fields {
  const price = (key: keyof Price) => (set.price === null ? "" : plainMoney(set.price[key]));
  return {
    window: set.window === null ? "" : String(set.window),
    max_output: set.max_output === null ? "" : String(set.max_output),
    input: price("input"), output: price("output"), cached: price("cached"), cache_write: price("cache_write"),
    pictures: set.pictures === null ? "auto" : set.pictures ? "yes" : "no",
    effort: effort ?? "provider",
  };
}

/** What the fields mean, or the one that can't be read; `missing` when it has to be filled in because of another. */
export type Read = { settings: ModelSettings } | { wrong: Typed; missing: boolean };

/** Reads the fields. `set` holds what the sheet does not show. */
export function readFields(fields: Fields, model: ModelChoice, set: ModelFacts = NOTHING): Read {
  const window = readTokens(fields.window);
  if (window === undefined) return { wrong: "window", missing: false };
  const max_output = readTokens(fields.max_output);
  if (max_output === undefined) return { wrong: "max_output", missing: false };
  const price: Partial<Record<keyof Price, number | null>> = {};
  for (const key of ["input", "output", "cached", "cache_write"] as const) {
    const read = readMoney(fields[key], DEAREST);
    if (read === undefined) return { wrong: key, missing: false };
    price[key] = read;
  }
  const { input = null, output = null, cached = null, cache_write = null } = price;
  const any = [input, output, cached, cache_write].some((value) => value !== null);
  // Half a price would count half the money.
  if (any && input === null) return { wrong: "input", missing: true };
  if (any && output === null) return { wrong: "output", missing: true };
  return {
    settings: {
      model,
      facts: {
        ...set,
        window,
        max_output,
        pictures: fields.pictures === "auto" ? null : fields.pictures === "yes",
        price: input === null || output === null ? null : { input, output, cached, cache_write },
      },
      effort: fields.effort === "provider" ? null : fields.effort,
    },
  };
}

/** The settings that make a model forget what was set. */
export const forgotten = (model: ModelChoice): ModelSettings => ({ model, facts: NOTHING, effort: null });

/** Whether the person has set anything of a model. */
export const isSet = ({ set, effort }: Pick<ModelView, "set" | "effort">): boolean => effort !== null || Object.values(set).some((value) => value !== null);
