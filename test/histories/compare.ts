import { dollars, total } from "../model/billing/amounts.ts";
import type { Ledger } from "../model/billing/ledger.ts";
import { DAY_MS, dayAt } from "../model/billing/months.ts";
import { type Amounts, type Limits, overviewAt, type ProductFigures } from "../model/billing/overview.ts";
import { type Breakdown, type Interval, spendSeries } from "../model/billing/series.ts";
import type { billingWorld } from "../support/worlds/billing-world.ts";
import { Difference, same } from "./difference.ts";

export type Customer = Awaited<ReturnType<typeof billingWorld>>;

const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
const isoMoment = (moment: number): string => new Date(moment).toISOString();

interface ItemSent {
  readonly type: string;
  readonly current_usage: number;
  readonly projected_usage: number | null;
  readonly current_amount_usd: string;
  readonly current_amount_usd_before_addons: string;
  readonly projected_amount_usd: string;
  readonly projected_amount_usd_with_limit: string;
}

type OverviewSent = Readonly<Record<string, string>> & {
  readonly products: readonly (ItemSent & { readonly addons: readonly ItemSent[] })[];
};

/** The overview says what the ledger does: products by themselves and with their addons, and all together. */
export const compareOverview = async (customer: Customer, ledger: Ledger, limits: Limits, now: number): Promise<void> => {
  const sent = (await customer.get("")) as OverviewSent;
  const { items, full, reduced } = overviewAt(ledger, limits, now);
  const at = `overview at ${isoMoment(now)}`;
  const own = new Map(items.map((item) => [item.type, item]));
  for (const product of sent.products) {
    compareItem(product, [product, ...product.addons], own, at);
    for (const addon of product.addons) compareItem(addon, [addon], own, at);
  }
  const totals = {
    current_total_amount_usd: full.current,
    current_total_amount_usd_after_discount: reduced.current,
    projected_total_amount_usd: full.projected,
    projected_total_amount_usd_after_discount: reduced.projected,
    projected_total_amount_usd_with_limit: full.withLimit,
    projected_total_amount_usd_with_limit_after_discount: reduced.withLimit,
  };
  for (const [figure, cents] of Object.entries(totals)) same(`${at}, ${figure}`, dollars(cents), sent[figure]);
};

/** An item has its own figures; its amounts are those of all its parts. */
const compareItem = (item: ItemSent, parts: readonly ItemSent[], own: ReadonlyMap<string, ProductFigures>, at: string): void => {
  const name = `${at}, ${item.type}`;
  const figures = own.get(item.type);
  if (figures === undefined) throw new Difference(name, "nothing", item);
  const sum = (amount: keyof Amounts): string => dollars(total(parts.map(({ type }) => own.get(type)?.[amount] ?? 0n)));
  same(`${name}, current_usage`, figures.units, item.current_usage);
  if (item.projected_usage !== null) same(`${name}, projected_usage`, figures.projectedUnits, item.projected_usage);
  same(`${name}, current_amount_usd_before_addons`, dollars(figures.current), item.current_amount_usd_before_addons);
  same(`${name}, current_amount_usd`, sum("current"), item.current_amount_usd);
  same(`${name}, projected_amount_usd`, sum("projected"), item.projected_amount_usd);
  same(`${name}, projected_amount_usd_with_limit`, sum("withLimit"), item.projected_amount_usd_with_limit);
};

/** Points are dollars of six places, and so are the days of a fee. */
const ROUNDING = 5e-6;

export const BREAKDOWNS: readonly (readonly Breakdown[])[] = [[], ["type"], ["team"], ["type", "team"]];

interface SeriesSent {
  readonly dates: readonly string[];
  readonly data: readonly number[];
  readonly breakdown_value: string | readonly string[] | null;
}

/** The series of spend say what the ledger does, point by point. */
export const compareSeries = async (
  customer: Customer,
  ledger: Ledger,
  range: { readonly from: number; readonly to: number; readonly interval: Interval; readonly by: readonly Breakdown[] },
): Promise<void> => {
  const { from, to, interval, by } = range;
  const query = `start_date=${isoDay(from)}&end_date=${isoDay(to)}&interval=${interval}&breakdowns=${encodeURIComponent(JSON.stringify(by))}`;
  const { results } = (await customer.get(`spend/?${query}`)) as { readonly results: readonly SeriesSent[] };
  const { dates, lines } = spendSeries(ledger, range);
  const name = `spend by ${by.join(" and ") || "nothing"}, ${interval} of ${isoDay(from)} to ${isoDay(to)}`;
  const got = new Map(results.map((series) => [[series.breakdown_value ?? ""].flat().join(" "), series]));
  for (const series of results) same(`${name}, dates`, dates, series.dates);
  for (const line of new Set([...lines.keys(), ...got.keys()])) {
    for (const [place, date] of dates.entries()) {
      const expected = lines.get(line)?.[place] ?? 0;
      const point = got.get(line)?.data[place] ?? 0;
      if (Math.abs(expected - point) > ROUNDING)
        throw new Difference(`${name}, ${line || "all"} on ${date}`, expected.toFixed(6), point.toFixed(6));
    }
  }
};

/** The days up to a moment, so many. */
export const rangeUntil = (now: number, days: number): { readonly from: number; readonly to: number } => ({
  from: dayAt(now) - days,
  to: dayAt(now),
});
