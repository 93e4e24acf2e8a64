import type { RunProject } from "../../endpoints/run-request.ts";
import { runTrees } from "../../endpoints/tree-runs.ts";
import type { EnginePorts } from "../../engine/engine.ts";
import { call, compare, constant, field, from, select, tuple } from "../../hogql/build.ts";
import type { ErasedCounts } from "../erasures.ts";

/** Ids that one query names. */
const IDS_AT_ONCE = 1_000;

/** More days than there are between the first and the last that an event may be of. */
const MOST_DAYS = 50_000;

/** Characters of a UTC day that say its month. */
const MONTH_LENGTH = "2026-01".length;

const DAY = call("toString", call("toDate", field("timestamp")));

/** The events of these ids that queries see, with the UTC days and the months that they are of: whether they lie in files or wait. */
export const ownEvents = async (
  world: EnginePorts,
  project: RunProject,
  ids: readonly string[],
): Promise<Pick<ErasedCounts, "rows" | "days" | "months">> => {
  const days = new Set<string>();
  let rows = 0;
  await runTrees(world, project, async (run) => {
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const some = ids.slice(at, at + IDS_AT_ONCE).map(constant);
      const counted = await run.rows(
        select([DAY, call("count")], {
          from: from("events"),
          where: compare("in", field("distinct_id"), tuple(some)),
          groupBy: [DAY],
          limit: constant(MOST_DAYS),
        }),
      );
      for (const [day, count] of counted) {
        days.add(String(day));
        rows += Number(count);
      }
    }
  });
  return { rows, days: days.size, months: new Set([...days].map((day) => day.slice(0, MONTH_LENGTH))).size };
};
