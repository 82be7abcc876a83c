// SPDX-License-Identifier: Apache-2.0
import { CommandError } from "$lib/backend";
import { m } from "$lib/paraglide/messages.js";
import { getLocale } from "$lib/paraglide/runtime.js";

const WORDS: Record<CommandError["code"], () => string> = {
  bad_request: m.command_bad_request, not_found: m.command_not_found, stale: m.command_stale, busy: m.command_busy, no_model: m.command_no_model,
  endpoint: m.command_endpoint, keys: m.command_keys, storage: m.command_storage, internal: m.command_internal, offline: m.command_offline, locked: m.command_locked,
};
/** Kinds whose message holds something the kind alone does not say. */
const DETAILED = new Set<CommandError["code"]>(["bad_request", "endpoint", "keys", "storage", "internal"]);

/** A failed command in a sentence. The backend speaks English, so in other languages its words only follow ours. */
export function errorText(error: unknown): string {
  const { code, message } = CommandError.from(error);
  const words = (Object.hasOwn(WORDS, code) ? WORDS[code] : m.command_internal)();
  if (!DETAILED.has(code) || !message) return words;
  // It is written to stand after a colon, and here it stands alone.
  return getLocale() === "en" ? message[0]!.toUpperCase() + message.slice(1) : m.command_with_detail({ words, detail: message });
}
