import { DAY_MS, isoDay } from "../../../lib/core/time.ts";

/** Days that are counted one by one: some forty thousand. A file may name any day of ten thousand years. */
const FIRST = Date.UTC(1990, 0, 1) / DAY_MS;
const LAST = Date.UTC(2100, 0, 1) / DAY_MS;

/** Where all other days are counted together: after the last one that a time can have. */
const OTHERS = 10_000_000;

/** The day under which an event of a UTC day (days since 1970) is counted. */
export const countedDay = (day: number): number => (day >= FIRST && day < LAST ? day : OTHERS);

export const shownDay = (day: number): string => (day === OTHERS ? "other days" : isoDay(day));
