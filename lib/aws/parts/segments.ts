import type { World } from "../../app/world.ts";
import { segmentFiles } from "../../lake/row-files.ts";
import { countUsage } from "../../usage/day-counts.ts";

/** The segment writer of every world; it holds nothing open. */
export const openSegments: World["segments"] = segmentFiles(countUsage);
