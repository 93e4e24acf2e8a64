import * as z from "zod";
import { ConditionFailed, type Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, put } from "../table/store.ts";
import { NO_TURNS, type Turns, withoutLost } from "./turns.ts";

/** The lanes whose turns are kept: functions beside each other take them from one item. */
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
  }),
  key: within("lanes", "turns"),
  patterns: {},
});

interface Read {
  readonly turns: Turns;
  readonly change: number;
}

const read = async (table: Table, lane: LaneName, now: number): Promise<Read> => {
  const stored = await get(table, Lanes, { lane }, { consistent: true });
  if (stored === undefined) return { turns: NO_TURNS, change: 0 };
  const { clock, used, running, change } = stored;
  return { turns: withoutLost({ clock, used, running }, now), change };
};

/** The turns of a lane as they are now. */
export const readTurns = async (table: Table, lane: LaneName, now: number): Promise<Turns> => (await read(table, lane, now)).turns;

/** What becomes of the turns, and what the caller is told of it. Without turns nothing is written. */
export interface TurnChange<T> {
  readonly turns?: Turns;
  readonly result: T;
}

/** Changes the turns of a lane; `decide` is asked again where somebody else changed them meanwhile, so it may ask and must change nothing. */
export const changeTurns = async <T>(
  table: Table,
  lane: LaneName,
  now: number,
  decide: (turns: Turns) => TurnChange<T> | Promise<TurnChange<T>>,
): Promise<T> => {
  for (;;) {
    const { turns: before, change } = await read(table, lane, now);
    const { turns, result } = await decide(before);
    if (turns === undefined) return result;
    try {
      const unchanged = change === 0 ? ({ kind: "absent" } as const) : ({ kind: "equals", attribute: "change", value: change } as const);
      await put(table, Lanes, { lane, change: change + 1, ...turns, used: { ...turns.used }, running: [...turns.running] }, unchanged);
      return result;
    } catch (thrown) {
      if (!(thrown instanceof ConditionFailed)) throw thrown;
    }
  }
};
