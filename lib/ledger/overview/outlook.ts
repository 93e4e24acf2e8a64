import type { Catalogue } from "../catalogue/catalogue.ts";
import { type Period, periodAt } from "../period.ts";
import type { DailyUsage } from "../period-usage.ts";
import { type CustomLimits, limitsIn } from "../rating/limits.ts";
import type { Standing } from "../standing.ts";

/** Everything that an overview is made of. */
export interface Outlook {
  readonly standing: Standing;
  readonly catalogue: Catalogue;
  readonly usage: DailyUsage;
  readonly period: Period;
  readonly limits: CustomLimits;
  readonly now: number;
}

/** An outlook on the period that a moment lies in. */
export const outlookAt = (standing: Standing, catalogue: Catalogue, usage: DailyUsage, now: number): Outlook => {
  const period = periodAt(standing.account.anchor_day, now);
  return { standing, catalogue, usage, period, limits: limitsIn(standing.account, period), now };
};
