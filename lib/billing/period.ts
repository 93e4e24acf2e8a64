import { DAY_MS } from "../core/time.ts";

/** A billing period: milliseconds since 1970, the end is the start of the next one. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** The month-long period that a moment lies in: from 00:00 UTC of the anchor day, or of the last day of a month that is shorter. */
export const periodAt = (anchorDay: number, at: number): Period => {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const own = anchorOf(anchorDay, year, month);
  if (own <= at) return { start: own, end: anchorOf(anchorDay, year, month + 1) };
  return { start: anchorOf(anchorDay, year, month - 1), end: own };
};

const anchorOf = (anchorDay: number, year: number, month: number): number => {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(anchorDay, lastDay));
};

export const daysIn = ({ start, end }: Period): number => Math.round((end - start) / DAY_MS);

/** Days of a period that have begun; at least one, so that something can be divided by it. */
export const daysBegun = (period: Period, now: number): number =>
  Math.min(daysIn(period), Math.max(1, Math.ceil((now - period.start) / DAY_MS)));
