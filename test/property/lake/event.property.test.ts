import * as fc from "fast-check";
import { expect, test } from "vitest";
import { utcDay } from "../../../lib/event/time-partitions.ts";

const DAY_US = 86_400_000_000n;
/** Years 0 to 9999, which include times that no double holds exactly. */
const FIRST_DAY = -719_528;
const LAST_DAY = 2_932_896;

const floored = (micros: bigint): number => Number((micros - (((micros % DAY_US) + DAY_US) % DAY_US)) / DAY_US);

test("the day of any microsecond is the floor, also next to midnight, before 1970 and in year 9999", async () => {
  await fc.assert(
    fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), fc.integer({ min: -3, max: 3 }), (day, beside) => {
      const micros = BigInt(day) * DAY_US + BigInt(beside);
      expect(utcDay(micros)).toBe(floored(micros));
    }),
    {
      numRuns: 2_000,
      examples: [
        [104_249, -1],
        [104_249, 0],
        [104_250, -1],
        [65_536, -1],
        [131_072, -1],
        [0, -1],
      ],
    },
  );
});
