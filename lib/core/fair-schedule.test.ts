import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  EMPTY_SCHEDULE,
  type FairSchedule,
  type LaneLimits,
  nextWaiting,
  usedBy,
  type Waiting,
  withBegun,
  withEnded,
  withoutLost,
} from "./fair-schedule.ts";

const LIMITS: LaneLimits = { atOnce: 3, ofGroup: 2, ofOwner: 1 };

const work = (owner: string, group = owner): Waiting => ({ owner, group });

const begin = (schedule: FairSchedule, one: Waiting, began = 0, until = 9e9): FairSchedule =>
  withBegun(schedule, one, { name: one.owner, began, until });

/** Turns once these took so long, one after another. */
const scheduleAfter = (...took: readonly (readonly [owner: string, ms: number])[]): FairSchedule =>
  took.reduce((schedule, [owner, ms]) => withEnded(begin(schedule, work(owner)), owner, ms), EMPTY_SCHEDULE);

describe("the turns of a lane", () => {
  it("go to whoever has used least, and among these in the order in which they came", () => {
    const waiting = [work("a"), work("b"), work("c")];
    expect(nextWaiting(EMPTY_SCHEDULE, waiting, LIMITS)?.owner).toBe("a");
    expect(nextWaiting(scheduleAfter(["a", 4_000]), waiting, LIMITS)?.owner).toBe("b");
    expect(nextWaiting(scheduleAfter(["a", 4_000], ["b", 1], ["c", 1]), waiting, LIMITS)?.owner).toBe("b");
  });

  it("leave no place idle that only one wants", () => {
    expect(nextWaiting(scheduleAfter(["a", 4_000]), [work("a")], LIMITS)?.owner).toBe("a");
  });

  it("owe nobody for the time in which they wanted nothing", () => {
    const schedule = scheduleAfter(["a", 4_000], ["a", 4_000]);
    expect(usedBy(schedule, "late")).toBe(4_000);
    expect(usedBy(schedule, "a")).toBe(8_000);
  });

  it.each([
    ["of one owner", [work("a", "g")], work("a", "g")],
    ["of one group", [work("a", "g"), work("b", "g")], work("c", "g")],
    ["of all", [work("a"), work("b"), work("c")], work("d")],
  ])("are given to no more than may run at once %s", (_, running, next) => {
    const schedule = running.reduce((before, one) => begin(before, one, 0, 10), EMPTY_SCHEDULE);
    expect(nextWaiting(schedule, [next], LIMITS)).toBeUndefined();
    expect(nextWaiting(withoutLost(schedule, 10), [next], LIMITS)).toBe(next);
  });

  it("are lost by whoever does not end, and charged", () => {
    const schedule = withoutLost(begin(EMPTY_SCHEDULE, work("a"), 100, 400), 400);
    expect(schedule.running).toEqual([]);
    expect(usedBy(schedule, "a")).toBe(300);
    // Its function was not ended after all: the place is another's by now.
    expect(withEnded(schedule, "a", 900)).toBe(schedule);
  });

  it("remember only so many owners, those that used most", () => {
    const owners = Array.from({ length: 300 }, (_, at) => `o${at}`);
    const begun = owners.reduce((schedule, owner) => begin(schedule, work(owner)), EMPTY_SCHEDULE);
    const schedule = owners.reduce((before, owner, at) => withEnded(before, owner, at + 1), begun);
    expect(Object.keys(schedule.used)).toHaveLength(200);
    expect([usedBy(schedule, "o299"), usedBy(schedule, "o0")]).toEqual([300, 0]);
  });

  it("give each owner who always wants them the same time, however long each of its works takes", () => {
    const lengths = fc.array(fc.integer({ min: 10, max: 5_000 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(lengths, (lasting) => {
        const waiting = lasting.map((_, at) => work(`o${at}`));
        const spent = lasting.map(() => 0);
        let schedule = EMPTY_SCHEDULE;
        for (let now = 0; now < 400_000; ) {
          const next = nextWaiting(schedule, waiting, { atOnce: 1, ofGroup: 1, ofOwner: 1 });
          if (next === undefined) throw new Error("the lane stands idle");
          const at = waiting.indexOf(next);
          const ms = lasting[at] ?? 0;
          schedule = withEnded(begin(schedule, next, now, now + ms + 1), next.owner, now + ms);
          now += ms;
          spent[at] = (spent[at] ?? 0) + ms;
        }
        expect(Math.max(...spent) - Math.min(...spent)).toBeLessThanOrEqual(Math.max(...lasting));
      }),
      { numRuns: 50 },
    );
  });
});
