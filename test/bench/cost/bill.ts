import { type Counted, FREE_A_MONTH, PRICES } from "./prices.ts";

/** How much of each priced thing was used. */
export type Amounts = Readonly<Partial<Record<Counted, number>>>;

export interface Bill {
  add(what: Counted, amount: number): void;
  amounts(): Amounts;
}

export const newBill = (): Bill => {
  const amounts = new Map<Counted, number>();
  return {
    add: (what, amount) => void amounts.set(what, (amounts.get(what) ?? 0) + amount),
    amounts: () => Object.fromEntries(amounts),
  };
};

export const scaled = (amounts: Amounts, factor: number): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([what, amount]) => [what, amount * factor]));

export const sum = (...all: readonly Amounts[]): Amounts => {
  const bill = newBill();
  for (const amounts of all) for (const what of counted(amounts)) bill.add(what, amounts[what] ?? 0);
  return bill.amounts();
};

/** What is left when the same time without any load is taken away. */
export const beyond = (amounts: Amounts, idle: Amounts): Amounts => sum(amounts, scaled(idle, -1));

export const usd = (amounts: Amounts): number =>
  counted(amounts).reduce((total, what) => total + (amounts[what] ?? 0) * PRICES[what].usd, 0);

/** What an account pays of a month's amounts that uses the free tier for nothing else. */
export const usdBeyondFree = (amounts: Amounts): number =>
  counted(amounts).reduce((total, what) => total + Math.max(0, (amounts[what] ?? 0) - (FREE_A_MONTH[what] ?? 0)) * PRICES[what].usd, 0);

/** The bill as lines of arithmetic, dearest first. */
export const lines = (amounts: Amounts): readonly string[] =>
  counted(amounts)
    .map((what) => ({ what, amount: amounts[what] ?? 0, usd: (amounts[what] ?? 0) * PRICES[what].usd }))
    .toSorted((a, b) => b.usd - a.usd)
    .map(({ what, amount, usd: cost }) => {
      const price = PRICES[what];
      return `  ${grouped(amount).padStart(14)} × $${price.usd.toPrecision(4).padEnd(10)} = $${cost.toFixed(5).padStart(9)}  ${price.per}`;
    });

const counted = (amounts: Amounts): readonly Counted[] => KEYS.filter((what) => amounts[what] !== undefined);

/** `Object.keys` of a constant table gives its keys and no others. */
const KEYS = Object.keys(PRICES) as readonly Counted[];

const grouped = (amount: number): string => amount.toLocaleString("en-US", { maximumFractionDigits: Math.abs(amount) < 10 ? 4 : 0 });
