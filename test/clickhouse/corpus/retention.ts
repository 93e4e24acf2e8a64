import type { InsightCase } from "./case.ts";

type Keys = Readonly<Record<string, unknown>>;

interface Written extends Omit<InsightCase, "name" | "part" | "insight"> {
  readonly retention: Keys;
  readonly query?: Keys;
}

const of = (id: string | null, keys: Keys = {}): Keys => ({ id, name: id ?? "All events", type: "events", ...keys });
const VIEW = of("$pageview");
const SALE = of("purchase");
const from = (date_from: string | null, date_to: string | null = null): Keys => ({ dateRange: { date_from, date_to } });

const SPRING = from("2026-03-01", "2026-03-14");
const CHANGE = from("2026-03-24", "2026-04-02");
const HALF_YEAR = from("2026-01-01", "2026-06-30");
const VIEWS: Keys = { targetEntity: VIEW, returningEntity: VIEW };
const WEEKS: Keys = { ...VIEWS, period: "Week", totalIntervals: 6 };
const MONTHS: Keys = { ...VIEWS, period: "Month", totalIntervals: 6 };
const by = (...breakdowns: readonly Keys[]): Keys => ({ ...HALF_YEAR, breakdownFilter: { breakdowns } });

const TYPES: Readonly<Record<string, Written>> = {
  "recurring by day": { retention: { ...VIEWS, retentionType: "retention_recurring" }, query: SPRING },
  "first time by day": { retention: { ...VIEWS, retentionType: "retention_first_time" }, query: SPRING },
  "first ever by day": { retention: { ...VIEWS, retentionType: "retention_first_ever_occurrence" }, query: SPRING },
  "recurring by week": { retention: { ...WEEKS, retentionType: "retention_recurring" }, query: HALF_YEAR },
  "first time by week": { retention: { ...WEEKS, retentionType: "retention_first_time" }, query: HALF_YEAR },
  "first ever by week": {
    retention: { ...WEEKS, retentionType: "retention_first_ever_occurrence" },
    query: from("2026-02-01", "2026-04-01"),
  },
  "recurring by month": { retention: MONTHS, query: HALF_YEAR },
  "first time by month": { retention: { ...MONTHS, retentionType: "retention_first_time" }, query: HALF_YEAR },
  "first ever by month": { retention: { ...MONTHS, retentionType: "retention_first_ever_occurrence" }, query: HALF_YEAR },
  "by hour": { retention: { ...VIEWS, period: "Hour", totalIntervals: 6 }, query: from("2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z") },
  "first time from views to sales": {
    retention: { retentionType: "retention_first_time", period: "Month", totalIntervals: 4, targetEntity: VIEW, returningEntity: SALE },
    query: HALF_YEAR,
  },
  "recurring from sales to views": {
    retention: { period: "Week", totalIntervals: 5, targetEntity: SALE, returningEntity: VIEW },
    query: from("2026-02-01", "2026-04-30"),
  },
  "first ever from sign-ups to anything": {
    retention: {
      retentionType: "retention_first_ever_occurrence",
      period: "Month",
      totalIntervals: 5,
      targetEntity: of("signup"),
      returningEntity: of(null),
    },
    query: HALF_YEAR,
  },
  "nobody began": { retention: { period: "Day", totalIntervals: 4, targetEntity: of("never sent"), returningEntity: VIEW }, query: SPRING },
  "nobody came back": {
    retention: { period: "Week", totalIntervals: 4, targetEntity: VIEW, returningEntity: of("never sent") },
    query: HALF_YEAR,
  },
  "all defaults": { retention: {}, now: "2026-04-03T12:00:00Z" },
};

const DATES: Readonly<Record<string, Written>> = {
  "by day over the change in Berlin": { retention: VIEWS, query: CHANGE, timezone: "Europe/Berlin" },
  "by day over the change in New York": { retention: VIEWS, query: from("2026-03-04", "2026-03-12"), timezone: "America/New_York" },
  "by day in Kathmandu": { retention: { ...VIEWS, totalIntervals: 5 }, query: SPRING, timezone: "Asia/Kathmandu" },
  "by hour over the change in Berlin": {
    retention: { ...VIEWS, period: "Hour", totalIntervals: 5 },
    query: from("2026-03-28T22:00:00", "2026-03-29T08:00:00"),
    timezone: "Europe/Berlin",
  },
  "by week from Monday in Berlin": { retention: WEEKS, query: HALF_YEAR, timezone: "Europe/Berlin", weekStart: 1 },
  "by week from Sunday in New York": { retention: WEEKS, query: from("2026-02-18", "2026-04-15"), timezone: "America/New_York" },
  "by month in Berlin": { retention: { ...MONTHS, retentionType: "retention_first_time" }, query: HALF_YEAR, timezone: "Europe/Berlin" },
  "the last seven days": { retention: { ...VIEWS, totalIntervals: 7 }, query: from("-7d"), now: "2026-04-03T12:00:00Z" },
  "the last two months by week": { retention: WEEKS, query: from("-2m"), now: "2026-05-15T12:00:00Z" },
  "this year by month": { retention: MONTHS, query: from("yStart") },
  "the future is zeros": {
    retention: { ...VIEWS, totalIntervals: 10 },
    query: from("2026-06-25", "2026-07-05"),
    now: "2026-06-28T12:00:00Z",
  },
};

const OPTIONS: Readonly<Record<string, Written>> = {
  cumulative: { retention: { ...VIEWS, cumulative: true }, query: SPRING },
  "cumulative by week of first time": {
    retention: { ...WEEKS, retentionType: "retention_first_time", cumulative: true },
    query: HALF_YEAR,
  },
  "brackets of days": { retention: { ...VIEWS, retentionCustomBrackets: [1, 3, 4] }, query: SPRING },
  "brackets of weeks of first time": {
    retention: { ...VIEWS, period: "Week", retentionType: "retention_first_time", retentionCustomBrackets: [2, 4] },
    query: HALF_YEAR,
  },
  "cumulative brackets": { retention: { ...VIEWS, retentionCustomBrackets: [2, 5], cumulative: true }, query: SPRING },
  "windows of 24 hours": { retention: { ...VIEWS, timeWindowMode: "24_hour_windows" }, query: SPRING },
  "windows of 24 hours of first time": {
    retention: { ...VIEWS, retentionType: "retention_first_time", timeWindowMode: "24_hour_windows", totalIntervals: 6 },
    query: CHANGE,
    timezone: "Europe/Berlin",
  },
  "windows of weeks": {
    retention: { ...WEEKS, retentionType: "retention_first_time", timeWindowMode: "24_hour_windows" },
    query: HALF_YEAR,
  },
  "at least two times": { retention: { ...WEEKS, minimumOccurrences: 2 }, query: HALF_YEAR },
  "sum of a property": {
    retention: {
      period: "Month",
      totalIntervals: 4,
      targetEntity: VIEW,
      returningEntity: SALE,
      aggregationType: "sum",
      aggregationProperty: "price",
    },
    query: HALF_YEAR,
  },
  "avg of a property": {
    retention: {
      period: "Month",
      totalIntervals: 4,
      targetEntity: VIEW,
      returningEntity: SALE,
      aggregationType: "avg",
      aggregationProperty: "quantity",
      retentionType: "retention_first_time",
    },
    query: HALF_YEAR,
  },
  "of groups": { retention: MONTHS, query: { ...HALF_YEAR, aggregation_group_type_index: 0 } },
  "of groups of first time": {
    retention: { ...WEEKS, retentionType: "retention_first_time" },
    query: { ...HALF_YEAR, aggregation_group_type_index: 1 },
  },
  "what only changes the picture": {
    retention: { ...WEEKS, retentionReference: "previous", meanRetentionCalculation: "weighted", showTrendLines: true },
    query: from("2026-03-01", "2026-04-30"),
  },
};

const FILTERS: Readonly<Record<string, Written>> = {
  "on the query": {
    retention: WEEKS,
    query: { ...HALF_YEAR, properties: [{ key: "$browser", value: ["Chrome"], operator: "exact", type: "event" }] },
  },
  "on a person's property": {
    retention: MONTHS,
    query: { ...HALF_YEAR, properties: [{ key: "country", value: ["DE", "US"], operator: "exact", type: "person" }] },
  },
  "on both entities": {
    retention: {
      period: "Month",
      totalIntervals: 5,
      targetEntity: of("$pageview", { properties: [{ key: "$os", value: ["Linux"], operator: "exact", type: "event" }] }),
      returningEntity: of("$pageview", { properties: [{ key: "$os", value: ["Linux"], operator: "is_not", type: "event" }] }),
    },
    query: HALF_YEAR,
  },
  "first time where it matches": {
    retention: {
      ...MONTHS,
      retentionType: "retention_first_time",
      targetEntity: of("purchase", { properties: [{ key: "plan", value: ["pro"], operator: "exact", type: "event" }] }),
    },
    query: HALF_YEAR,
  },
  "first ever where it matches": {
    retention: {
      ...MONTHS,
      retentionType: "retention_first_ever_occurrence",
      targetEntity: of("purchase", { properties: [{ key: "plan", value: ["pro"], operator: "exact", type: "event" }] }),
    },
    query: HALF_YEAR,
  },
  "by an expression": { retention: MONTHS, query: { ...HALF_YEAR, properties: [{ key: "toHour(timestamp) < 12", type: "hogql" }] } },
  "by a group of filters": {
    retention: MONTHS,
    query: {
      ...HALF_YEAR,
      properties: {
        type: "OR",
        values: [
          { type: "AND", values: [{ key: "plan", value: ["pro"], operator: "exact", type: "event" }] },
          { type: "AND", values: [{ key: "$os", value: ["iOS"], operator: "exact", type: "event" }] },
        ],
      },
    },
  },
};

const BREAKDOWNS: Readonly<Record<string, Written>> = {
  "of a property": { retention: MONTHS, query: by({ property: "$browser", type: "event" }) },
  "of a person's property": {
    retention: { ...MONTHS, retentionType: "retention_first_time" },
    query: by({ property: "country", type: "person" }),
  },
  "of two properties": {
    retention: { ...MONTHS, totalIntervals: 3 },
    query: by({ property: "$device_type", type: "event" }, { property: "plan", type: "event" }),
  },
  "past its limit": { retention: { ...MONTHS, totalIntervals: 3 }, query: by({ property: "$os", type: "event" }), breakdownLimit: 2 },
  "in the legacy form": {
    retention: MONTHS,
    query: { ...HALF_YEAR, breakdownFilter: { breakdown: "$device_type", breakdown_type: "event" } },
  },
  "of first ever, by week in Berlin": {
    retention: { ...WEEKS, totalIntervals: 3, retentionType: "retention_first_ever_occurrence" },
    query: { ...by({ property: "$device_type", type: "event" }), ...from("2026-02-15", "2026-04-15") },
    timezone: "Europe/Berlin",
  },
  "of events narrowed to a value": {
    retention: MONTHS,
    query: by({ property: "$os", type: "event" }),
    breakdownValues: { $os: "Windows" },
  },
};

const written = (family: string, cases: Readonly<Record<string, Written>>): readonly InsightCase[] =>
  Object.entries(cases).map(([title, { retention, query = {}, ...options }]) => ({
    part: "retention",
    name: `retention ${family} ${title}`.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
    insight: { kind: "RetentionQuery", retentionFilter: retention, ...query },
    ...options,
  }));

/** RetentionQuery: each type, period, option, filter and breakdown of section 14. */
export const RETENTION: readonly InsightCase[] = [
  ...written("type", TYPES),
  ...written("dates", DATES),
  ...written("option", OPTIONS),
  ...written("filter", FILTERS),
  ...written("breakdown", BREAKDOWNS),
];
