/** Billing periods are calendar months of UTC; moments are milliseconds since 1970, days are counted since 1970. */

export const DAY_MS = 86_400_000;

/** A billing period; its end is the start of the next one. */
export interface Month {
  readonly start: number;
  readonly end: number;
}

export const monthAt = (moment: number): Month => shifted(moment, 0);

/** The month so many months after the one that a moment lies in. */
export const shifted = (moment: number, months: number): Month => {
  const date = new Date(moment);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
};

export const dayAt = (moment: number): number => Math.floor(moment / DAY_MS);

/** The days of a month, in order. */
export const daysOf = ({ start, end }: Month): readonly number[] =>
  Array.from({ length: dayAt(end) - dayAt(start) }, (_, place) => dayAt(start) + place);

/** The same time of the same day a year later; 29 February becomes the 28th. */
export const yearLater = (moment: number): number => {
  const later = new Date(moment);
  later.setUTCFullYear(later.getUTCFullYear() + 1);
  return later.getUTCMonth() === new Date(moment).getUTCMonth() ? later.getTime() : later.getTime() - DAY_MS;
};

/** A month's invoice is made a week after it: what comes later is late. */
export const closesAt = ({ end }: Month): number => end + 7 * DAY_MS;
