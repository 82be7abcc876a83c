// SPDX-License-Identifier: Apache-2.0
import { call, CommandError } from "$lib/backend";
import { errorText } from "$lib/i18n/errors";
import { m } from "$lib/paraglide/messages.js";
import { app } from "$lib/state/app.svelte";

/** One try after another to open the keys. */
export class Unlocking {
  passphrase = $state("");
  busy = $state(false);
  failure = $state<string | undefined>();

  /** Tries it; the passphrase does not outlive a try that worked. */
  async go(): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.failure = undefined;
    try {
      app.take(await call("keys_unlock", { passphrase: this.passphrase }));
      this.passphrase = "";
      return true;
    } catch (error) {
      // Where nothing else is the matter with the keys, it was the passphrase.
      const { kind, problem } = app.settings.keys;
      this.failure = CommandError.from(error).code === "keys" && kind === "passphrase" && problem === null ? m.keys_wrong() : errorText(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
