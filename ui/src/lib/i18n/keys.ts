// SPDX-License-Identifier: Apache-2.0
// Words for where keys are kept.
import type { KeyStoreKind } from "$lib/backend/bindings";
import { m } from "$lib/paraglide/messages.js";

/** Where a kind of key store keeps keys. */
export const keysName = (kind: KeyStoreKind): string => ({ system: m.keys_system, file: m.keys_file, passphrase: m.keys_passphrase, memory: m.keys_memory })[kind]();
/** What a kind of key store means for whoever comes near the device. */
export const keysLine = (kind: KeyStoreKind): string =>
  ({ system: m.keys_system_line, file: m.keys_file_line, passphrase: m.keys_passphrase_line, memory: m.keys_memory_line })[kind]();
/** Where a key that is being entered will be kept. */
export const keyKept = (kind: KeyStoreKind): string => ({ system: m.key_kept_system, file: m.key_kept_file, passphrase: m.key_kept_passphrase, memory: m.key_kept_memory })[kind]();
