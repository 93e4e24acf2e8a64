/** A stream of pseudo-random choices that a seed decides, the same on every machine. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** An object with one of the values under the name, or none, with this probability. */
  some(name: string, values: readonly unknown[], probability: number): Record<string, unknown>;
}

/** Mulberry32. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new RangeError("there is nothing to pick from");
    return item;
  };
  return {
    below,
    chance: (probability) => next() < probability,
    pick,
    some: (name, values, probability) => (next() < probability ? { [name]: values[below(values.length)] } : {}),
  };
};
