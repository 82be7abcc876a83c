// SPDX-License-Identifier: Apache-2.0
// What can be said about the settings of the web before anybody else is asked.
import type { SearchEngine } from "$lib/backend/bindings";

/** The engines, in the order they are offered. */
export const ENGINES: readonly SearchEngine[] = ["automatic", "searxng", "brave", "tavily"];

/** Engines that want a key: what they are called, and where one is to be had. */
export const KEYED: Partial<Record<SearchEngine, { name: string; url: string }>> = {
  brave: { name: "Brave", url: "https://api-dashboard.search.brave.com/app/keys" },
  tavily: { name: "Tavily", url: "https://app.tavily.com/home" },
};

/** What is wrong with the address of a server. */
export type AddressTrouble = "missing" | "scheme" | "login" | "rest" | "bad";

/** Looks at the address of a SearXNG. */
export function addressTrouble(text: string): AddressTrouble | undefined {
  const address = text.trim();
  if (address === "") return "missing";
  if (!/^https?:\/\//i.test(address)) return "scheme";
  // A URL fills in what is missing and takes out what is wrong: what was typed is looked at.
  if (/[?#]/.test(address)) return "rest";
  if (/^https?:\/\/[^/]*@/i.test(address)) return "login";
  return URL.canParse(address) && !/[\s\\]/.test(address) ? undefined : "bad";
}
