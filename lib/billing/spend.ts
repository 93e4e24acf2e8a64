import { centsToNano, type NanoDollars, roundToCents, split } from "../core/money.ts";
import { DAY_MS } from "../core/time.ts";
import type { Table } from "../ports/table.ts";
import { list } from "../table/store.ts";
import { isUsageType } from "../usage/identifiers.ts";
import { eachCount, type Run } from "../usage/runs.ts";
import { allItems, type Catalogue, findItem, findPlan, type Item, ratingTiers } from "./catalogue/catalogue.ts";
import { catalogueById, currentCatalogue } from "./catalogue/current-catalogue.ts";
import type { CustomerState } from "./customer.ts";
import { type Invoice, Invoices, isMade } from "./invoices.ts";
import { type Charge, subscriptionCharges } from "./rating/charges.ts";
import { type DailyUsage, type Period, periodAt, unitsOn } from "./rating/period.ts";
import { tieredCost } from "./rating/rating.ts";

/** A billing period with the prices that hold in it, and its invoice once that is made. */
export interface PricedPeriod {
  readonly period: Period;
  readonly catalogue: Catalogue;
  readonly made: Invoice | undefined;
}

/**
 * The billing periods that a range of days touches (days since 1970, both inclusive), each with the price list that its invoice names;
 * one without an invoice has the list that holds now.
 */
export const readPricedPeriods = async (
  table: Table,
  { account }: Pick<CustomerState, "account">,
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): Promise<readonly PricedPeriod[]> => {
  const { organization_id, anchor_day } = account;
  const [invoices, current] = await Promise.all([
    list(table, Invoices, "key", { organization_id }, { consistent: true }),
    currentCatalogue(table, now),
  ]);
  const known = new Map<string, Promise<Catalogue>>();
  const named = (id: string): Promise<Catalogue> => {
    const found = known.get(id) ?? catalogueById(table, id);
    known.set(id, found);
    return found;
  };
  return Promise.all(
    periodsBetween(anchor_day, from, to).map(async (period) => {
      const invoice = invoices.find(({ period_start }) => period_start === period.start);
      const catalogue = invoice === undefined ? current : await named(invoice.catalogue_id);
      return { period, catalogue, made: invoice !== undefined && isMade(invoice) ? invoice : undefined };
    }),
  );
};

/** The first day (since 1970) whose use decides what a day costs: that on which its billing period begins. */
export const firstDayPriced = ({ account }: Pick<CustomerState, "account">, day: number): number =>
  periodAt(account.anchor_day, day * DAY_MS).start / DAY_MS;

const periodsBetween = (anchorDay: number, from: number, to: number): readonly Period[] => {
  const periods: Period[] = [];
  let at = from * DAY_MS;
  do {
    const period = periodAt(anchorDay, at);
    periods.push(period);
    at = period.end;
  } while (at <= to * DAY_MS);
  return periods;
};

/** Names of what is sold in some periods, by type. */
export const productLabels = (periods: readonly PricedPeriod[]): ReadonlyMap<string, string> =>
  new Map(periods.flatMap(({ catalogue }) => allItems(catalogue).map(({ type, name }) => [type, name] as const)));

/** The units that a project used of one type. */
export interface ProjectUnits {
  readonly project: number;
  readonly type: string;
  readonly runs: readonly Run[];
}

/** The spend of a project on one type, by day (since 1970). */
export interface ProjectSpend {
  /** Null for a fee, which is the organization's own. */
  readonly project: number | null;
  /** The usage type that is counted for the product, or its own type where it is sold on another's count or at a fee. */
  readonly type: string;
  readonly days: ReadonlyMap<number, NanoDollars>;
}

/**
 * The cost of an organization's usage by project, day and type, of the types that are wanted. `used` is the use of all its projects in all the periods: a day's
 * price depends on what was used before it, and its projects share it by what each of them used. A project and type may come more than
 * once, on days of their own.
 */
export const projectSpend = (
  { subscription }: Pick<CustomerState, "subscription">,
  periods: readonly PricedPeriod[],
  used: readonly ProjectUnits[],
  isWanted: (type: string) => boolean,
): readonly ProjectSpend[] => {
  const units = unitsByDay(used);
  const spend = periods.flatMap((priced) => {
    const usage = within(units, priced.period);
    return chargesIn(priced, subscription, usage).map((charge) => spreadOverDays(charge, priced.period, usage));
  });
  const wanted = spend.filter(({ type }) => isWanted(type));
  const users = usersByType(used, new Set(wanted.flatMap(({ usageType }) => usageType ?? [])));
  return wanted.flatMap((each) =>
    each.usageType === null ? [{ project: null, type: each.type, days: each.days }] : shared(each, users.get(each.usageType) ?? []),
  );
};

const unitsByDay = (used: readonly ProjectUnits[]): ReadonlyMap<string, ReadonlyMap<number, number>> => {
  const units = new Map<string, Map<number, number>>();
  for (const { type, runs } of used) {
    const days = units.get(type) ?? new Map<number, number>();
    units.set(type, days);
    for (const run of runs) eachDay(run, (day, count) => days.set(day, (days.get(day) ?? 0) + count));
  }
  return units;
};

const eachDay = (run: Run, take: (day: number, count: number) => void): void =>
  eachCount(run, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, take);

const within = (units: ReturnType<typeof unitsByDay>, { start, end }: Period): DailyUsage =>
  new Map(
    [...units].map(([type, days]) => [
      type,
      new Map([...days].filter(([day]) => day * DAY_MS >= start && day * DAY_MS < end).map(([day, count]) => [day, BigInt(count)])),
    ]),
  );

/** A project and its units of one type by day. */
interface User {
  readonly project: number;
  readonly units: ReadonlyMap<number, bigint>;
}

/** By usage type, the projects that used it in the order of their ids. */
const usersByType = (used: readonly ProjectUnits[], types: ReadonlySet<string>): ReadonlyMap<string, readonly User[]> => {
  const users = new Map<string, User[]>();
  for (const { project, type, runs } of used.toSorted((one, other) => one.project - other.project)) {
    if (!types.has(type)) continue;
    const units = new Map<number, bigint>();
    for (const run of runs) eachDay(run, (day, count) => units.set(day, (units.get(day) ?? 0n) + BigInt(count)));
    const known = users.get(type);
    if (known === undefined) users.set(type, [{ project, units }]);
    else known.push({ project, units });
  }
  return users;
};

/** The charges of a period: by the lines of its invoice, else by the subscription. */
const chargesIn = (
  { period, catalogue, made }: PricedPeriod,
  subscription: CustomerState["subscription"],
  usage: DailyUsage,
): readonly Charge[] =>
  made === undefined ? subscriptionCharges(subscription, catalogue, period, usage) : soldCharges(made, catalogue, usage);

/** The charges of an invoice, with what was counted since. */
const soldCharges = ({ lines }: Invoice, catalogue: Catalogue, usage: DailyUsage): readonly Charge[] =>
  lines.flatMap((line): readonly Charge[] => {
    const item = findItem(catalogue, line.product);
    const plan = item && findPlan(item, line.plan_key);
    if (line.late_of !== null || item === undefined || plan === undefined) return [];
    const { last_day: lastDay, usage_type } = line;
    if (usage_type === null) {
      return [{ kind: "fee", item, plan, quantity: BigInt(line.quantity), lastDay, cents: BigInt(line.cents) }];
    }
    const quantity = unitsOn(usage, usage_type, lastDay === null ? {} : { to: lastDay });
    return [{ kind: "use", item, plan, quantity, lastDay, cents: roundToCents(tieredCost(ratingTiers(plan), quantity)) }];
  });

/** The cost of a subscribed item on each day of a period. */
interface DailySpend {
  readonly type: string;
  /** Whose use it follows; null for a fee. */
  readonly usageType: string | null;
  readonly days: ReadonlyMap<number, NanoDollars>;
}

/** Use costs what it adds to the bill on its day, a fee falls on the first day. */
const spreadOverDays = (charge: Charge, period: Period, usage: DailyUsage): DailySpend => ({
  type: shownType(charge.item),
  usageType: charge.kind === "use" ? charge.item.usage_type : null,
  days: charge.kind === "use" ? useByDay(charge, usage) : new Map([[period.start / DAY_MS, centsToNano(charge.cents)]]),
});

const shownType = ({ type, usage_type }: Item): string => (isUsageType(type) ? type : (usage_type ?? type));

const useByDay = ({ item, plan, quantity }: Charge, usage: DailyUsage): ReadonlyMap<number, NanoDollars> => {
  const tiers = ratingTiers(plan);
  const spend = new Map<number, NanoDollars>();
  let used = 0n;
  let cost = 0n;
  for (const [day, units] of [...(usage.get(item.usage_type ?? "") ?? [])].sort(([one], [other]) => one - other)) {
    // What is counted after the item ended is no part of the charge.
    if (used === quantity) break;
    used += units;
    const through = tieredCost(tiers, used);
    if (through !== cost) spend.set(day, through - cost);
    cost = through;
  }
  return spend;
};

/** A day's price in shares that follow the projects' units; of equal remainders the lowest project gets what is left over. */
const shared = ({ type, days }: DailySpend, users: readonly User[]): readonly ProjectSpend[] => {
  const shares = users.map(() => new Map<number, NanoDollars>());
  for (const [day, nano] of days) {
    const weights = users.map(({ units }) => units.get(day) ?? 0n);
    for (const [at, part] of split(nano, weights).entries()) if (part > 0n) shares[at]?.set(day, part);
  }
  return users.flatMap(({ project }, at) => {
    const own = shares[at];
    return own === undefined || own.size === 0 ? [] : [{ project, type, days: own }];
  });
};
