import type { Catalogue } from "../catalogue/catalogue.ts";
import type { CustomerState } from "../customer-state.ts";
import { type Period, periodAt } from "../period.ts";
import type { DailyUsage } from "../period-usage.ts";
import { type CustomLimits, limitsIn } from "../rating/limits.ts";

/** Everything that an overview is made of. */
export interface Outlook {
  readonly customer: CustomerState;
  readonly catalogue: Catalogue;
  readonly usage: DailyUsage;
  readonly period: Period;
  readonly limits: CustomLimits;
  readonly now: number;
}

/** An outlook on the period that a moment lies in. */
export const outlookAt = (customer: CustomerState, catalogue: Catalogue, usage: DailyUsage, now: number): Outlook => {
  const period = periodAt(customer.account.anchor_day, now);
  return { customer, catalogue, usage, period, limits: limitsIn(customer.account, period), now };
};
