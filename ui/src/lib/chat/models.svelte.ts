// SPDX-License-Identifier: Apache-2.0
import { call, CommandError, type Provider } from "$lib/backend";

/** What is known of a provider's models. */
export type Listing = { state: "loading" } | { state: "listed"; models: readonly string[] } | { state: "failed"; error: CommandError };

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

/** Whether a provider can be asked at all: it has the key it wants. */
export const usable = (provider: Provider): boolean => provider.kind === "demo" || provider.has_key || !provider.wants_key;
