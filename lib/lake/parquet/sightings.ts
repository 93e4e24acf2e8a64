import type { EventRow } from "../../event/event.ts";
import type { Sighting, Sightings } from "./row-files.ts";

type SeenRow = Pick<EventRow, "distinct_id" | "timestamp" | "index" | "uuid" | "person_mode">;

/** `RowFiles.sightings` of the rows of a segment, in their order. */
export const sightingsOf = (rows: readonly SeenRow[], skip: readonly number[]): Sightings => {
  const gone = new Set(skip);
  const skipped = rows.filter((row, place) => gone.has(place) && row.person_mode === "full");
  const ids = new Set(skipped.map(({ distinct_id }) => distinct_id));
  const staying = rows.filter((row, place) => !gone.has(place) && row.person_mode === "full" && ids.has(row.distinct_id));
  return { skipped: skipped.map(sightingOf), staying: staying.map(sightingOf) };
};

const sightingOf = ({ distinct_id, timestamp, index, uuid }: SeenRow): Sighting => ({
  id: distinct_id,
  at: { time: timestamp, index, uuid },
});
