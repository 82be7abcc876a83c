// SPDX-License-Identifier: Apache-2.0
// Words that most chats do without: they are fetched when somebody first asks for one, and what shows them is then drawn again.
import { createSubscriber } from "svelte/reactivity";

type LateWords = typeof import("./device");

let words: LateWords | undefined;
let asked = false;
const waiting = new Set<() => void>();
const watch = createSubscriber((update) => {
  waiting.add(update);
  return () => waiting.delete(update);
});

/** The words for the tools on a device; `undefined` while they are on their way. */
export function lateWords(): LateWords | undefined {
  if (words) return words;
  watch();
  if (!asked) {
    asked = true;
    import("./device").then(
      (module) => {
        words = module;
        for (const update of waiting) update();
      },
      // Asked again by whoever looks next.
      () => (asked = false),
    );
  }
  return undefined;
}
