import { eachCount } from "../../../../lib/usage/runs.ts";
import type { SeriesRequest } from "../query.ts";
import type { Buckets } from "./buckets.ts";
import type { Line } from "./lines.ts";

/** What the amounts of a series are, and how they are shown. */
export type Measure = "usage" | "spend";

const NANO_PER_DOLLAR = 1e9;
const MICRO_PER_DOLLAR = 1e6;
const NANO_PER_MICRO = 1e3;

/** The points of a series, one for each interval of the range, those without anything too. */
export const pointsOf = ({ runs }: Line, { from, to }: SeriesRequest, buckets: Buckets, measure: Measure): readonly number[] => {
  const points = new Array<number>(buckets.dates.length).fill(0);
  for (const run of runs)
    eachCount(run, from, to, (day, count) => {
      const at = buckets.of(day);
      points[at] = (points[at] ?? 0) + count;
    });
  return measure === "usage" ? points : points.map(dollars);
};

/** Nano-dollars as dollars of six places; what is no whole dollar is added apart, so that large amounts keep their places. */
const dollars = (nano: number): number => {
  const whole = Math.trunc(nano / NANO_PER_DOLLAR);
  const micros = Math.round((nano - whole * NANO_PER_DOLLAR) / NANO_PER_MICRO);
  return (whole * MICRO_PER_DOLLAR + micros) / MICRO_PER_DOLLAR;
};
