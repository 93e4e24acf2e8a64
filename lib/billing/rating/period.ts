import { DAY_MS } from "../../core/time.ts";
import { pricingType } from "../../usage/identifiers.ts";
import { type ReadUsage, readRollUps } from "../../usage/roll-ups.ts";
import { eachCount } from "../../usage/runs.ts";

/** A billing period: milliseconds since 1970, the end is the start of the next one. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** The month-long period that a moment lies in: from 00:00 UTC of the anchor day, or of the last day of a month that is shorter. */
export const periodAt = (anchorDay: number, at: number): Period => {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const own = anchorDate(anchorDay, year, month);
  if (own <= at) return { start: own, end: anchorDate(anchorDay, year, month + 1) };
  return { start: anchorDate(anchorDay, year, month - 1), end: own };
};

const anchorDate = (anchorDay: number, year: number, month: number): number => {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(anchorDay, lastDay));
};

export const daysIn = ({ start, end }: Period): number => Math.round((end - start) / DAY_MS);

/** Days of a period that have begun; at least one, so that something can be divided by it. */
export const daysBegun = (period: Period, now: number): number =>
  Math.min(daysIn(period), Math.max(1, Math.ceil((now - period.start) / DAY_MS)));

/** Units by usage type and UTC day (days since 1970). */
export type DailyUsage = ReadonlyMap<string, ReadonlyMap<number, bigint>>;

/** The usage of an organization in a period, all projects together: added up as it is stored, because an organization may have thousands of them. */
export const readPeriodUsage = async (parts: ReadUsage, organization: string, { start, end }: Period): Promise<DailyUsage> => {
  const [from, to] = [start / DAY_MS, end / DAY_MS - 1];
  const usage = new Map<string, Map<number, bigint>>();
  for (const { names, projects } of await readRollUps(parts, organization, from, to)) {
    for (const run of Object.values(projects).flatMap(({ runs }) => runs)) {
      const type = names[run[0]] ?? "";
      const days = usage.get(type) ?? new Map<number, bigint>();
      usage.set(type, days);
      eachCount(run, from, to, (day, count) => days.set(day, (days.get(day) ?? 0n) + BigInt(count)));
    }
  }
  return usage;
};

/** Units of all days that what is sold by a type is priced on. */
export const totalUnits = (usage: DailyUsage, type: string | null): bigint => {
  let units = 0n;
  for (const count of usage.get(pricingType(type ?? ""))?.values() ?? []) units += count;
  return units;
};
