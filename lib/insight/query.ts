import * as z from "zod";
import { DateRange, GroupTypeIndex, maybe, Properties, PropertyFilter } from "./filters/property-filter.ts";

/**
 * The insights that an endpoint may be made of. Parsing gives the stored form: every known key is there, absent ones as null.
 * An unknown key does not fit. What fits may still ask for what cannot be planned; planning says so.
 */

/** "A, B or C". */
export const alternatives = (names: readonly string[]): string => names.join(", ").replace(/, (?=[^,]*$)/, " or ");

/** The sentence on an object whose `kind` is none of these; other mistakes keep their own words. */
export const unknownKind = (...names: readonly string[]) => ({
  error: ({ code }: { readonly code?: string | undefined }): string | undefined =>
    code === "invalid_union" ? `Unknown kind. Use ${alternatives(names)}.` : undefined,
});

export const INTERVALS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const;
export type Interval = (typeof INTERVALS)[number];

/** How the events of a series are counted; null is `total`. */
export const MATHS = [
  "total",
  "dau",
  "weekly_active",
  "monthly_active",
  "unique_session",
  "first_time_for_user",
  "first_matching_event_for_user",
  "avg",
  "sum",
  "min",
  "max",
  "median",
  "p75",
  "p90",
  "p95",
  "p99",
  "avg_count_per_actor",
  "min_count_per_actor",
  "max_count_per_actor",
  "median_count_per_actor",
  "p75_count_per_actor",
  "p90_count_per_actor",
  "p95_count_per_actor",
  "p99_count_per_actor",
  "unique_group",
  "hogql",
] as const;

export const DISPLAYS = [
  "Auto",
  "ActionsLineGraph",
  "ActionsLineGraphCumulative",
  "ActionsAreaGraph",
  "ActionsBar",
  "ActionsUnstackedBar",
  "ActionsStackedBar",
  "BoldNumber",
  "ActionsPie",
  "ActionsBarValue",
  "ActionsTable",
  "WorldMap",
  "CalendarHeatmap",
] as const;
export type Display = (typeof DISPLAYS)[number];

const anyRecord = z.record(z.string(), z.unknown());

const nodeKeys = {
  name: maybe(z.string()),
  custom_name: maybe(z.string()),
  math: maybe(z.enum(MATHS)),
  math_property: maybe(z.string()),
  math_property_type: maybe(z.string()),
  math_property_revenue_currency: maybe(anyRecord),
  math_hogql: maybe(z.string()),
  math_group_type_index: maybe(GroupTypeIndex),
  math_multiplier: maybe(z.number()),
  properties: maybe(z.array(PropertyFilter)),
  fixedProperties: maybe(z.array(PropertyFilter)),
  optionalInFunnel: maybe(z.boolean()),
  response: maybe(anyRecord),
  version: maybe(z.number()),
};

/** A series of events; `event` null is any event. */
export const EventsNode = z
  .strictObject({
    kind: z.literal("EventsNode"),
    event: maybe(z.string()),
    limit: maybe(z.int()),
    orderBy: maybe(z.array(z.string())),
    ...nodeKeys,
  })
  .meta({ id: "EventsNode", description: "A series: the events of one name, or of any name when `event` is null." });
export type EventsNode = z.output<typeof EventsNode>;

/** A series of an action. It fits the form; actions do not exist here, so planning refuses it. */
const ActionsNode = z.strictObject({ kind: z.literal("ActionsNode"), id: z.int(), ...nodeKeys }).meta({ id: "ActionsNode" });

/** A series of a warehouse table. It fits the form; planning refuses it. */
const DataWarehouseNode = z
  .looseObject({ kind: z.literal("DataWarehouseNode") })
  // Generators of clients write an object of a constant and any other keys as what does not compile.
  .meta({ id: "DataWarehouseNode", additionalProperties: undefined });

export const SeriesNode = z.discriminatedUnion("kind", [EventsNode, ActionsNode, DataWarehouseNode], unknownKind("EventsNode"));
export type SeriesNode = z.output<typeof SeriesNode>;

export const CompareFilter = z.strictObject({ compare: maybe(z.boolean()), compare_to: maybe(z.string()) }).meta({ id: "CompareFilter" });
export type CompareFilter = z.output<typeof CompareFilter>;

/** How the result is shown and what is derived from it. Only display, the formulas and smoothing change rows; the others are echoed. */
export const TrendsFilter = z
  .strictObject({
    display: maybe(z.enum(DISPLAYS)),
    formula: maybe(z.string()),
    formulas: maybe(z.array(z.string())),
    formulaNodes: maybe(z.array(z.strictObject({ formula: z.string(), custom_name: maybe(z.string()) }))),
    smoothingIntervals: maybe(z.int()),
    showLegend: maybe(z.boolean()),
    showAlertThresholdLines: maybe(z.boolean()),
    showValuesOnSeries: maybe(z.boolean()),
    showPercentStackView: maybe(z.boolean()),
    showLabelsOnSeries: maybe(z.boolean()),
    showMultipleYAxes: maybe(z.boolean()),
    showConfidenceIntervals: maybe(z.boolean()),
    confidenceLevel: maybe(z.number()),
    showTrendLines: maybe(z.boolean()),
    showMovingAverage: maybe(z.boolean()),
    movingAverageIntervals: maybe(z.number()),
    aggregationAxisFormat: maybe(z.string()),
    aggregationAxisPrefix: maybe(z.string()),
    aggregationAxisPostfix: maybe(z.string()),
    decimalPlaces: maybe(z.number()),
    minDecimalPlaces: maybe(z.number()),
    hiddenLegendIndexes: maybe(z.array(z.int())),
    yAxisScaleType: maybe(z.enum(["log10", "linear"])),
    goalLines: maybe(z.array(anyRecord)),
    resultCustomizations: maybe(anyRecord),
    resultCustomizationBy: maybe(z.enum(["value", "position"])),
    detailedResultsAggregationType: maybe(z.enum(["total", "average", "median"])),
  })
  .meta({ id: "TrendsFilter" });
export type TrendsFilter = z.output<typeof TrendsFilter>;

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

/** How an insight is split by value: either the legacy `breakdown` with its `breakdown_…` keys, or `breakdowns`. */
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

/** The names of an insight's breakdowns in their order: its properties, or the texts of its expressions. */
export const breakdownNames = (filter: BreakdownFilter | null): readonly string[] => {
  if (filter === null) return [];
  if (filter.breakdowns !== null && filter.breakdowns.length > 0) return filter.breakdowns.map(({ property }) => String(property));
  if (filter.breakdown === null) return [];
  return Array.isArray(filter.breakdown) ? filter.breakdown.map(String) : [String(filter.breakdown)];
};

/** Keys that every insight has. */
const insightKeys = {
  dateRange: maybe(DateRange),
  properties: maybe(Properties),
  breakdownFilter: maybe(BreakdownFilter),
  filterTestAccounts: maybe(z.boolean()),
  samplingFactor: maybe(z.number()),
  aggregation_group_type_index: maybe(GroupTypeIndex),
  dataColorTheme: maybe(z.number()),
  modifiers: maybe(anyRecord),
  response: maybe(anyRecord),
  tags: maybe(anyRecord),
  version: maybe(z.number()),
};

/** Counts of events over time. */
export const TrendsQuery = z
  .strictObject({
    kind: z.literal("TrendsQuery"),
    series: z.array(SeriesNode).min(1),
    interval: maybe(z.enum(INTERVALS)),
    compareFilter: maybe(CompareFilter),
    trendsFilter: maybe(TrendsFilter),
    conversionGoal: maybe(anyRecord),
    ...insightKeys,
  })
  .meta({ id: "TrendsQuery", description: "Counts of events over time, by series and by the values of breakdowns." });
export type TrendsQuery = z.output<typeof TrendsQuery>;

/** The event that begins or continues a retention; `id` null is any event. */
export const RetentionEntity = z
  .strictObject({
    id: maybe(z.union([z.string(), z.number()])),
    name: maybe(z.string()),
    type: maybe(z.enum(["events", "actions", "data_warehouse", "new_entity"])),
    kind: maybe(z.enum(["EventsNode", "ActionsNode"])),
    properties: maybe(z.array(PropertyFilter)),
    custom_name: maybe(z.string()),
    order: maybe(z.int()),
    uuid: maybe(z.string()),
  })
  .meta({ id: "RetentionEntity" });
export type RetentionEntity = z.output<typeof RetentionEntity>;

export const RetentionFilter = z
  .strictObject({
    retentionType: maybe(z.enum(["retention_recurring", "retention_first_time", "retention_first_ever_occurrence"])),
    period: maybe(z.enum(["Hour", "Day", "Week", "Month"])),
    totalIntervals: maybe(z.int()),
    targetEntity: maybe(RetentionEntity),
    returningEntity: maybe(RetentionEntity),
    cumulative: maybe(z.boolean()),
    minimumOccurrences: maybe(z.int()),
    retentionCustomBrackets: maybe(z.array(z.number())),
    timeWindowMode: maybe(z.enum(["strict_calendar_dates", "24_hour_windows"])),
    aggregationType: maybe(z.enum(["count", "sum", "avg"])),
    aggregationProperty: maybe(z.string()),
    aggregationPropertyType: maybe(z.enum(["event", "person"])),
    retentionReference: maybe(z.enum(["total", "previous"])),
    display: maybe(z.enum(DISPLAYS)),
    dashboardDisplay: maybe(z.string()),
    showTrendLines: maybe(z.boolean()),
    meanRetentionCalculation: maybe(z.enum(["simple", "weighted", "none"])),
    goalLines: maybe(z.array(anyRecord)),
    selectedInterval: maybe(z.int()),
  })
  .meta({ id: "RetentionFilter" });
export type RetentionFilter = z.output<typeof RetentionFilter>;

/** Who comes back, by the period in which they began. */
export const RetentionQuery = z
  .strictObject({ kind: z.literal("RetentionQuery"), retentionFilter: RetentionFilter, ...insightKeys })
  .meta({ id: "RetentionQuery", description: "Who comes back, by the period in which they began." });
export type RetentionQuery = z.output<typeof RetentionQuery>;

/** Every kind of insight that an endpoint may be made of; what else each consists of is in the table of `kinds.ts`. */
export const INSIGHTS = [TrendsQuery, RetentionQuery] as const;
export type InsightQuery = z.output<(typeof INSIGHTS)[number]>;
export const INSIGHT_NAMES: readonly InsightQuery["kind"][] = INSIGHTS.map(({ shape }) => shape.kind.value);

/** The part of a dashboard that a run may lay over a saved insight (`filters_override`). */
export const DashboardFilter = z
  .strictObject({
    date_from: maybe(z.string()),
    date_to: maybe(z.string()),
    explicitDate: maybe(z.boolean()),
    properties: maybe(z.array(PropertyFilter)),
    breakdown_filter: maybe(BreakdownFilter),
    filterTestAccounts: maybe(z.boolean()),
    interval: maybe(z.enum(["second", "minute", "hour", "day", "week", "month"])),
  })
  .meta({ id: "DashboardFilter", description: "What a run lays over a saved insight. Deprecated: use variables." });
export type DashboardFilter = z.output<typeof DashboardFilter>;
