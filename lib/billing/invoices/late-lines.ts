import { DAY_MS } from "../../core/time.ts";
import type { ReadUsage } from "../../usage/roll-ups.ts";
import { periodPrices } from "../catalogue/period-prices.ts";
import type { PriceHistory } from "../catalogue/price-history.ts";
import type { Invoice, InvoiceLine } from "../invoices.ts";
import { type Charge, rateDays } from "../rating/charges.ts";
import { type DailyUsage, readPeriodUsage } from "../rating/period.ts";
import { chargeLine } from "./charge-line.ts";
import { invoiceDays } from "./invoice-days.ts";

/** So many periods back late events are still billed: a year. */
const LOOK_BACK = 12;

/**
 * Lines for what the count of an earlier period says otherwise than when its invoice was made: what its days cost by now, at the prices
 * and the plans that they had, less what its own lines and later ones have billed of it. Below zero where less is counted by now; but
 * what a voided invoice forgave is not given back.
 */
export const lateLines = async (
  parts: ReadUsage,
  invoice: Invoice,
  made: readonly Invoice[],
  { history, anchorDay }: { readonly history: PriceHistory; readonly anchorDay: number },
): Promise<readonly InvoiceLine[]> => {
  const earlier = made.filter(({ period_end }) => period_end <= invoice.period_start).slice(0, LOOK_BACK);
  const oldest = earlier.at(-1);
  if (oldest === undefined) return [];
  const usage = await readPeriodUsage(parts, invoice.organization_id, { start: oldest.period_start, end: invoice.period_start });
  return earlier.flatMap((of) => {
    const period = { start: of.period_start, end: of.period_end };
    const prices = periodPrices(history, anchorDay, period, of.catalogue_id);
    return rateDays({ runs: invoiceDays(of), usage: within(usage, period) }, prices)
      .filter(({ kind }) => kind === "use")
      .flatMap((charge) => lateLine(of, charge, made));
  });
};

const within = (usage: DailyUsage, { start, end }: { readonly start: number; readonly end: number }): DailyUsage =>
  new Map([...usage].map(([type, days]) => [type, new Map([...days].filter(([day]) => day * DAY_MS >= start && day * DAY_MS < end))]));

const lateLine = (of: Invoice, charge: Charge, made: readonly Invoice[]): readonly InvoiceLine[] => {
  const line = chargeLine(charge);
  const billed = [
    ...of.lines.filter(({ late_of }) => late_of === null),
    ...made.flatMap(({ lines }) => lines.filter(({ late_of }) => late_of === of.period_start)),
  ].filter(({ product, plan_key, usage_type }) => product === line.product && plan_key === line.plan_key && usage_type !== null);
  const cents = line.cents - billed.reduce((sum, each) => sum + each.cents, 0);
  const quantity = line.quantity - billed.reduce((sum, each) => sum + each.quantity, 0);
  if (cents === 0 || (cents < 0 && of.state === "voided")) return [];
  const description = `${line.description}, ${cents > 0 ? "arrived late" : "counted again"}`;
  return [{ ...line, description, quantity, cents, late_of: of.period_start }];
};
