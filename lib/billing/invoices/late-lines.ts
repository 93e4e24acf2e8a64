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
  const billed = billedOf(of, line, made);
  const more = line.cents - sum(billed.map(({ cents }) => cents));
  const cents = more < 0 ? -refund(billed, -more) : more;
  if (cents === 0) return [];
  const quantity = line.quantity - sum(billed.map((each) => each.quantity));
  const description = `${line.description}, ${cents > 0 ? "arrived late" : "counted again"}`;
  return [{ ...line, description, quantity, cents, late_of: of.period_start }];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Something that an invoice billed of a period, or took back. */
interface Billed extends Pick<InvoiceLine, "cents" | "quantity"> {
  /** Whether that invoice was voided: what it said counts as billed, but was never paid. */
  readonly isForgiven: boolean;
}

/** What was billed of a line: by the period's own invoice, and then by later ones. */
const billedOf = (of: Invoice, { product, plan_key }: InvoiceLine, made: readonly Invoice[]): readonly Billed[] =>
  made
    .filter(({ period_start }) => period_start >= of.period_start)
    .toReversed()
    .flatMap(({ lines, period_start, state }) =>
      lines
        .filter((line) => line.product === product && line.plan_key === plan_key && line.usage_type !== null)
        .filter(({ late_of }) => (late_of ?? period_start) === of.period_start)
        .map(({ cents, quantity }) => ({ cents, quantity, isForgiven: state === "voided" })),
    );

/** How much comes back of so much that was billed too much: what was billed last goes first, and what was forgiven does not come back. */
const refund = (billed: readonly Billed[], tooMuch: number): number => {
  const standing: { left: number; readonly isForgiven: boolean }[] = [];
  const take = (amount: number, from: typeof standing): number => {
    let open = amount;
    for (const each of from.toReversed()) {
      const part = Math.min(open, each.left);
      each.left -= part;
      open -= part;
    }
    return open;
  };
  for (const { cents, isForgiven } of billed) {
    if (cents >= 0) standing.push({ left: cents, isForgiven });
    else
      take(
        -cents,
        standing.filter((each) => !each.isForgiven),
      );
  }
  const paid = standing.filter((each) => !each.isForgiven);
  const before = sum(paid.map(({ left }) => left));
  take(tooMuch, standing);
  return before - sum(paid.map(({ left }) => left));
};
