import type { EventRow } from "../../event/event.ts";
import { utcDay } from "../../event/time-partitions.ts";

/** The rows without duplicates: of several copies of one identity the least (created_at, request, index) stays. */
export const distinctRows = (rows: readonly EventRow[]): readonly EventRow[] => {
  const places = new Map<bigint, number>();
  /** Rows whose hash another identity has too; hardly ever there. */
  const collided: number[] = [];
  const kept: EventRow[] = [];
  for (const row of rows) {
    const place = places.get(row.identity);
    const known = place === undefined ? undefined : sameIdentity(kept, [place, ...collided], row);
    if (known !== undefined) {
      const other = kept[known];
      if (other !== undefined && comesBefore(row, other)) kept[known] = row;
      continue;
    }
    if (place === undefined) places.set(row.identity, kept.length);
    else collided.push(kept.length);
    kept.push(row);
  }
  return kept;
};

const sameIdentity = (kept: readonly EventRow[], places: readonly number[], row: EventRow): number | undefined =>
  places.find((place) => {
    const other = kept[place];
    return (
      other !== undefined &&
      other.uuid === row.uuid &&
      other.distinct_id === row.distinct_id &&
      other.event === row.event &&
      utcDay(other.timestamp) === utcDay(row.timestamp)
    );
  });

const comesBefore = (a: EventRow, b: EventRow): boolean => {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at;
  if (a.request !== b.request) return a.request < b.request;
  return a.index < b.index;
};
