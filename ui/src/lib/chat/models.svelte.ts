// SPDX-License-Identifier: Apache-2.0
import { call, CommandError, type ModelChoice, type ModelFacts, type ModelView, type Provider, type Settings } from "$lib/backend";

/** What is known of a provider's models. */
export type Listing = { state: "loading" } | { state: "listed"; models: readonly ModelView[] } | { state: "failed"; error: CommandError };

let listings = $state.raw<Readonly<Record<string, Listing>>>({});

/** The models the providers list, asked for when somebody looks. */
export const models = {
  /** What is known of a provider's models right now. */
  of(provider: string): Listing | undefined {
    return listings[provider];
  },
  /** Asks a provider for its models; what it said before stays on show meanwhile. */
  async ask(provider: Provider): Promise<void> {
    if (listings[provider.id]?.state === "loading") return;
    const put = (listing: Listing) => (listings = { ...listings, [provider.id]: listing });
    if (listings[provider.id]?.state !== "listed") put({ state: "loading" });
    try {
      put({ state: "listed", models: await call("model_list", { provider: provider.id }) });
    } catch (error) {
      put({ state: "failed", error: CommandError.from(error) });
    }
  },
};

/** What is known of a model right now: what the person set of it wins over what its provider's list said; `undefined` for nothing at all. */
export function factsOf(choice: ModelChoice | null, settings: Pick<Settings, "models" | "providers">): ModelFacts | undefined {
  if (!choice) return undefined;
  const listing = listings[choice.provider];
  const listed = listing?.state === "listed" ? listing.models.find(({ model }) => model === choice.model)?.facts : undefined;
  const set = settings.models.find(({ model }) => model.provider === choice.provider && model.model === choice.model)?.facts;
  const demo = settings.providers.find(({ id }) => id === choice.provider)?.kind === "demo" ? DEMO : undefined;
  return over(set, over(listed, demo));
}

const DEMO: ModelFacts = { window: null, max_output: null, pictures: false, tools: true, thinks: false, price: null };

function over(first: ModelFacts | undefined, second: ModelFacts | undefined): ModelFacts | undefined {
  if (!first || !second) return first ?? second;
  return {
    window: first.window ?? second.window, max_output: first.max_output ?? second.max_output, pictures: first.pictures ?? second.pictures,
    tools: first.tools ?? second.tools, thinks: first.thinks ?? second.thinks, price: first.price ?? second.price,
  };
}

/** Whether a provider can be asked at all: it has the key it wants. */
export const usable = (provider: Provider): boolean => provider.kind === "demo" || provider.has_key || !provider.wants_key;

/** The models whose name or title has all the words typed. */
export function matching(list: readonly ModelView[], typed: string): readonly ModelView[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? list : list.filter(({ model, title }) => words.every((word) => `${model} ${title ?? ""}`.toLowerCase().includes(word)));
}
