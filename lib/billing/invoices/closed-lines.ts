import { periodPrices } from "../catalogue/period-prices.ts";
import { readPriceHistory } from "../catalogue/price-history.ts";
import type { BillingParts } from "../commands.ts";
import type { CustomerState } from "../customer.ts";
import type { Invoice, InvoiceLine } from "../invoices.ts";
import { rateDays } from "../rating/charges.ts";
import { readPeriodUsage } from "../rating/period.ts";
import type { PlanDays } from "../rating/plan-days.ts";
import { plansByDay } from "../rating/plans-by-day.ts";
import { chargeLine } from "./charge-line.ts";
import { lateLines } from "./late-lines.ts";

/** The charges of a period that is over. */
export interface ClosedLines {
  readonly lines: readonly InvoiceLine[];
  readonly days: readonly PlanDays[];
}

/**
 * What a period that is over cost, with what was counted late of those before it, whose invoices are `made`, the newest first; and what
 * its products ran on.
 */
export const closedLines = async (
  parts: BillingParts,
  invoice: Invoice,
  customer: CustomerState,
  made: readonly Invoice[],
): Promise<ClosedLines> => {
  const period = { start: invoice.period_start, end: invoice.period_end };
  const [history, usage] = await Promise.all([readPriceHistory(parts.table), readPeriodUsage(parts, invoice.organization_id, period)]);
  const anchorDay = customer.account.anchor_day;
  const prices = periodPrices(history, anchorDay, period, invoice.catalogue_id);
  const days = plansByDay(customer, prices, parts.clock.now());
  const own = rateDays({ runs: days, usage }, prices).map(chargeLine);
  return { days, lines: [...own, ...(await lateLines(parts, invoice, made, { history, anchorDay }))] };
};
