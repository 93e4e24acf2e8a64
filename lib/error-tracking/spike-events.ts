import * as z from "zod";
import { entity } from "../table/entity.ts";
import { SPIKE_EVENT_LAYOUT } from "./stored/layouts.ts";

/** A moment at which an issue had far more exceptions than before. */
export const SpikeEvents = entity({
  ...SPIKE_EVENT_LAYOUT,
  schema: z.object({
    project: z.int(),
    id: z.guid(),
    issue_id: z.guid(),
    /** The original issue: the one that it was of before that was merged into another. */
    home: z.guid().optional(),
    detected_at: z.string(),
    computed_baseline: z.number(),
    current_bucket_value: z.int(),
  }),
});
export type SpikeEvent = z.output<typeof SpikeEvents.schema>;
