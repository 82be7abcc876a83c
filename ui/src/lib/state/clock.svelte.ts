// SPDX-License-Identifier: Apache-2.0
import { createSubscriber } from "svelte/reactivity";

/** A clock that ticks only while somebody looks at it. */
function ticking(every: number, read: () => number): () => number {
  const subscribe = createSubscriber((update) => {
    const timer = setInterval(update, every);
    return () => clearInterval(timer);
  });
  return () => {
    subscribe();
    return read();
  };
}

/** Milliseconds of the page's monotonic clock, four times a second: for countdowns and running times. */
export const monotonic = ticking(250, () => performance.now());
/** Milliseconds since 1970, once a minute: for dates. */
export const today = ticking(60_000, () => Date.now());
/** Milliseconds since 1970, twice a second: for how long something has been going on. */
export const wall = ticking(500, () => Date.now());
