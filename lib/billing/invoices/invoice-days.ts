import { DAY_MS } from "../../core/time.ts";
import type { Invoice } from "../invoices.ts";
import type { PlanDays } from "../rating/plan-days.ts";

/**
 * What each product ran on in the period of an invoice. Invoices of releases that did not keep it tell by their lines: use counted from
 * the period's start, and a fee for so many days from there.
 */
export const invoiceDays = ({ days, lines, period_start, period_end }: Invoice): readonly PlanDays[] => {
  if (days.length > 0) return days;
  const [first_day, last] = [period_start / DAY_MS, period_end / DAY_MS - 1];
  const runs = lines
    .filter(({ late_of, carried_from }) => late_of === null && carried_from === null)
    .map(({ product, plan_key, usage_type, quantity, last_day }): PlanDays => {
      const until = usage_type === null ? first_day + quantity - 1 : Math.min(last_day ?? last, last);
      return { product, plan_key, is_trial: false, first_day, last_day: until };
    })
    .filter((run) => run.last_day >= first_day);
  const longest = runs.toSorted((a, b) => a.last_day - b.last_day);
  return [...new Map(longest.map((run) => [`${run.product} ${run.plan_key}`, run])).values()];
};
