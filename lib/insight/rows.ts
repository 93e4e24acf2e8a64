import { type InsightRow, NULL_VALUE, OTHER_VALUE } from "./plan.ts";

/** What is shown for an event without the property in a text, and for all values past the limit. */
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
