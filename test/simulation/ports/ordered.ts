import { byteOrder } from "../../../lib/core/byte-order.ts";

/** Values in the order of their keys, by UTF-8 bytes; read one at a time, so that it may change between two reads. */
export class Ordered<T> {
  readonly #keys: string[] = [];
  readonly #values = new Map<string, T>();

  at(key: string): T | undefined {
    return this.#values.get(key);
  }

  add(key: string, value: T): void {
    if (!this.#values.has(key)) this.#keys.splice(this.#place(key), 0, key);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (this.#values.delete(key)) this.#keys.splice(this.#place(key), 1);
  }

  values(): readonly T[] {
    return [...this.#values.values()];
  }

  /** The first entry behind `after` within the bounds, both inclusive. */
  next(
    after: string | null,
    descending: boolean,
    bounds: { readonly from: string; readonly to: string },
  ): readonly [string, T] | undefined {
    const key = descending ? this.#last(after, bounds.to) : this.#first(after, bounds.from);
    if (key === undefined || byteOrder(key, bounds.from) < 0 || byteOrder(key, bounds.to) > 0) return undefined;
    const value = this.#values.get(key);
    return value === undefined ? undefined : [key, value];
  }

  #first(after: string | null, from: string): string | undefined {
    if (after === null) return this.#keys[this.#place(from)];
    const place = this.#place(after);
    return this.#keys[this.#keys[place] === after ? place + 1 : place];
  }

  #last(before: string | null, to: string): string | undefined {
    if (before !== null) return this.#keys[this.#place(before) - 1];
    const place = this.#place(to);
    return this.#keys[place] === to ? to : this.#keys[place - 1];
  }

  /** Where the key is, or would be: the first place whose key is not before it. */
  #place(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    // The usual case is a key behind all others.
    if (high > 0 && byteOrder(this.#keys[high - 1] ?? "", key) < 0) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byteOrder(this.#keys[middle] ?? "", key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
