import { cache } from "../../core/cache.ts";

/** What each of many owes, in milliseconds, of which each that passes forgives one. */
export interface Debts {
  /** Milliseconds until all is forgiven. */
  owedMs(who: string, now: number): number;
  add(who: string, now: number, ms: number): void;
}

interface Debt {
  readonly ms: number;
  readonly at: number;
}

/** The debts of so many at most: whoever comes from everywhere must not fill the memory. */
export const openDebts = (capacity: number): Debts => {
  const debts = cache<string, Debt>({ capacity });
  const owedMs = (who: string, now: number): number => {
    const debt = debts.get(who);
    // A clock that was set back would let nobody in until it is there again.
    return debt === undefined || now < debt.at ? 0 : Math.max(0, debt.at + debt.ms - now);
  };
  return { owedMs, add: (who, now, ms) => debts.set(who, { ms: owedMs(who, now) + ms, at: now }) };
};
