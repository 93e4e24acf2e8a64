import * as z from "zod";
import { GroupTypeIndex, maybe } from "../filters/property-filter.ts";

export const BREAKDOWN_TYPES = [
  "event",
  "person",
  "session",
  "group",
  "hogql",
  "cohort",
  "event_metadata",
  "data_warehouse",
  "data_warehouse_person_property",
] as const;

/** Breakdowns that one insight may have in its `breakdowns`. */
const MAX_BREAKDOWNS = 3;

/** One of several breakdowns. `type` null means a property of the event; of type hogql, `property` is an expression. */
export const Breakdown = z
  .strictObject({
    property: z.union([z.string(), z.int()]),
    type: maybe(z.enum(BREAKDOWN_TYPES)),
    normalize_url: maybe(z.boolean()),
    histogram_bin_count: maybe(z.int()),
    group_type_index: maybe(GroupTypeIndex),
  })
  .meta({ id: "Breakdown" });
export type Breakdown = z.output<typeof Breakdown>;

/** What splits an insight by value: either the legacy `breakdown` with its `breakdown_…` keys, or `breakdowns`. */
export const BreakdownFilter = z
  .strictObject({
    breakdown: maybe(z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))])),
    breakdown_type: maybe(z.enum(BREAKDOWN_TYPES)),
    breakdown_group_type_index: maybe(GroupTypeIndex),
    breakdown_limit: maybe(z.int()),
    breakdown_hide_other_aggregation: maybe(z.boolean()),
    breakdown_normalize_url: maybe(z.boolean()),
    breakdown_path_cleaning: maybe(z.boolean()),
    breakdown_histogram_bin_count: maybe(z.int()),
    breakdowns: maybe(z.array(Breakdown).max(MAX_BREAKDOWNS)),
  })
  .meta({ id: "BreakdownFilter" });
export type BreakdownFilter = z.output<typeof BreakdownFilter>;
