import { expect, it } from "vitest";
import { CREDIT_BRACKETS } from "../../../../../lib/billing/credit.ts";
import { bestPurchase } from "./discount.ts";

it.each([
  [1, 0, 1],
  [2_999, 0, 2_999],
  [3_000, 0.1, 3_333.33],
  [19_999, 0.1, 22_221.11],
  [20_000, 0.2, 25_000],
  [100_000, 0.25, 133_333.33],
  [100_001, 0.35, 153_847.69],
])("$%d buys credit at the largest discount that so much credit has", (usd, discount, credit) => {
  expect(bestPurchase([...CREDIT_BRACKETS], usd)).toEqual({ discount, credit });
});

it.each([0, -5, 1.5, Number.NaN])("%d dollars buy nothing", (usd) => {
  expect(bestPurchase([...CREDIT_BRACKETS], usd)).toBeUndefined();
});
