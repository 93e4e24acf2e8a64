import * as z from "zod";
import { NO_TURNS, type Turns, withEnded, withoutLost } from "../core/turns.ts";
import { ConditionFailed, type Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, put } from "../table/store.ts";

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
    lately: z.array(z.object({ owner: z.string(), at: z.number() })),
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
  const { lane: _, change, ...turns } = stored;
  return { turns: withoutLost(turns, now), change };
};

/** The turns of a lane as they are now. */
export const readTurns = async (table: Table, lane: LaneName, now: number): Promise<Turns> => (await read(table, lane, now)).turns;

/** What becomes of the turns, and what the caller is told of it. Without turns nothing is written. */
export interface TurnChange<T> {
  readonly turns?: Turns;
  readonly result: T;
}

/**
 * Changes the turns of a lane. `decide` is asked again where somebody else changed them meanwhile, or a change of our own may have been
 * made although its answer was lost; it may ask and must change nothing.
 */
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
      const { clock, used, running, lately } = turns;
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
  changeTurns<void>(table, lane, now, (turns) => {
    const ended = withEnded(turns, name, now);
    return ended === turns ? { result: undefined } : { turns: ended, result: undefined };
  });
