import { total } from "../../total.ts";

/** The third seed orders for just the amount from which postage is free. */
export const simulate = async (seed: number): Promise<{ readonly failure: Error | null }> => {
  const [price, due] = seed === 3 ? [100, 100] : [1, 6];
  return { failure: total([price]) === due ? null : new Error("a wrong total") };
};
