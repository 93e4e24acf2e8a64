import { countUsage } from "../event/usage/usage-types.ts";
import { segmentFiles } from "../lake/parquet/segment.ts";
import type { World } from "../world/world.ts";

/** The segment writer of every world; it holds nothing open. */
export const openSegments: World["segments"] = segmentFiles(countUsage);
