import type { TreeRun } from "../../endpoints/tree-runs.ts";
import { call, constant, field, from, select } from "../../hogql/build.ts";
import type { ErasedCounts } from "../erasures.ts";
import { among } from "./among.ts";

/** More days than there are between the first and the last that an event may be of. */
const MOST_DAYS = 50_000;

/** Characters of a UTC day that say its month. */
const MONTH_LENGTH = "2026-01".length;

const DAY = call("toString", call("toDate", field("timestamp")));

/** The events of these ids that queries see, with the UTC days and the months that they are of: whether they lie in files or wait. */
export const ownEvents = async (run: TreeRun, ids: readonly string[]): Promise<Pick<ErasedCounts, "rows" | "days" | "months">> => {
  const days = new Set<string>();
  let rows = 0;
  for (const where of among(field("distinct_id"), ids)) {
    const counted = await run.rows(
      select([DAY, call("count")], { from: from("events"), where, groupBy: [DAY], limit: constant(MOST_DAYS) }),
    );
    for (const [day, count] of counted) {
      days.add(String(day));
      rows += Number(count);
    }
  }
  return { rows, days: days.size, months: new Set([...days].map((day) => day.slice(0, MONTH_LENGTH))).size };
};
