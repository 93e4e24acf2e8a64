import { exactText } from "../time/time.tsx";

/** A range of days in the API's own texts: dates, or so much before now; an empty `date_to` is today. Both days are part of it. */
export interface RangeValue {
  readonly date_from: string;
  readonly date_to: string;
}

export const PRESETS = [
  { title: "Last 7 days", date_from: "-7d" },
  { title: "Last 30 days", date_from: "-30d" },
  { title: "Last 90 days", date_from: "-90d" },
  { title: "Month to date", date_from: "-0mStart" },
] as const;

const DAY_MS = 86_400_000;

/** Whether a range is none of the presets. */
export const isCustom = ({ date_from, date_to }: RangeValue): boolean =>
  date_to !== "" || !PRESETS.some((preset) => preset.date_from === date_from);

/** The dates of a range in a zone, as they are now. One that is no preset and no dates becomes the last week. */
export const datesOf = ({ date_from, date_to }: RangeValue, zone: string, now = Date.now()): RangeValue => {
  const today = exactText(now, zone).slice(0, 10);
  const days = /^-(\d{1,4})d$/.exec(date_from)?.[1];
  const from = isDate(date_from) ? date_from : date_from === "-0mStart" ? `${today.slice(0, 8)}01` : daysBefore(today, Number(days ?? 7));
  return { date_from: from, date_to: isDate(date_to) ? date_to : today };
};

/** Days of a calendar: by a clock one has 23 or 25 hours where it is set forward or back. */
const daysBefore = (day: string, count: number): string => new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);
