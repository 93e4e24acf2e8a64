import { greatest } from "../../core/bigints.ts";
import { daysBegun, daysIn, type Period } from "../period.ts";

/** What will have been used at the period's end if it goes on as it did; never less than what is used already. */
export const projected = (used: bigint, period: Period, now: number): bigint =>
  greatest(used, (used * BigInt(daysIn(period))) / BigInt(daysBegun(period, now)));
