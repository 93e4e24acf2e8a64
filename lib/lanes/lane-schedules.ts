import * as z from "zod";
import { EMPTY_SCHEDULE, type FairSchedule, withEnded, withoutLost } from "../core/fair-schedule.ts";
import { ConditionFailed, type Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, put } from "../table/store.ts";

/** The lanes whose schedules are kept: functions beside each other take their turns from one item. */
export type LaneName = "tables" | "jobs";

const Lanes = entity({
  name: "lane",
  version: 1,
  schema: z.object({
    lane: z.string(),
    /** Counts changes: one is written where nobody else changed it meanwhile. */
    change: z.int(),
    clock: z.number(),
    used: z.record(z.string(), z.number()),
    running: z.array(
      z.object({ name: z.string(), owner: z.string(), group: z.string(), tag: z.number(), began: z.number(), until: z.number() }),
    ),
    lately: z.array(z.object({ owner: z.string(), at: z.number() })),
  }),
  key: within("lanes", "turns"),
  patterns: {},
});

interface Read {
  readonly schedule: FairSchedule;
  readonly change: number;
}

const read = async (table: Table, lane: LaneName, now: number): Promise<Read> => {
  const stored = await get(table, Lanes, { lane }, { consistent: true });
  if (stored === undefined) return { schedule: EMPTY_SCHEDULE, change: 0 };
  const { lane: _, change, ...schedule } = stored;
  return { schedule: withoutLost(schedule, now), change };
};

/** The schedule of a lane as it is now. */
export const readSchedule = async (table: Table, lane: LaneName, now: number): Promise<FairSchedule> =>
  (await read(table, lane, now)).schedule;

/** What becomes of the schedule, and what the caller is told of it. Without a schedule nothing is written. */
export interface ScheduleChange<T> {
  readonly schedule?: FairSchedule;
  readonly result: T;
}

/**
 * Changes the schedule of a lane. `decide` is asked again where somebody else changed it meanwhile, or a change of our own may have been
 * made although its answer was lost; it may ask and must change nothing.
 */
export const changeSchedule = async <T>(
  table: Table,
  lane: LaneName,
  now: number,
  decide: (schedule: FairSchedule) => ScheduleChange<T> | Promise<ScheduleChange<T>>,
): Promise<T> => {
  for (;;) {
    const { schedule: before, change } = await read(table, lane, now);
    const { schedule, result } = await decide(before);
    if (schedule === undefined) return result;
    try {
      const unchanged = change === 0 ? ({ kind: "absent" } as const) : ({ kind: "equals", attribute: "change", value: change } as const);
      const { clock, used, running, lately } = schedule;
      const item = { lane, change: change + 1, clock, used: { ...used }, running: [...running], lately: [...lately] };
      await put(table, Lanes, item, unchanged);
      return result;
    } catch (thrown) {
      if (!(thrown instanceof ConditionFailed)) throw thrown;
    }
  }
};

/** Ends work that was begun under this name; where its place was lost meanwhile there is nothing to end. */
export const endWork = (table: Table, lane: LaneName, now: number, name: string): Promise<void> =>
  changeSchedule<void>(table, lane, now, (schedule) => {
    const ended = withEnded(schedule, name, now);
    return ended === schedule ? { result: undefined } : { schedule: ended, result: undefined };
  });
