import { QueryError } from "../hogql/errors.ts";

/** One row of an insight's `results`. */
export type InsightRow = Readonly<Record<string, unknown>>;

/** Stand for an event without the property, and for all values past the limit, until a reply is written. */
export const NULL_VALUE = "$$_posthog_breakdown_null_$$";
export const OTHER_VALUE = "$$_posthog_breakdown_other_$$";

/** Shown in texts for an event without the property, and for all values past the limit. */
const NULL_TEXT = "null";
const OTHER_TEXT = "Other";

/** A row of an insight as it is sent: in `breakdown_value` sentinels become null and `Other`, in `label` the texts of these. */
export const shownRow = (row: InsightRow): InsightRow => ({
  ...row,
  ...("breakdown_value" in row ? { breakdown_value: shownValue(row.breakdown_value) } : {}),
  ...(typeof row.label === "string" ? { label: shownLabel(row.label) } : {}),
});

/** A breakdown's value, or the list or the joined text of those of several breakdowns, without sentinels. */
export const shownValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shownValue);
  if (value === NULL_VALUE) return null;
  return typeof value === "string" ? shownLabel(value) : value;
};

const shownLabel = (label: string): string => label.replaceAll(NULL_VALUE, NULL_TEXT).replaceAll(OTHER_VALUE, OTHER_TEXT);

/** Most numbers of one result: more do not fit a reply, however short they are. */
const MAX_NUMBERS = 250_000;

/** The sentence for a result that is too large. */
export const TOO_LARGE =
  "The insight's result is larger than the 6 MB that can be sent. Shorten its dates, widen its interval, or narrow its breakdown.";

/** Refuses a result before its rows take up the memory of many replies. Throws `QueryError`. */
export const checkNumbers = (count: number): void => {
  if (count > MAX_NUMBERS) throw new QueryError("query_too_large", TOO_LARGE);
};
