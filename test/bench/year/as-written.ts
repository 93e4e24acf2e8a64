import { sqlQuery } from "../../support/samples/saved-query.ts";
import { DAY_MS, YEAR_FROM } from "./year-set.ts";

/** A query as a user writes it, over the first days of the year. */
export interface AsWritten {
  readonly name: string;
  readonly query: Readonly<Record<string, unknown>>;
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Insights and funnels that read all of the days: trends of each kind of math, retention of each type, and funnels in SQL. */
export const asWritten = (days: number): readonly AsWritten[] => {
  const from = dateOf(YEAR_FROM);
  const dateRange = { date_from: from, date_to: dateOf(YEAR_FROM + (days - 1) * DAY_MS) };
  const trend = (name: string, series: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}): AsWritten => ({
    name,
    query: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "$pageview", ...series }], interval: "day", dateRange, ...more },
  });
  const retention = (name: string, filter: Readonly<Record<string, unknown>>): AsWritten => ({
    name,
    query: {
      kind: "RetentionQuery",
      dateRange,
      retentionFilter: {
        targetEntity: { id: "$pageview", type: "events" },
        returningEntity: { id: "action 3", type: "events" },
        totalIntervals: 8,
        ...filter,
      },
    },
  });
  const funnel = (name: string, steps: readonly string[], rest = ""): AsWritten => ({
    name,
    query: sqlQuery(
      `SELECT level, count() AS people FROM (SELECT person_id, windowFunnel(1209600)(toDateTime(timestamp), ${steps.map((step) => `event = '${step}'${rest}`).join(", ")}) AS level FROM events WHERE timestamp >= '${from}' GROUP BY person_id) GROUP BY level ORDER BY level`,
    ),
  });
  return [
    trend("trend by browser", {}, { breakdownFilter: { breakdown: "$browser", breakdown_type: "event" } }),
    trend(
      "trend by plan and country",
      {},
      { breakdownFilter: { breakdowns: [{ property: "plan" }, { property: "$geoip_country_code" }] } },
    ),
    trend("trend by a person's city", {}, { breakdownFilter: { breakdown: "city", breakdown_type: "person" } }),
    trend("any event", { event: null }, { trendsFilter: { smoothingIntervals: 7 } }),
    trend("users per day", { math: "dau" }),
    trend("users of a week", { math: "weekly_active" }),
    trend("users of a month", { math: "monthly_active" }),
    trend("sessions", { math: "unique_session" }),
    trend("events per user", { math: "avg_count_per_actor" }),
    trend("p90 of events per user", { math: "p90_count_per_actor" }),
    trend("first time for user", { math: "first_time_for_user" }),
    trend("p95 of a property", { math: "p95", math_property: "duration_ms" }),
    trend("trend by page", {}, { breakdownFilter: { breakdowns: [{ property: "$current_url" }] } }),
    trend("users by page and week", { math: "dau" }, { breakdownFilter: { breakdowns: [{ property: "$current_url" }] }, interval: "week" }),
    trend("sum of a property", { event: null, math: "sum", math_property: "duration_ms" }),
    trend("compared", { math: "dau" }, { compareFilter: { compare: true }, interval: "week" }),
    retention("retention by day", { retentionType: "retention_recurring", period: "Day" }),
    retention("retention by week", { retentionType: "retention_recurring", period: "Week" }),
    retention("retention by week, first time", { retentionType: "retention_first_time", period: "Week" }),
    retention("retention by day, first time", { retentionType: "retention_first_time", period: "Day" }),
    retention("retention by week, first ever", { retentionType: "retention_first_ever_occurrence", period: "Week" }),
    retention("retention by week, sum of a property", {
      retentionType: "retention_recurring",
      period: "Week",
      aggregationType: "sum",
      aggregationProperty: "duration_ms",
    }),
    funnel("funnel of two steps", ["$pageview", "action 3"]),
    funnel("funnel of four steps", ["$pageview", "action 3", "action 4", "action 5"]),
    funnel("funnel of three steps by property", ["$pageview", "$pageview", "action 3"], " AND properties.plan != 'free'"),
  ];
};
