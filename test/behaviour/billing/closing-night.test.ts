import { expect, it } from "vitest";
import { closing } from "../../../functions/closing/schedule.ts";
import { closingNight } from "../../support/worlds/closing-night.ts";

const everyMinutes = Number(closing.every.split(" ")[0]);
/** What a run of the schedule has, less what it leaves for its end. */
const RUN_SECONDS = 290;

const inSequence = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `INV-2026-${String(at + 1).padStart(6, "0")}`);

it("ten thousand organizations that are due in one night are closed within two hours, at 20 ms a call to the table and 40 to the store", async () => {
  const { closedPerSecond, tableCalls, objectCalls, conflicts, numbers } = await closingNight(300, {
    tableMs: 20,
    objectMs: 40,
    everyMinutes,
  });
  expect(numbers).toEqual(inSequence(300));
  expect((tableCalls + objectCalls) / 300).toBeLessThan(20);
  // Each waits for its turn to be given a number, so that nobody is undone by another.
  expect(conflicts).toBe(0);
  const runs = Math.ceil(10_000 / (closedPerSecond * RUN_SECONDS));
  expect(runs * everyMinutes).toBeLessThanOrEqual(60);
});

it("what a run has no time for is gone on with by the next ones", async () => {
  const { runs, numbers } = await closingNight(300, { tableMs: 900, objectMs: 900, everyMinutes });
  expect(numbers).toEqual(inSequence(300));
  expect(runs).toBeGreaterThan(1);
});
