import type { Table } from "../../ports/table.ts";
import { list } from "../../table/store.ts";
import { type Catalogue, itemOf, planOf, tiersOf } from "../catalogue/catalogue.ts";
import { catalogueOf, currentCatalogue } from "../catalogue/current-catalogue.ts";
import { isMade } from "../invoices/invoice-states.ts";
import { type Invoice, Invoices } from "../invoices.ts";
import { centsOfNano } from "../money.ts";
import type { Period } from "../period.ts";
import { type DailyUsage, unitsOf } from "../period-usage.ts";
import type { Subscription } from "../subscriptions.ts";
import { type Charge, chargesOf } from "./charges.ts";
import { costOf } from "./rating.ts";

/** A billing period with the prices that hold in it, and its invoice once that is made. */
export interface PricedPeriod {
  readonly period: Period;
  readonly catalogue: Catalogue;
  readonly made: Invoice | undefined;
}

/** The periods, each with the price list that its invoice names; one without an invoice has the list that holds now. */
export const pricedPeriods = async (
  table: Table,
  organization_id: string,
  periods: readonly Period[],
  now: number,
): Promise<readonly PricedPeriod[]> => {
  const [invoices, current] = await Promise.all([
    list(table, Invoices, "key", { organization_id }, { consistent: true }),
    currentCatalogue(table, now),
  ]);
  const known = new Map<string, Promise<Catalogue>>();
  const named = (id: string): Promise<Catalogue> => {
    const found = known.get(id) ?? catalogueOf(table, id);
    known.set(id, found);
    return found;
  };
  return Promise.all(
    periods.map(async (period) => {
      const invoice = invoices.find(({ period_start }) => period_start === period.start);
      const catalogue = invoice === undefined ? current : await named(invoice.catalogue_id);
      return { period, catalogue, made: invoice !== undefined && isMade(invoice) ? invoice : undefined };
    }),
  );
};

/** What a period costs: by what its invoice says was sold, else by what is subscribed. */
export const chargesIn = (
  { period, catalogue, made }: PricedPeriod,
  subscription: Pick<Subscription, "items"> | undefined,
  usage: DailyUsage,
): readonly Charge[] => (made === undefined ? chargesOf(subscription, catalogue, period, usage) : chargesSold(made, catalogue, usage));

/** The charges of an invoice, with what was counted since. */
const chargesSold = ({ lines }: Invoice, catalogue: Catalogue, usage: DailyUsage): readonly Charge[] =>
  lines.flatMap((line): readonly Charge[] => {
    const item = itemOf(catalogue, line.product);
    const plan = item && planOf(item, line.plan_key);
    if (line.late_of !== null || item === undefined || plan === undefined) return [];
    const { last_day: lastDay, usage_type } = line;
    if (usage_type === null) {
      return [{ kind: "fee", item, plan, quantity: BigInt(line.quantity), lastDay, cents: BigInt(line.cents) }];
    }
    const quantity = unitsOf(usage, usage_type, lastDay === null ? {} : { to: lastDay });
    return [{ kind: "use", item, plan, quantity, lastDay, cents: centsOfNano(costOf(tiersOf(plan), quantity)) }];
  });
