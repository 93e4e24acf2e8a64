import type { CustomerState } from "../../../../lib/billing/customer-state.ts";
import { split } from "../../../../lib/billing/money.ts";
import { type Period, periodAt } from "../../../../lib/billing/period.ts";
import type { DailyUsage } from "../../../../lib/billing/period-usage.ts";
import { type DailySpend, dailySpend } from "../../../../lib/billing/rating/daily-spend.ts";
import { chargesIn, type PricedPeriod } from "../../../../lib/billing/rating/priced-periods.ts";
import { DAY_MS } from "../../../../lib/core/time.ts";
import { isUsageType } from "../../../../lib/usage/identifiers.ts";
import { eachCount, type Run } from "../../../../lib/usage/runs.ts";
import type { SeriesRequest } from "../query.ts";
import { type Amounts, joinedAmounts } from "./amounts.ts";

/** The billing periods that a range of days touches. */
export const periodsOf = (
  { account }: Pick<CustomerState, "account">,
  { from, to }: Pick<SeriesRequest, "from" | "to">,
): readonly Period[] => {
  const periods: Period[] = [];
  let at = from * DAY_MS;
  do {
    const period = periodAt(account.anchor_day, at);
    periods.push(period);
    at = period.end;
  } while (at <= to * DAY_MS);
  return periods;
};

/**
 * What the use of an organization costs, by project and type in nano-dollars. `used` is the use of all its projects in all the
 * periods: a day's price depends on what was used before it, and its projects share it by what each of them used.
 */
export const spentAmounts = (
  { subscription }: Pick<CustomerState, "subscription">,
  periods: readonly PricedPeriod[],
  used: readonly Amounts[],
  { types, everyType }: { readonly types: ReadonlySet<string>; readonly everyType: boolean },
): readonly Amounts[] => {
  const units = unitsByDay(used);
  const spend = periods.flatMap((priced) => {
    const usage = within(units, priced.period);
    return dailySpend(chargesIn(priced, subscription, usage), priced.period, usage);
  });
  const shown = spend.filter(({ type }) => types.has(type) || (everyType && !isUsageType(type)));
  const shares = sharesOf(used, new Set(shown.flatMap(({ usageType }) => usageType ?? [])));
  return joinedAmounts(shown.flatMap((each) => (each.usageType === null ? feeOf(each) : shared(each, shares.get(each.usageType) ?? []))));
};

const feeOf = ({ type, days }: DailySpend): readonly Amounts[] => [
  { project: null, type, runs: [...days].map(([day, nano]) => runAt(day, Number(nano))) },
];

/** Amounts are no counts: their runs name no type. */
const NO_TYPE = 0;
const runAt = (day: number, nano: number): Run => [NO_TYPE, day, nano];

/** The units of one project and usage type by day. */
interface Share {
  readonly project: number;
  readonly units: ReadonlyMap<number, bigint>;
}

const shared = ({ type, days }: DailySpend, shares: readonly Share[]): readonly Amounts[] => {
  const runs = shares.map((): Run[] => []);
  for (const [day, nano] of days) {
    const weights = shares.map(({ units }) => units.get(day) ?? 0n);
    for (const [at, part] of split(nano, weights).entries()) if (part > 0n) runs[at]?.push(runAt(day, Number(part)));
  }
  return shares.map(({ project }, at) => ({ project, type, runs: runs[at] ?? [] })).filter((amounts) => amounts.runs.length > 0);
};

/** By usage type, the projects in the order of their ids: of equal remainders the first gets what is left over. */
const sharesOf = (used: readonly Amounts[], types: ReadonlySet<string>): ReadonlyMap<string, readonly Share[]> => {
  const shares = new Map<string, Share[]>();
  for (const { project, type, runs } of used.toSorted((one, other) => (one.project ?? 0) - (other.project ?? 0))) {
    if (project === null || !types.has(type)) continue;
    const units = new Map<number, bigint>();
    for (const run of runs) eachDay(run, (day, count) => units.set(day, (units.get(day) ?? 0n) + BigInt(count)));
    shares.set(type, [...(shares.get(type) ?? []), { project, units }]);
  }
  return shares;
};

const unitsByDay = (used: readonly Amounts[]): ReadonlyMap<string, ReadonlyMap<number, number>> => {
  const units = new Map<string, Map<number, number>>();
  for (const { type, runs } of used) {
    const days = units.get(type) ?? new Map<number, number>();
    units.set(type, days);
    for (const run of runs) eachDay(run, (day, count) => days.set(day, (days.get(day) ?? 0) + count));
  }
  return units;
};

const within = (units: ReturnType<typeof unitsByDay>, { start, end }: Period): DailyUsage =>
  new Map(
    [...units].map(([type, days]) => [
      type,
      new Map([...days].filter(([day]) => day * DAY_MS >= start && day * DAY_MS < end).map(([day, count]) => [day, BigInt(count)])),
    ]),
  );

const eachDay = (run: Run, take: (day: number, count: number) => void): void =>
  eachCount(run, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, take);
