import { runsOf } from "../../lake/skipped-rows.ts";
import { ROW_PLACE, rowPlace } from "../query/scans/scan-sql.ts";

/** Runs of rows that one statement names. */
const RUNS_AT_ONCE = 5_000;

/**
 * Conditions that hold, each of some of them, for the rows at places, ascending, of files that are read together, in the order of their list:
 * named by runs, because a person's rows lie beside each other.
 */
export const atPlaces = (places: readonly (readonly number[])[]): readonly string[] => {
  const runs = places.flatMap((own, file) => runsOf(own).map(([from, to]) => `(${rowPlace(file, from)}, ${rowPlace(file, to)})`));
  return Array.from({ length: Math.ceil(runs.length / RUNS_AT_ONCE) }, (_, at) => {
    const some = runs.slice(at * RUNS_AT_ONCE, (at + 1) * RUNS_AT_ONCE).join(", ");
    return `${ROW_PLACE} IN (SELECT unnest(range("from", "to")) FROM (VALUES ${some}) runs("from", "to"))`;
  });
};
