import fc from "fast-check";
import { expect, it } from "vitest";
import { buckets, floorTo } from "../../../lib/insight/dates.ts";
import { INTERVALS } from "../../../lib/insight/query.ts";
import { bucketAt, bucketStarts, timeline } from "../../../lib/insight/trends/timeline.ts";

const HOUR_US = 3_600_000_000n;
const ZONES = ["UTC", "America/New_York", "Europe/Berlin", "Australia/Sydney", "Asia/Kolkata", "Asia/Tehran", "America/Sao_Paulo"];
const from = fc.integer({ min: Date.UTC(1965, 0, 1), max: Date.UTC(2035, 0, 1) }).map((ms) => BigInt(ms) * 1000n);
/** A range of up to about a thousand intervals. */
const SPAN_HOURS = { second: 0.3, minute: 16, hour: 1_000, day: 24_000, week: 150_000, month: 200_000, quarter: 200_000, year: 200_000 };

it("a timeline numbers the same intervals that the calendar walks through", () => {
  fc.assert(
    fc.property(
      from,
      fc.double({ min: 0.0001, max: 1, noNaN: true }),
      fc.constantFrom(...INTERVALS),
      fc.constantFrom(...ZONES),
      fc.constantFrom(0, 1),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 20 }),
      (start, share, interval, timezone, weekStart, moments) => {
        const clock = { timezone, weekStart };
        const length = BigInt(Math.ceil(share * SPAN_HOURS[interval] * 1_000)) * (HOUR_US / 1_000n);
        const line = timeline(start, start + length, interval, clock);
        const starts = bucketStarts(line, 0, line.count);
        expect(starts).toEqual(buckets(start, start + length, interval, clock));
        for (const moment of moments) {
          const at = start + BigInt(Math.floor(moment * Number(length)));
          expect(starts[bucketAt(line, at)]).toBe(floorTo(at, interval, clock));
        }
      },
    ),
    { numRuns: 300 },
  );
});
