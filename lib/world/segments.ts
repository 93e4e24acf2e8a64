import { segmentFiles } from "../lake/segment.ts";
import { countUsage } from "../lake/usage-types.ts";
import type { World } from "./world.ts";

/** The segment writer of every world; it holds nothing open. */
export const openSegments: World["segments"] = segmentFiles(countUsage);
