import { captureMemory } from "./capture-memory.ts";
import { captureRatio } from "./capture-ratio.ts";
import type { Part } from "./figures.ts";

/** Every part, in the order of the table. */
export const parts: readonly Part[] = [captureRatio, captureMemory];
