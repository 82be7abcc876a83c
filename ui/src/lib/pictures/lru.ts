// SPDX-License-Identifier: Apache-2.0

/** Keeps the values used last; `drop` is told of those that go. Values that somebody holds stay beyond the limit. */
export class Lru<Value> {
  readonly #limit: number;
  readonly #drop: (value: Value) => void;
  readonly #kept = new Map<string, { value: Value; held: number }>();

  constructor(limit: number, drop: (value: Value) => void) {
    this.#limit = limit;
    this.#drop = drop;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Gives a value to somebody who holds it until `release`; makes it where there is none. */
  hold(key: string, make: () => Value): Value {
    const entry = this.#kept.get(key) ?? { value: make(), held: 0 };
    entry.held += 1;
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    this.#trim();
    return entry.value;
  }

  /** Says that somebody does not hold it any more. */
  release(key: string): void {
    const entry = this.#kept.get(key);
    if (!entry || entry.held === 0) return;
    entry.held -= 1;
    this.#trim();
  }

  /** Forgets a value at once; whoever holds it keeps it. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  #trim(): void {
    for (const [key, { value, held }] of this.#kept) {
      if (this.#kept.size <= this.#limit) return;
      if (held > 0) continue;
      this.#kept.delete(key);
      this.#drop(value);
    }
  }
}
