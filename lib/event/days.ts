import { DAY_US } from "../core/time.ts";

const DAY_US_NUMBER = Number(DAY_US);

/** Days since 1970 of a time in microseconds; floors, also before 1970. */
export const utcDay = (micros: bigint): number => {
  const near = Number(micros);
  // Exact up to year 2255: there the doubles around a whole day are nearer to each other than a microsecond is to the day.
  if (Number.isSafeInteger(near)) return Math.floor(near / DAY_US_NUMBER);
  const day = micros / DAY_US;
  return Number(micros < 0n && day * DAY_US !== micros ? day - 1n : day);
};

/** The time partition of a time: `yyyy-mm` from 2015 on, `yyyy` for 1970 to 2014, else `old`. */
export const partitionOf = (micros: bigint): string => {
  if (micros < 0n) return "old";
  const date = new Date(Number(micros / 1000n));
  const year = date.getUTCFullYear();
  if (year >= 2015) return `${year}-${String(date.getUTCMonth() + 1).padStart(2, "0")}`;
  return String(year);
};
