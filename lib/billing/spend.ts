import { type MicroDollars, roundToMicros, split } from "../core/money.ts";
import { DAY_MS } from "../core/time.ts";
import type { Table } from "../ports/table.ts";
import { list } from "../table/store.ts";
import { isUsageType, pricingType } from "../usage/identifiers.ts";
import { eachCount, type Run } from "../usage/runs.ts";
import { allItems, type Item } from "./catalogue/catalogue.ts";
import { type PeriodPrices, periodPrices, soldWith } from "./catalogue/period-prices.ts";
import { readPriceHistory } from "./catalogue/price-history.ts";
import type { CustomerState } from "./customer.ts";
import { invoiceDays } from "./invoices/invoice-days.ts";
import { Invoices } from "./invoices.ts";
import { type Charge, rateDays } from "./rating/charges.ts";
import { type DailyUsage, type Period, periodAt } from "./rating/period.ts";
import type { PlanDays } from "./rating/plan-days.ts";
import { plansByDay } from "./rating/plans-by-day.ts";

/** A billing period with the prices that hold in it, and what ran on its days so far. */
export interface PricedPeriod {
  readonly prices: PeriodPrices;
  readonly runs: readonly PlanDays[];
  /** The last day whose fees are due by now. */
  readonly through: number;
}

/** The billing periods that a range of days touches (days since 1970, both inclusive). */
export const readPricedPeriods = async (
  table: Table,
  customer: CustomerState,
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): Promise<readonly PricedPeriod[]> => {
  const { organization_id, anchor_day } = customer.account;
  const [invoices, history] = await Promise.all([
    list(table, Invoices, "key", { organization_id }, { consistent: true }),
    readPriceHistory(table),
  ]);
  return periodsBetween(anchor_day, from, to).map((period) => {
    const invoice = invoices.find(({ period_start }) => period_start === period.start);
    const prices = periodPrices(history, anchor_day, period, invoice?.catalogue_id);
    const runs = invoice === undefined || invoice.state === "open" ? plansByDay(customer, prices, now) : invoiceDays(invoice);
    return { prices, runs, through: Math.floor(now / DAY_MS) };
  });
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
  new Map(
    periods.flatMap(({ prices, runs }) => {
      const plans = runs.map((run) => prices.plan(run));
      return allItems(soldWith(prices, plans)).map(({ type, name }) => [type, name] as const);
    }),
  );

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
  readonly days: ReadonlyMap<number, MicroDollars>;
}

/**
 * The cost of an organization's usage by project, day and type, of the types that are wanted. `used` is the use of all its projects in all
 * the periods: a day's price depends on what was used before it, and its projects share it by what each of them used. Amounts are as small
 * as they are ever shown, so that however they are added up, what is shown of the parts comes to what is shown of the whole. A project and
 * type may come more than once, on days of their own.
 */
export const projectSpend = (
  periods: readonly PricedPeriod[],
  used: readonly ProjectUnits[],
  isWanted: (type: string) => boolean,
): readonly ProjectSpend[] => {
  const units = unitsByDay(used);
  const spend = periods.flatMap(({ prices, runs, through }) =>
    rateDays({ runs, usage: within(units, prices.period), through }, prices).map(dailySpend),
  );
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

/** The cost of a subscribed item on each day of a period. */
interface DailySpend {
  readonly type: string;
  /** Whose use it follows; null for a fee. */
  readonly usageType: string | null;
  readonly days: ReadonlyMap<number, MicroDollars>;
}

const dailySpend = ({ kind, item, days }: Charge): DailySpend => ({
  type: shownType(item),
  usageType: kind === "use" ? pricingType(item.usage_type ?? "") : null,
  days: new Map(days.map(({ day, nano }) => [day, roundToMicros(nano)])),
});

const shownType = ({ type, usage_type }: Item): string => (isUsageType(type) ? type : (usage_type ?? type));

/** A day's price in shares that follow the projects' units; of equal remainders the lowest project gets what is left over. */
const shared = ({ type, days }: DailySpend, users: readonly User[]): readonly ProjectSpend[] => {
  const shares = users.map(() => new Map<number, MicroDollars>());
  for (const [day, micro] of days) {
    const weights = users.map(({ units }) => units.get(day) ?? 0n);
    for (const [at, part] of split(micro, weights).entries()) if (part > 0n) shares[at]?.set(day, part);
  }
  return users.flatMap(({ project }, at) => {
    const own = shares[at];
    return own === undefined || own.size === 0 ? [] : [{ project, type, days: own }];
  });
};
