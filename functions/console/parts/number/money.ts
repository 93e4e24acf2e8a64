import { formatUnitPrice, parseUsd } from "../../../../lib/core/money.ts";

/** The API's numbers of dollars have six places at most. */
const PLACES = 6;

/** A decimal of dollars as `$1 234.50`: all its places, at least two, and thin spaces between its thousands. */
export const usdText = (usd: string | number): string => {
  const text = decimal(usd);
  const [whole = "0", places = ""] = text.replace("-", "").split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, "\u202f");
  return `${text.startsWith("-") ? "−" : ""}$${grouped}.${places.replace(/0+$/, "").padEnd(2, "0")}`;
};

/** The exact sum of amounts, as a decimal. */
export const sumUsd = (amounts: readonly (string | number)[]): string =>
  formatUnitPrice(amounts.reduce((sum, usd) => sum + parseUsd(decimal(usd)), 0n));

const decimal = (usd: string | number): string => (typeof usd === "number" ? usd.toFixed(PLACES) : usd);
