import { expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { type LaneLimits, nextWaiting, withBegun } from "../core/fair-schedule.ts";
import { changeSchedule, readSchedule } from "./lane-schedules.ts";

const LIMITS: LaneLimits = { atOnce: 3, ofGroup: 2, ofOwner: 1 };

it("stored turns are given to exactly as many as may run, however many ask at once", async () => {
  const table = memoryTable();
  const take = (owner: string) =>
    changeSchedule(table, "tables", 1_000, (schedule) => {
      const next = nextWaiting(schedule, [{ owner, group: owner }], LIMITS);
      if (next === undefined) return { result: false };
      return { schedule: withBegun(schedule, next, { name: owner, began: 1_000, until: 2_000 }), result: true };
    });
  const taken = await Promise.all(Array.from({ length: 60 }, (_, at) => take(`o${at}`)));
  expect(taken.filter((isTaken) => isTaken)).toHaveLength(LIMITS.atOnce);
  expect((await readSchedule(table, "tables", 1_000)).running).toHaveLength(LIMITS.atOnce);
  expect((await readSchedule(table, "jobs", 1_000)).running).toEqual([]);
  expect((await readSchedule(table, "tables", 2_000)).running).toEqual([]);
});
