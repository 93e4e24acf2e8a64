import type { InsightCase } from "./case.ts";

type Keys = Readonly<Record<string, unknown>>;

interface Written extends Omit<InsightCase, "name" | "part" | "insight"> {
  readonly series: readonly Keys[];
  readonly query?: Keys;
}

const of = (event: string | null, keys: Keys = {}): Keys => ({ kind: "EventsNode", event, name: event ?? "All events", ...keys });
const VIEWS = of("$pageview");
const SALES = of("purchase");

/** Two weeks with Europe's change to summer time, in small. */
const MARCH = { dateRange: { date_from: "2026-03-20", date_to: "2026-04-02" } };
const HALF_YEAR = { dateRange: { date_from: "2026-01-01", date_to: "2026-06-30" }, interval: "month" };
const where = (...properties: readonly Keys[]): Keys => ({ ...HALF_YEAR, properties });
const by = (...breakdowns: readonly Keys[]): Keys => ({ ...HALF_YEAR, breakdownFilter: { breakdowns } });
const total = (keys: Keys = {}): Keys => ({
  dateRange: { date_from: "2026-01-01", date_to: "2026-06-30" },
  trendsFilter: { display: "BoldNumber" },
  ...keys,
});

const MATHS: Readonly<Record<string, Written>> = {
  "total by day": { series: [VIEWS], query: MARCH },
  "total, said": { series: [of("$pageview", { math: "total" })], query: HALF_YEAR },
  "dau by day": { series: [of("$pageview", { math: "dau" })], query: MARCH },
  "dau by week": { series: [of("$pageview", { math: "dau" })], query: { ...HALF_YEAR, interval: "week" } },
  "weekly active": { series: [of("$pageview", { math: "weekly_active" })], query: MARCH },
  "weekly active by week": { series: [of(null, { math: "weekly_active" })], query: { ...HALF_YEAR, interval: "week" } },
  "monthly active": { series: [of("$pageview", { math: "monthly_active" })], query: MARCH },
  "monthly active as a number": { series: [of("$pageview", { math: "monthly_active" })], query: total() },
  "unique sessions": { series: [of(null, { math: "unique_session" })], query: MARCH },
  "first time for users": { series: [of("purchase", { math: "first_time_for_user" })], query: HALF_YEAR },
  "first time for users where it matches": {
    series: [
      of("purchase", { math: "first_time_for_user", properties: [{ key: "plan", value: ["pro"], operator: "exact", type: "event" }] }),
    ],
    query: HALF_YEAR,
  },
  "first matching event for users": {
    series: [
      of("purchase", {
        math: "first_matching_event_for_user",
        properties: [{ key: "plan", value: ["pro"], operator: "exact", type: "event" }],
      }),
    ],
    query: HALF_YEAR,
  },
  "avg of a property": { series: [of("purchase", { math: "avg", math_property: "quantity" })], query: HALF_YEAR },
  "sum of a property": { series: [of("purchase", { math: "sum", math_property: "amount" })], query: HALF_YEAR },
  "sum of an untyped property": { series: [of("purchase", { math: "sum", math_property: "price" })], query: HALF_YEAR },
  "min of a property": { series: [of("purchase", { math: "min", math_property: "price" })], query: HALF_YEAR },
  "max of a property": { series: [of("purchase", { math: "max", math_property: "price" })], query: HALF_YEAR },
  "median of a property": { series: [of("purchase", { math: "median", math_property: "price" })], query: HALF_YEAR },
  "percentiles of a property": {
    series: ["p75", "p90", "p95", "p99"].map((math) => of("purchase", { math, math_property: "price" })),
    query: HALF_YEAR,
  },
  "avg of a property of mixed types": { series: [of("login", { math: "avg", math_property: "mixed" })], query: HALF_YEAR },
  "avg count per actor": { series: [of("$pageview", { math: "avg_count_per_actor" })], query: HALF_YEAR },
  "min and max count per actor": {
    series: [of("$pageview", { math: "min_count_per_actor" }), of("$pageview", { math: "max_count_per_actor" })],
    query: HALF_YEAR,
  },
  "median count per actor": { series: [of("$pageview", { math: "median_count_per_actor" })], query: HALF_YEAR },
  "percentiles of counts per actor": {
    series: ["p75", "p90", "p95", "p99"].map((math) => of("$pageview", { math: `${math}_count_per_actor` })),
    query: HALF_YEAR,
  },
  "unique groups": {
    series: [of(null, { math: "unique_group", math_group_type_index: 0 }), of(null, { math: "unique_group", math_group_type_index: 1 })],
    query: HALF_YEAR,
  },
  "an expression": {
    series: [of("purchase", { math: "hogql", math_hogql: "round(sum(toFloat(properties.price)) / count(), 4)" })],
    query: HALF_YEAR,
  },
  "an expression of distinct values": {
    series: [of(null, { math: "hogql", math_hogql: "count(DISTINCT properties.$browser)" })],
    query: MARCH,
  },
  "dau of groups": { series: [of("$pageview", { math: "dau" })], query: { ...HALF_YEAR, aggregation_group_type_index: 0 } },
  "events of any name": { series: [of(null)], query: HALF_YEAR },
  "an event that nobody sent": { series: [of("never sent")], query: MARCH },
  "events of odd names": { series: [of("it's \\ odd"), of("日本語", { custom_name: "日本" })], query: HALF_YEAR },
};

const DATES: Readonly<Record<string, Written>> = {
  "no range at all": { series: [VIEWS] },
  "by hour": { series: [VIEWS], query: { dateRange: { date_from: "2026-03-28", date_to: "2026-03-29" }, interval: "hour" } },
  "by hour over the change in Berlin": {
    series: [VIEWS],
    query: { dateRange: { date_from: "2026-03-28", date_to: "2026-03-29" }, interval: "hour" },
    timezone: "Europe/Berlin",
  },
  "by hour over the change in New York": {
    series: [VIEWS],
    query: { dateRange: { date_from: "2026-03-07", date_to: "2026-03-08" }, interval: "hour" },
    timezone: "America/New_York",
  },
  "by minute": {
    series: [of(null)],
    query: { dateRange: { date_from: "2026-03-29T00:50:00Z", date_to: "2026-03-29T01:20:00Z", explicitDate: true }, interval: "minute" },
  },
  "by day in Berlin": { series: [VIEWS], query: MARCH, timezone: "Europe/Berlin" },
  "by day in Kathmandu": { series: [VIEWS], query: MARCH, timezone: "Asia/Kathmandu" },
  "by week from Sunday": { series: [VIEWS], query: { ...HALF_YEAR, interval: "week" }, timezone: "America/New_York" },
  "by week from Monday": { series: [VIEWS], query: { ...HALF_YEAR, interval: "week" }, weekStart: 1 },
  "by week within a month": { series: [VIEWS], query: { dateRange: { date_from: "2026-03-04", date_to: "2026-03-30" }, interval: "week" } },
  "by month in Berlin": { series: [VIEWS, SALES], query: HALF_YEAR, timezone: "Europe/Berlin" },
  "by quarter": { series: [VIEWS], query: { ...HALF_YEAR, interval: "quarter" } },
  "by year from all time": {
    series: [of(null)],
    query: { dateRange: { date_from: "2025-01-01", date_to: "2026-12-31" }, interval: "year" },
  },
  "the last day by hour": { series: [VIEWS], query: { dateRange: { date_from: "-24h" }, interval: "hour" }, now: "2026-03-29T10:30:00Z" },
  "the last seven days": { series: [VIEWS], query: { dateRange: { date_from: "-7d" } }, now: "2026-04-01T10:30:00Z" },
  "the last two weeks": {
    series: [VIEWS],
    query: { dateRange: { date_from: "-2w" } },
    now: "2026-04-01T10:30:00Z",
    timezone: "Europe/Berlin",
  },
  "the last month by week": { series: [VIEWS], query: { dateRange: { date_from: "-1m" }, interval: "week" } },
  "the last quarter and the last year": { series: [VIEWS], query: { dateRange: { date_from: "-1q" }, interval: "month" } },
  "the last year by month": { series: [VIEWS], query: { dateRange: { date_from: "-1y" }, interval: "month" } },
  today: {
    series: [of(null)],
    query: { dateRange: { date_from: "dStart" }, interval: "hour" },
    now: "2026-03-29T20:15:00Z",
    timezone: "Europe/Berlin",
  },
  yesterday: {
    series: [of(null)],
    query: { dateRange: { date_from: "-1dStart", date_to: "-1dEnd" }, interval: "hour" },
    now: "2026-03-30T08:00:00Z",
    timezone: "Europe/Berlin",
  },
  "this month": { series: [of(null)], query: { dateRange: { date_from: "mStart" } }, now: "2026-03-12T08:00:00Z" },
  "last month": { series: [of(null)], query: { dateRange: { date_from: "-1mStart", date_to: "-1mEnd" } }, now: "2026-04-12T08:00:00Z" },
  "this week, quarter and year": { series: [of(null)], query: { dateRange: { date_from: "qStart" }, interval: "week" } },
  "this year": { series: [of(null)], query: { dateRange: { date_from: "yStart" }, interval: "month" }, timezone: "Asia/Kathmandu" },
  "this week": { series: [of(null)], query: { dateRange: { date_from: "wStart" } }, now: "2026-05-21T08:00:00Z", weekStart: 1 },
  "all time": { series: [of(null)], query: { dateRange: { date_from: "all" }, trendsFilter: { display: "BoldNumber" } } },
  "moments, not days": {
    series: [of(null)],
    query: { dateRange: { date_from: "2026-03-28 18:00:00", date_to: "2026-03-29 06:30:00", explicitDate: true }, interval: "hour" },
  },
  "one day": { series: [of(null)], query: { dateRange: { date_from: "2026-03-29", date_to: "2026-03-29" } }, timezone: "Europe/Berlin" },
};

const FILTERS: Readonly<Record<string, Written>> = {
  exact: { series: [VIEWS], query: where({ key: "$browser", value: ["Chrome", "Safari"], operator: "exact", type: "event" }) },
  "exact of one value": { series: [VIEWS], query: where({ key: "$browser", value: "Firefox", operator: "exact", type: "event" }) },
  "exact of a number and of a boolean": {
    series: [of(null)],
    query: where(
      { key: "quantity", value: [3, 4], operator: "exact", type: "event" },
      { key: "active", value: ["true"], operator: "exact", type: "event" },
    ),
  },
  "is_not also without the property": {
    series: [VIEWS],
    query: where({ key: "$browser", value: ["Chrome"], operator: "is_not", type: "event" }),
  },
  "icontains and not_icontains": {
    series: [VIEWS],
    query: where(
      { key: "$current_url", value: "DOCS", operator: "icontains", type: "event" },
      { key: "$browser", value: ["edge", "saf"], operator: "not_icontains", type: "event" },
    ),
  },
  "icontains_multi and not_icontains_multi": {
    series: [VIEWS],
    query: where(
      { key: "$current_url", value: ["docs", "BLOG"], operator: "icontains_multi", type: "event" },
      { key: "plan", value: ["team", "fr"], operator: "not_icontains_multi", type: "event" },
    ),
  },
  "regex and not_regex": {
    series: [VIEWS],
    query: where(
      { key: "$current_url", value: "/(docs|blog)/", operator: "regex", type: "event" },
      { key: "plan", value: "^te", operator: "not_regex", type: "event" },
    ),
  },
  "gt, gte, lt, lte": {
    series: [SALES],
    query: where(
      { key: "price", value: 10, operator: "gt", type: "event" },
      { key: "price", value: "90", operator: "lte", type: "event" },
      { key: "quantity", value: 1, operator: "gte", type: "event" },
      { key: "quantity", value: 9, operator: "lt", type: "event" },
    ),
  },
  "is_set and is_not_set": {
    series: [of(null)],
    query: where(
      { key: "plan", value: "is_set", operator: "is_set", type: "event" },
      { key: "utm_source", operator: "is_not_set", type: "event" },
    ),
  },
  "dates before, after and exact": {
    series: [of(null)],
    query: where(
      { key: "renews_at", value: "2026-02-01", operator: "is_date_after", type: "event" },
      { key: "renews_at", value: "2026-07-01", operator: "is_date_before", type: "event" },
    ),
  },
  "a date exactly": {
    series: [of(null)],
    query: where({ key: "renews_at", value: "2026-02-03", operator: "is_date_exact", type: "event" }),
  },
  "a date relative to now": { series: [of(null)], query: where({ key: "seen", value: "-120d", operator: "is_date_after", type: "event" }) },
  "between and not_between": {
    series: [SALES],
    query: where(
      { key: "price", value: [20, 80], operator: "between", type: "event" },
      { key: "quantity", value: [3, 4], operator: "not_between", type: "event" },
    ),
  },
  "min and max": {
    series: [SALES],
    query: where({ key: "price", value: 25, operator: "min", type: "event" }, { key: "price", value: 75, operator: "max", type: "event" }),
  },
  "in and not_in": {
    series: [VIEWS],
    query: where(
      { key: "$os", value: ["Linux", "Windows"], operator: "in", type: "event" },
      { key: "$browser", value: ["Edge"], operator: "not_in", type: "event" },
    ),
  },
  "a cleaned path": {
    series: [VIEWS],
    query: where({ key: "$pathname", value: "/docs/start", operator: "is_cleaned_path_exact", type: "event" }),
  },
  "semantic versions": { series: [of(null)], query: where({ key: "mixed", value: "500.0.0", operator: "semver_gte", type: "event" }) },
  "a person's properties": {
    series: [VIEWS],
    query: where(
      { key: "country", value: ["DE", "FR"], operator: "exact", type: "person" },
      { key: "age", value: 30, operator: "gt", type: "person" },
    ),
  },
  "a session's properties": { series: [VIEWS], query: where({ key: "$session_duration", value: 600, operator: "gt", type: "session" }) },
  "a group's properties": {
    series: [VIEWS],
    query: where({ key: "name", value: "Acme Corp", operator: "exact", type: "group", group_type_index: 0 }),
  },
  "an element's text and address": {
    series: [of("$autocapture")],
    query: where({ key: "text", value: ["Buy now", "Sign up"], operator: "exact", type: "element" }),
  },
  "an element by selector": {
    series: [of("$autocapture")],
    query: where({ key: "selector", value: "a.primary", operator: "exact", type: "element" }),
  },
  "metadata of events": {
    series: [of(null)],
    query: where(
      { key: "distinct_id", value: ["u01", "u02", "u03"], operator: "exact", type: "event_metadata" },
      { key: "event", value: "click", operator: "is_not", type: "event_metadata" },
    ),
  },
  "an expression": {
    series: [of(null)],
    query: where({ key: "toFloat(properties.price) > 50 AND properties.plan != 'free'", type: "hogql" }),
  },
  "a filter group": {
    series: [VIEWS],
    query: {
      ...HALF_YEAR,
      properties: {
        type: "AND",
        values: [
          {
            type: "OR",
            values: [
              { key: "$os", value: ["Linux"], operator: "exact", type: "event" },
              { key: "$browser", value: ["Safari"], operator: "exact", type: "event" },
            ],
          },
          { type: "AND", values: [{ key: "plan", operator: "is_set", type: "event" }] },
        ],
      },
    },
  },
  "filters on a series and on the query": {
    series: [of("$pageview", { properties: [{ key: "plan", value: ["pro"], operator: "exact", type: "event" }] }), SALES],
    query: where({ key: "$os", value: ["Linux"], operator: "is_not", type: "event" }),
  },
  "odd names of properties": {
    series: [of(null)],
    query: where(
      { key: "my key", value: "with space", operator: "exact", type: "event" },
      { key: "dotted.name", operator: "is_set", type: "event" },
    ),
  },
  "Unicode values": {
    series: [of(null)],
    query: where({ key: "label", value: ["日本語", "straße", "naïve café"], operator: "exact", type: "event" }),
  },
  "values with signs of patterns": {
    series: [of(null)],
    query: where({ key: "label", value: "100% _", operator: "icontains", type: "event" }),
  },
};

const BREAKDOWNS: Readonly<Record<string, Written>> = {
  "legacy form": { series: [VIEWS], query: { ...HALF_YEAR, breakdownFilter: { breakdown: "$browser", breakdown_type: "event" } } },
  "legacy form of a boolean": {
    series: [VIEWS],
    query: { ...HALF_YEAR, breakdownFilter: { breakdown: "active", breakdown_type: "event" } },
  },
  "legacy form of a person": {
    series: [VIEWS],
    query: { ...HALF_YEAR, breakdownFilter: { breakdown: "country", breakdown_type: "person" } },
  },
  "one breakdown": { series: [VIEWS], query: by({ property: "$browser", type: "event" }) },
  "two breakdowns": { series: [VIEWS], query: by({ property: "$os", type: "event" }, { property: "plan", type: "event" }) },
  "three breakdowns": {
    series: [SALES],
    query: by({ property: "$device_type", type: "event" }, { property: "plan", type: "event" }, { property: "vip", type: "person" }),
  },
  "a breakdown past its limit": {
    series: [VIEWS],
    query: { ...HALF_YEAR, breakdownFilter: { breakdowns: [{ property: "$pathname", type: "event" }] } },
    breakdownLimit: 3,
  },
  "a breakdown past its limit without others": {
    series: [VIEWS],
    query: {
      ...HALF_YEAR,
      breakdownFilter: { breakdowns: [{ property: "$pathname", type: "event" }], breakdown_hide_other_aggregation: true },
    },
    breakdownLimit: 2,
  },
  "a histogram": { series: [SALES], query: by({ property: "quantity", type: "event", histogram_bin_count: 4 }) },
  "a numeric property": { series: [SALES], query: by({ property: "quantity", type: "event" }) },
  "normalised addresses": {
    series: [VIEWS],
    query: { ...by({ property: "$current_url", type: "event", normalize_url: true }), interval: "quarter" },
  },
  "a session's property": { series: [VIEWS], query: by({ property: "$channel_type", type: "session" }) },
  "a group's property": { series: [VIEWS], query: by({ property: "name", type: "group", group_type_index: 0 }) },
  "an expression": { series: [VIEWS], query: by({ property: "if(toDayOfWeek(timestamp) > 5, 'weekend', 'week')", type: "hogql" }) },
  "metadata of events": { series: [of(null)], query: by({ property: "event", type: "event_metadata" }) },
  "two series": { series: [VIEWS, SALES], query: by({ property: "plan", type: "event" }) },
  dau: { series: [of("$pageview", { math: "dau" })], query: by({ property: "$os", type: "event" }) },
  "median of a property": {
    series: [of("purchase", { math: "median", math_property: "price" })],
    query: by({ property: "plan", type: "event" }),
  },
  "as totals": {
    series: [VIEWS],
    query: {
      dateRange: { date_from: "2026-01-01", date_to: "2026-06-30" },
      trendsFilter: { display: "ActionsPie" },
      breakdownFilter: { breakdowns: [{ property: "$os", type: "event" }] },
    },
  },
  "of events narrowed to a value": {
    series: [VIEWS],
    query: by({ property: "$os", type: "event" }, { property: "plan", type: "event" }),
    breakdownValues: { $os: "Linux" },
  },
  "of events without the property": { series: [VIEWS], query: by({ property: "plan", type: "event" }), breakdownValues: { plan: "" } },
  "in Berlin by week": {
    series: [VIEWS],
    query: { ...by({ property: "$device_type", type: "event" }), interval: "week" },
    timezone: "Europe/Berlin",
  },
};

const SHAPES: Readonly<Record<string, Written>> = {
  "compared with the period before": { series: [VIEWS], query: { ...MARCH, compareFilter: { compare: true } } },
  "compared with a month before": {
    series: [VIEWS],
    query: { ...MARCH, compareFilter: { compare: true, compare_to: "-1m" } },
    timezone: "Europe/Berlin",
  },
  "compared by breakdown": {
    series: [VIEWS],
    query: {
      ...MARCH,
      interval: "week",
      compareFilter: { compare: true },
      breakdownFilter: { breakdowns: [{ property: "$os", type: "event" }] },
    },
  },
  "compared as a number": { series: [VIEWS], query: total({ compareFilter: { compare: true } }) },
  formula: { series: [VIEWS, SALES], query: { ...HALF_YEAR, trendsFilter: { formula: "A + B" } } },
  "formula of quotients": { series: [SALES, VIEWS], query: { ...HALF_YEAR, trendsFilter: { formula: "100 * A / B" } } },
  formulas: { series: [VIEWS, SALES], query: { ...HALF_YEAR, trendsFilter: { formulas: ["A - B", "A * 2"] } } },
  "formula nodes": {
    series: [VIEWS, SALES],
    query: { ...HALF_YEAR, trendsFilter: { formulaNodes: [{ formula: "A / B", custom_name: "Views a sale" }] } },
  },
  "formula by breakdown": {
    series: [VIEWS, SALES],
    query: { ...by({ property: "plan", type: "event" }), trendsFilter: { formula: "A + B" } },
  },
  "formula as a number": { series: [VIEWS, SALES], query: total({ trendsFilter: { display: "BoldNumber", formula: "B / A" } }) },
  cumulative: { series: [VIEWS], query: { ...HALF_YEAR, trendsFilter: { display: "ActionsLineGraphCumulative" } } },
  "cumulative dau by breakdown": {
    series: [of("$pageview", { math: "dau" })],
    query: { ...by({ property: "$device_type", type: "event" }), trendsFilter: { display: "ActionsLineGraphCumulative" } },
  },
  smoothed: { series: [VIEWS], query: { ...MARCH, trendsFilter: { smoothingIntervals: 3 } } },
  "smoothed over weeks": { series: [VIEWS, SALES], query: { ...HALF_YEAR, interval: "week", trendsFilter: { smoothingIntervals: 4 } } },
  "a bold number": { series: [VIEWS], query: total() },
  "a table of dau": {
    series: [of("$pageview", { math: "dau" }), of("click", { math: "dau" })],
    query: total({ trendsFilter: { display: "ActionsTable" } }),
  },
  "bars of averages": {
    series: [of("purchase", { math: "avg", math_property: "price" })],
    query: total({ trendsFilter: { display: "ActionsBarValue" } }),
  },
  "a map of the world": {
    series: [of("$pageview", { math: "dau" })],
    query: total({ trendsFilter: { display: "WorldMap" }, breakdownFilter: { breakdown: "$geoip_country_code", breakdown_type: "event" } }),
  },
  "bars and areas": { series: [VIEWS], query: { ...HALF_YEAR, trendsFilter: { display: "ActionsAreaGraph" } } },
  "three series": { series: [VIEWS, of("click"), SALES], query: MARCH },
  "test accounts are not left out by default": { series: [VIEWS], query: { ...HALF_YEAR, filterTestAccounts: true } },
};

const written = (family: string, cases: Readonly<Record<string, Written>>): readonly InsightCase[] =>
  Object.entries(cases).map(([title, { series, query = {}, ...options }]) => ({
    part: "trends",
    name: `trends ${family} ${title}`.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
    insight: { kind: "TrendsQuery", series, ...query },
    ...options,
  }));

/** TrendsQuery: each math, range, filter, breakdown and shape of section 13. */
export const TRENDS: readonly InsightCase[] = [
  ...written("math", MATHS),
  ...written("dates", DATES),
  ...written("filter", FILTERS),
  ...written("breakdown", BREAKDOWNS),
  ...written("shape", SHAPES),
];
