import * as z from "zod";
import { entity } from "../table/entity.ts";
import { DEFAULT_SPIKE_DETECTION } from "./spikes/buckets.ts";
import { SETTINGS_LAYOUT, SPIKE_CONFIG_LAYOUT } from "./stored/layouts.ts";

/** Either number of a limit is at most this. */
export const MAX_LIMIT_NUMBER = 2_147_483_647;

const limit = () => z.int().min(1).max(MAX_LIMIT_NUMBER).nullable();

/** How many exceptions a project and each of its issues may store in how many minutes. A limit holds only when both of its numbers are set. */
export const ErrorTrackingSettings = entity({
  ...SETTINGS_LAYOUT,
  schema: z.object({
    project: z.int(),
    project_rate_limit_value: limit(),
    project_rate_limit_bucket_size_minutes: limit(),
    per_issue_rate_limit_value: limit(),
    per_issue_rate_limit_bucket_size_minutes: limit(),
  }),
});
export type ErrorTrackingSetting = z.output<typeof ErrorTrackingSettings.schema>;

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
