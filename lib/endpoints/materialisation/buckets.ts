import type { BUCKETS } from "../definition.ts";

/** The function that rounds a time down to each bucket. */
export const BUCKET_FUNCTIONS: Readonly<Record<(typeof BUCKETS)[number], string>> & Readonly<Record<string, string | undefined>> = {
  minute: "toStartOfMinute",
  fifteen_minutes: "toStartOfFifteenMinutes",
  hour: "toStartOfHour",
  day: "toStartOfDay",
  week: "toStartOfWeek",
  month: "toStartOfMonth",
};

/** Columns, by their path, that are rounded otherwise than to their day. */
export type BucketOverrides = Readonly<Record<string, string>> | null;
