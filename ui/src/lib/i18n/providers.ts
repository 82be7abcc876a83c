// SPDX-License-Identifier: Apache-2.0
// Words for providers and their models.
import type { Effort, ModelFacts, Price, ProviderKind } from "$lib/backend/bindings";
import { m } from "$lib/paraglide/messages.js";
import { tokens } from "./format";
import { exactMoney } from "./money";

/** The protocols a person can choose. */
export const KINDS: readonly ProviderKind[] = ["openai_chat", "openai_responses", "anthropic", "gemini"];

/** The name of a protocol. */
export const kindName = (kind: ProviderKind): string =>
  ({ demo: m.demo_name, openai_chat: m.kind_openai_chat, openai_responses: m.kind_openai_responses, anthropic: m.kind_anthropic, gemini: m.kind_gemini })[kind]();

/** The name of a well-known provider; the region some have is in the person's language. */
export const presetName = (name: string): string => name.replace(/\s*\(China\)$/, () => m.region_china());

/** How much a model should think. */
export const effortName = (effort: Effort | null): string =>
  effort === null ? m.effort_provider() : { off: m.effort_off, low: m.effort_low, medium: m.effort_medium, high: m.effort_high }[effort]();

/** A price in a few characters. */
export const priceText = (price: Price | null): string =>
  price === null ? m.price_unknown() : price.input === 0 && price.output === 0 ? m.price_free() : m.price({ input: exactMoney(price.input), output: exactMoney(price.output) });

/** A model's window in a few characters. */
export const windowText = (facts: Pick<ModelFacts, "window">): string | undefined => (facts.window === null ? undefined : tokens(facts.window));
