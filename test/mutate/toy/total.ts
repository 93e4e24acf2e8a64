const FREE_FROM = 100;
const POSTAGE = 5;

/** What an order costs. */
export const total = (prices: readonly number[]): number => {
  const sum = prices.reduce((all, price) => all + price, 0);
  if (sum >= FREE_FROM) return sum;
  return sum + POSTAGE;
};

export const cheapest = (prices: readonly number[]): number | undefined => prices.toSorted((a, b) => a - b)[0];
