import { Defect } from "../../core/unreachable.ts";
import { readParquet, type Value } from "../../lake/parquet.ts";
import { findSightings, type RowFiles } from "../../lake/row-files.ts";
import type { Objects } from "../../ports/objects.ts";

const COLUMNS = ["distinct_id", "timestamp", "index", "uuid", "person_mode"];

/** `RowFiles.sightings` over Parquet. A segment holds what one drain may hold, so its few columns fit the memory. */
export const segmentSightings =
  (objects: Pick<Objects, "get">): RowFiles["sightings"] =>
  async ({ file, skip }) => {
    const bytes = await objects.get(file.key);
    if (bytes === undefined) throw new Defect(`the segment ${file.key} is missing`);
    return findSightings((await readParquet(bytes, COLUMNS)).map(readSighting), skip);
  };

const readSighting = ({ distinct_id, timestamp, index, uuid, person_mode }: Readonly<Record<string, Value>>) => {
  if (typeof distinct_id !== "string" || typeof timestamp !== "bigint" || typeof uuid !== "string")
    throw new Defect("a segment has other columns than this version writes");
  return {
    distinct_id,
    timestamp,
    index: Number(index),
    uuid,
    person_mode: person_mode === "full" ? ("full" as const) : ("propertyless" as const),
  };
};
