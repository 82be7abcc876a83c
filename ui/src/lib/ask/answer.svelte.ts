// SPDX-License-Identifier: Apache-2.0
import { call, CommandError, type Answer } from "$lib/backend";
import { errorText } from "$lib/i18n/errors";
import { m } from "$lib/paraglide/messages.js";
import { app } from "$lib/state/app.svelte";
import { toasts } from "$lib/state/toasts.svelte";

/** For so long after a question appears no tap counts: it was meant for what stood there before. Words are typed for it alone. */
const GUARD_MS = 400;

/** One question on show, and the one answer it takes. */
export class Answering {
  /** An answer is on its way. */
  sent = $state(false);
  /** The answer that arrived. */
  given = $state.raw<Answer | undefined>();
  /** Why the last one did not arrive. */
  failure = $state<string | undefined>();
  readonly #ask: string;
  readonly #shown = performance.now();

  constructor(ask: string) {
    this.#ask = ask;
  }

  /** Gives the answer; a second one, and one given too early, does nothing. */
  async give(answer: Answer): Promise<void> {
    const early = answer.type !== "text" && performance.now() - this.#shown < GUARD_MS;
    if (this.sent || early) return;
    this.sent = true;
    this.failure = undefined;
    try {
      await call("ask_answer", { ask: this.#ask, answer });
      this.given = answer;
      app.drop(this.#ask);
    } catch (error) {
      const { code } = CommandError.from(error);
      if (code === "stale" || code === "not_found") {
        toasts.show(m.already_answered());
        app.drop(this.#ask);
        return;
      }
      this.failure = m.answer_failed({ message: errorText(error) });
      this.sent = false;
    }
  }
}
