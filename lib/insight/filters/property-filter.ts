import * as z from "zod";

/** A key that may be absent or null, and is null in the stored form when it is. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/** Number of a group type in its project: 0 to 4. */
export const GroupTypeIndex = z.int().min(0).max(4);

export const FILTER_TYPES = [
  "event",
  "person",
  "session",
  "group",
  "cohort",
  "element",
  "event_metadata",
  "hogql",
  "feature",
  "recording",
  "log_entry",
  "flag",
  "person_metadata",
  "data_warehouse",
  "data_warehouse_person_property",
] as const;

export const FILTER_OPERATORS = [
  "exact",
  "is_not",
  "icontains",
  "not_icontains",
  "icontains_multi",
  "not_icontains_multi",
  "regex",
  "not_regex",
  "gt",
  "gte",
  "lt",
  "lte",
  "is_set",
  "is_not_set",
  "is_date_exact",
  "is_date_before",
  "is_date_after",
  "between",
  "not_between",
  "min",
  "max",
  "in",
  "not_in",
  "is_cleaned_path_exact",
  "semver_eq",
  "semver_neq",
  "semver_gt",
  "semver_gte",
  "semver_lt",
  "semver_lte",
  "semver_tilde",
  "semver_caret",
  "semver_wildcard",
  "flag_evaluates_to",
] as const;

const FilterValue = z.union([z.string(), z.number(), z.boolean()]);

/** One condition on a property. `type` null means a property of the event, `operator` null means `exact`. */
export const PropertyFilter = z
  .strictObject({
    key: z.string(),
    value: maybe(z.union([FilterValue, z.array(FilterValue)])),
    operator: maybe(z.enum(FILTER_OPERATORS)),
    type: maybe(z.enum(FILTER_TYPES)),
    group_type_index: maybe(GroupTypeIndex),
    label: maybe(z.string()),
    group_key_names: maybe(z.record(z.string(), z.string())),
    cohort_name: maybe(z.string()),
  })
  .meta({ id: "PropertyFilter" });
export type PropertyFilter = z.output<typeof PropertyFilter>;

/** Conditions joined by AND or OR; groups may hold groups. */
export interface PropertyGroup {
  readonly type: "AND" | "OR";
  readonly values: readonly (PropertyGroup | PropertyFilter)[];
}
interface PropertyGroupInput {
  readonly type: "AND" | "OR";
  readonly values: readonly (PropertyGroupInput | z.input<typeof PropertyFilter>)[];
}
export const PropertyGroup: z.ZodType<PropertyGroup, PropertyGroupInput> = z
  .strictObject({
    type: z.enum(["AND", "OR"]),
    get values() {
      return z.array(z.union([PropertyFilter, PropertyGroup]));
    },
  })
  .meta({ id: "PropertyGroup" });

/** The properties of a whole insight: a list, all of which hold, or a group. */
export const Properties = z.union([z.array(PropertyFilter), PropertyGroup]);
export type Properties = z.output<typeof Properties>;

/** Bounds in time as their author wrote them: relative (`-7d`, `mStart`), a date, a moment, `all`, or null for the default. */
export const DateRange = z
  .strictObject({ date_from: maybe(z.string()), date_to: maybe(z.string()), explicitDate: maybe(z.boolean()) })
  .meta({ id: "DateRange" });
export type DateRange = z.output<typeof DateRange>;
