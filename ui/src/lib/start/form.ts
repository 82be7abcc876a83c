// SPDX-License-Identifier: Apache-2.0
// Adding a provider, step by step: one field to paste into, then what it seems to be, then a test. Pure; the form draws it.
import type { Provider, ProviderDraft, ProviderKind, ProviderPreset, RecognisedProvider } from "$lib/backend/bindings";

/** Where somebody stands who adds or changes a provider. */
export interface Form {
  /** `paste`: the one field. `fields`: what is known, ready to be tested. */
  readonly step: "paste" | "fields";
  /** What was pasted or typed into the one field. It can hold a key. */
  readonly text: string;
  /** Counts questions about it: only the answer to the last one counts. */
  readonly asked: number;
  /** What the text turned out to be. */
  readonly seen: "nothing" | "reading" | "sure" | "unsure" | "unknown";
  /** The text holds a key, which the backend picks out of it. */
  readonly holdsKey: boolean;
  /** Who filled the fields in. */
  readonly from: "text" | "preset" | "hand";
  readonly kind: ProviderKind;
  /** Its name; empty for a name made from the address. */
  readonly name: string;
  readonly url: string;
  /** A key typed for itself. */
  readonly key: string;
  /** Where a key is made, when that is known. */
  readonly keyUrl: string;
  /** The protocol that answered another one's test. */
  readonly switched: boolean;
}

/** What happens to the form. */
export type Step =
  | { type: "text"; text: string }
  | { type: "recognised"; asked: number; seen: RecognisedProvider | null; presets: readonly ProviderPreset[] }
  | { type: "preset"; preset: ProviderPreset }
  | { type: "by_hand" }
  | { type: "again" }
  | { type: "fill"; kind?: ProviderKind; name?: string; url?: string; key?: string }
  | { type: "other_key" }
  | { type: "answered"; protocol: ProviderKind };

const BEGIN: Form = { step: "paste", text: "", asked: 0, seen: "nothing", holdsKey: false, from: "hand", kind: "openai_chat", name: "", url: "", key: "", keyUrl: "", switched: false };

/** The form at its beginning, or with a provider that is to be changed. */
export const begin = (provider?: Provider): Form => (provider ? { ...BEGIN, step: "fields", kind: provider.kind, name: provider.name, url: provider.base_url } : BEGIN);

/** The form after a step. */
export function next(form: Form, step: Step): Form {
  switch (step.type) {
    case "text":
      // Whatever was recognised before was recognised in another text.
      return { ...BEGIN, text: step.text, asked: form.asked + 1, seen: step.text.trim() === "" ? "nothing" : "reading" };
    case "recognised":
      return step.asked === form.asked && form.step === "paste" && form.seen === "reading" ? recognised(form, step.seen, step.presets) : form;
    case "preset": {
      const { kind, name, base_url, key_url } = step.preset;
      return { ...form, step: "fields", from: "preset", kind, name, url: base_url, keyUrl: key_url, ...keyOf(form) };
    }
    case "by_hand": {
      const text = form.text.trim();
      const address = form.url || (looksLikeAddress(text) ? text : "");
      return { ...form, step: "fields", from: "hand", seen: form.seen === "unsure" ? "unsure" : "nothing", url: address, ...(address === text ? {} : keyOf(form)) };
    }
    case "again":
      return { ...BEGIN, asked: form.asked + 1 };
    case "fill": {
      const { type: _, ...filled } = step;
      return { ...form, ...filled, switched: false };
    }
    case "other_key":
      return { ...form, holdsKey: false, text: "" };
    case "answered":
      return step.protocol === form.kind ? form : { ...form, kind: step.protocol, switched: true };
  }
}

function recognised(form: Form, seen: RecognisedProvider | null, presets: readonly ProviderPreset[]): Form {
  if (!seen) return { ...form, seen: "unknown" };
  const { kind, name, base_url, has_key, sure } = seen;
  const known = { ...form, from: "text" as const, seen: sure ? ("sure" as const) : ("unsure" as const), holdsKey: has_key, kind, name, url: base_url, keyUrl: presets.find((preset) => preset.base_url === base_url)?.key_url ?? "" };
  // Without an address somebody has to say whose key it is.
  return base_url === "" ? { ...known, seen: "unsure" } : { ...known, step: "fields" };
}

/** A key of a kind nobody knows is a key all the same, when it is one word and no address. */
function keyOf(form: Form): Partial<Form> {
  const text = form.text.trim();
  if (form.holdsKey || form.seen !== "unknown" || /\s/.test(text) || looksLikeAddress(text)) return {};
  return { key: text, text: "" };
}

/** Whether a word is an address: it has a scheme, is a name with a dot or port, or `localhost`. */
export const looksLikeAddress = (text: string): boolean => /^(?:https?:\/\/\S+|localhost(?::\d+)?(?:\/\S*)?|[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?|[\w.-]+:\d+(?:\/\S*)?)$/i.test(text);

/** Whether a text could hold a key and is not for every eye: a long run of letters and digits that is no address. */
export const secretive = (text: string): boolean => text.split(/[\s"'`,;=]+/).some((word) => /[\w-]{20,}/.test(word) && !/^https?:\/\/[^?@]*$/i.test(word));

/** The host of an address, for a name; the address itself when it can't be read. */
export function host(address: string): string {
  try {
    return new URL(address.includes("://") ? address : `https://${address}`).host;
  } catch {
    return address;
  }
}

/** What is wrong with an address. */
export type AddressTrouble = "missing" | "unreadable" | "scheme" | "credentials" | "cleartext";

/** Looks at an address before anybody is asked; the backend has the last word. */
export function addressTrouble(text: string): AddressTrouble | undefined {
  const address = text.trim();
  if (address === "") return "missing";
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "https" && scheme !== "http") return "scheme";
  let url: URL;
  try {
    url = new URL(scheme ? address : `https://${address}`);
  } catch {
    return "unreadable";
  }
  if (url.username !== "" || url.password !== "") return "credentials";
  return scheme === "http" && !isNear(url.hostname) ? "cleartext" : undefined;
}

/** Whether a host is this machine or on the person's own network. */
function isNear(host: string): boolean {
  if (host === "localhost" || /\.(?:localhost|local)$/.test(host)) return true;
  if (host.startsWith("[")) return /^\[(?:::1|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/.test(host);
  return /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(host) && /^[\d.]+$/.test(host);
}

/** A name no other provider has: "Anthropic", "Anthropic 2", … */
export function distinct(name: string, others: readonly string[]): string {
  const taken = new Set(others.map((other) => other.trim().toLowerCase()));
  let made = name;
  for (let n = 2; taken.has(made.trim().toLowerCase()); n++) made = `${name} ${n}`;
  return made;
}

/** What the commands take. `names` are those of the other providers. */
export function draftOf(form: Form, provider: Provider | undefined, names: readonly string[]): ProviderDraft {
  const url = form.url.trim();
  const key = form.holdsKey ? form.text : form.key.trim();
  return {
    ...(provider ? { id: provider.id } : {}),
    name: distinct(form.name.trim() || host(url), names),
    kind: form.kind,
    base_url: url,
    ...(key ? { key } : {}),
  };
}
