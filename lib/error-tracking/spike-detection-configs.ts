import * as z from "zod";
import { entity } from "../table/entity.ts";
import { DEFAULT_SPIKE_DETECTION } from "./spike-detection-defaults.ts";
import { SPIKE_CONFIG_LAYOUT } from "./stored/layouts.ts";

const whole = (otherwise: number) => z.int().min(1).default(otherwise);

/** When a burst of exceptions is a spike; a project without an item has the defaults. */
export const SpikeDetectionConfigs = entity({
  ...SPIKE_CONFIG_LAYOUT,
  schema: z.object({
    project: z.int(),
    snooze_duration_minutes: whole(DEFAULT_SPIKE_DETECTION.snooze_duration_minutes),
    multiplier: whole(DEFAULT_SPIKE_DETECTION.multiplier),
    threshold: whole(DEFAULT_SPIKE_DETECTION.threshold),
  }),
});
export type SpikeDetectionConfig = z.output<typeof SpikeDetectionConfigs.schema>;
