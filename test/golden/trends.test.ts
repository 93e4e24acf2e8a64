import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { QueryError } from "../../lib/hogql/errors.ts";
import type { InsightRow } from "../../lib/insight/rows.ts";
import { goldenProject } from "./golden-project.ts";
import { type Asked, loweredPlan } from "./insight-run.ts";
import { anEvent } from "./project.ts";
import { planOf, trendRows } from "./trends-run.ts";

const golden = goldenProject();

/** Five days: three of Ann's events on the first, Bob's on the second and third, Cid's on the fourth, Ann's phone on the fifth. */
const dateRange = { date_from: "2026-01-01", date_to: "2026-01-05" };
const event = (name: string | null, more: object = {}) => ({ kind: "EventsNode", event: name, ...more });
const anyEvent = (more: object) => ({ series: [event(null, more)], dateRange });

const rowsOf = (query: object, asked?: Asked): Promise<readonly InsightRow[]> => trendRows(golden, { ...query }, asked);
const dataOf = async (query: object, asked?: Asked): Promise<readonly unknown[]> => (await rowsOf(query, asked)).map(({ data }) => data);
const totalsOf = async (query: object, asked?: Asked): Promise<readonly unknown[]> =>
  (await rowsOf({ ...query, trendsFilter: { display: "BoldNumber" } }, asked)).map((row) => row.aggregated_value);
const valuesOf = async (query: object, asked?: Asked): Promise<readonly unknown[]> =>
  (await rowsOf(query, asked)).map(({ breakdown_value, data }) => [breakdown_value, data]);

describe("a row", () => {
  it("says what was counted, when, and for whom, to the letter", async () => {
    const rows = await rowsOf({
      series: [event("$pageview", { math: "total", custom_name: "Views" })],
      dateRange: { date_from: "2026-01-01", date_to: "2026-01-02" },
    });
    expect(rows).toEqual([
      {
        data: [2, 1],
        labels: ["1-Jan-2026", "2-Jan-2026"],
        days: ["2026-01-01", "2026-01-02"],
        count: 3,
        label: "$pageview",
        order: 0,
        filter: {
          insight: "TRENDS",
          properties: [],
          filter_test_accounts: false,
          date_to: "2026-01-02T23:59:59.999999Z",
          date_from: "2026-01-01T00:00:00Z",
          entity_type: "events",
          interval: "day",
        },
        action: {
          days: ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
          id: "$pageview",
          type: "events",
          order: 0,
          name: "$pageview",
          custom_name: "Views",
          math: "total",
          math_property: null,
          math_hogql: null,
          math_group_type_index: null,
          properties: {},
        },
      },
    ]);
  });

  it("of a total has one number and neither data nor labels", async () => {
    const [row] = await rowsOf({ series: [event("$pageview")], dateRange, trendsFilter: { display: "BoldNumber" } });
    expect(row).toMatchObject({ data: [], days: [], count: 0, aggregated_value: 4, label: "$pageview", action: { days: [] } });
    expect(row).not.toHaveProperty("labels");
  });

  it("is there for a series without events, and not for a breakdown without values", async () => {
    expect(await dataOf({ series: [event("never")], dateRange })).toEqual([[0, 0, 0, 0, 0]]);
    expect(await totalsOf({ series: [event("never")], dateRange })).toEqual([0]);
    expect(await rowsOf({ series: [event("never")], dateRange, breakdownFilter: { breakdown: "$browser" } })).toEqual([]);
  });

  it("names all events, and each series by its order", async () => {
    const rows = await rowsOf({ series: [event(null), event("buy")], dateRange });
    expect(rows.map(({ label, order, count }) => [label, order, count])).toEqual([
      ["All events", 0, 7],
      ["buy", 1, 1],
    ]);
    expect(rows[0]).toMatchObject({ action: { id: null, name: "All events" } });
  });
});

describe("a range", () => {
  it("of the last seven days has eight points, and is the default", async () => {
    const [row] = await rowsOf({ series: [event(null)] });
    expect(row).toMatchObject({
      days: expect.objectContaining({ length: 8, 0: "2026-01-08", 7: "2026-01-15" }),
      data: [0, 0, 2, 0, 0, 0, 0, 0],
    });
  });

  it("of all time begins with the first event", async () => {
    const [row] = await rowsOf({ series: [event("buy")], dateRange: { date_from: "all" } });
    expect(row).toMatchObject({ days: expect.objectContaining({ length: 15, 0: "2026-01-01" }), count: 2 });
    expect(row).toMatchObject({ filter: { date_from: "2026-01-01T10:00:00Z" } });
  });

  it("by hour names the hour, and takes whole hours", async () => {
    const range = { date_from: "2026-01-01T10:30:00Z", date_to: "2026-01-01T11:10:00Z" };
    const [row] = await rowsOf({ series: [event(null)], interval: "hour", dateRange: range });
    expect(row).toMatchObject({
      data: [3, 0],
      days: ["2026-01-01 10:00:00", "2026-01-01 11:00:00"],
      labels: ["1-Jan 10:00", "1-Jan 11:00"],
    });
    const [exact] = await rowsOf({ series: [event(null)], interval: "hour", dateRange: { ...range, explicitDate: true } });
    expect(exact).toMatchObject({ data: [0, 0], days: ["2026-01-01 10:00:00", "2026-01-01 11:00:00"] });
  });

  it.each([
    ["minute", "2026-01-01T10:00:00Z", "2026-01-01T10:01:00Z", [2, 0], ["1-Jan 10:00", "1-Jan 10:01"]],
    ["second", "2026-01-01T10:00:04Z", "2026-01-01T10:00:05Z", [0, 1], ["1-Jan 10:00:04", "1-Jan 10:00:05"]],
    ["week", "2026-01-01", "2026-01-05", [5, 2], ["1–3 Jan", "4–5 Jan"]],
    ["week", "2025-12-28", "2026-01-03", [5], ["28-Dec–3-Jan"]],
    ["month", "2025-12-15", "2026-01-20", [0, 9], ["Dec 2025", "Jan 2026"]],
    ["quarter", "2025-12-15", "2026-01-20", [0, 9], ["1-Oct-2025", "1-Jan-2026"]],
    ["year", "2025-12-15", "2026-01-20", [0, 9], ["1-Jan-2025", "1-Jan-2026"]],
  ])("by %s counts whole intervals from %s to %s", async (interval, date_from, date_to, data, labels) => {
    expect(await rowsOf({ series: [event(null)], interval, dateRange: { date_from, date_to } })).toMatchObject([{ data, labels }]);
  });

  it("counts the first week from the range on, and the first month whole unless the range is meant exactly", async () => {
    const of = (interval: string, explicitDate = false) =>
      rowsOf({ series: [event(null)], interval, dateRange: { date_from: "2026-01-03", date_to: "2026-01-12", explicitDate } });
    expect(await of("week")).toMatchObject([{ data: [1, 4, 0], days: ["2025-12-28", "2026-01-04", "2026-01-11"] }]);
    expect(await of("month")).toMatchObject([{ data: [9], days: ["2026-01-01"], filter: { date_from: "2026-01-03T00:00:00Z" } }]);
    expect(await of("month", true)).toMatchObject([{ data: [5], days: ["2026-01-01"] }]);
  });

  it("has its buckets at the days of the project's zone", async () => {
    const context = { timezone: "America/New_York" };
    const [row] = await rowsOf({ series: [event(null)], dateRange: { date_from: "2026-01-02", date_to: "2026-01-03" } }, { context });
    expect(row).toMatchObject({
      data: [2, 0],
      days: ["2026-01-02", "2026-01-03"],
      action: { days: ["2026-01-02T00:00:00-05:00", "2026-01-03T00:00:00-05:00"] },
      filter: { date_from: "2026-01-02T00:00:00-05:00", date_to: "2026-01-03T23:59:59.999999-05:00" },
    });
  });

  const cairo = goldenProject(
    ["2026-04-23T21:59:59Z", "2026-04-23T22:00:00Z", "2026-04-24T20:59:59Z"].map((at, index) => anEvent({ at }, index)),
  );
  it("begins a day whose midnight the clock skips with the change", async () => {
    const context = { timezone: "Africa/Cairo" };
    const query = { series: [event(null)], dateRange: { date_from: "2026-04-23", date_to: "2026-04-24" } };
    expect(await trendRows(cairo, query, { context })).toMatchObject([
      { data: [1, 2], action: { days: ["2026-04-23T00:00:00+02:00", "2026-04-24T01:00:00+03:00"] } },
    ]);
    const days = "SELECT toStartOfDay(timestamp), count() FROM events GROUP BY 1 ORDER BY 1";
    expect(await cairo.rows(days, context)).toEqual([
      ["2026-04-23T00:00:00+02:00", 1],
      ["2026-04-24T01:00:00+03:00", 2],
    ]);
  });

  it("begins weeks on the project's first day", async () => {
    const query = { series: [event(null)], interval: "week", dateRange: { date_from: "2026-01-04", date_to: "2026-01-05" } };
    expect(await rowsOf(query)).toMatchObject([{ days: ["2026-01-04"], data: [2] }]);
    expect(await rowsOf(query, { context: { weekStart: 1 } })).toMatchObject([
      { days: ["2025-12-29", "2026-01-05"], labels: ["4–4 Jan", "5–5 Jan"], data: [1, 1] },
    ]);
  });

  it("is refused when it has more intervals than a reply can hold", async () => {
    const query = { series: [event(null)], interval: "minute", dateRange: { date_from: "-1y" } };
    await expect(rowsOf(query)).rejects.toThrow(/at most 50000.*longer interval/);
  });
});

describe("math", () => {
  it.each([
    [null, [3, 1, 1, 1, 1], 7],
    ["total", [3, 1, 1, 1, 1], 7],
    ["dau", [1, 1, 1, 1, 1], 3],
    ["weekly_active", [1, 2, 2, 3, 3], 3],
    ["monthly_active", [1, 2, 2, 3, 3], 3],
    ["unique_session", [1, 1, 0, 0, 0], 2],
    ["first_time_for_user", [1, 1, 0, 1, 0], 3],
    ["avg_count_per_actor", [3, 1, 1, 1, 1], 7 / 3],
    ["min_count_per_actor", [3, 1, 1, 1, 1], 1],
    ["max_count_per_actor", [3, 1, 1, 1, 1], 4],
    ["median_count_per_actor", [3, 1, 1, 1, 1], 2],
    ["p75_count_per_actor", [3, 1, 1, 1, 1], 3],
  ])("%s counts by day, and once over the whole range", async (math, data, total) => {
    expect(await dataOf(anyEvent({ math }))).toEqual([data]);
    expect(await totalsOf(anyEvent({ math }))).toEqual([total]);
  });

  it.each([
    ["sum", [30, 30, 2.5, 0, 99.5], 162],
    ["avg", [15, 30, 2.5, 0, 99.5], 32.4],
    ["min", [10, 30, 2.5, 0, 99.5], 2.5],
    ["max", [20, 30, 2.5, 0, 99.5], 99.5],
    ["median", [15, 30, 2.5, 0, 99.5], 20],
    ["p75", [17.5, 30, 2.5, 0, 99.5], 30],
  ])("%s is of a property, and 0 where no event has a number", async (math, data, total) => {
    const query = anyEvent({ math, math_property: "price" });
    expect(await dataOf(query)).toEqual([data]);
    expect(await totalsOf(query)).toEqual([total]);
    expect(await dataOf(query, { lowering: { propertyType: (_, name) => (name === "price" ? "Numeric" : undefined) } })).toEqual([data]);
  });

  it("multiplies a property before it is summed", async () =>
    expect(await dataOf(anyEvent({ math: "sum", math_property: "price", math_multiplier: 0.5 }))).toEqual([[15, 15, 1.25, 0, 49.75]]));

  it("takes properties of persons", async () =>
    expect(await totalsOf(anyEvent({ math: "max", math_property: "age", math_property_type: "person_properties" }))).toEqual([41]));

  it("counts a session's duration once, however many events it has", async () => {
    expect(await dataOf(anyEvent({ math: "avg", math_property: "$session_duration" }))).toEqual([[1200, 0, 0, 0, 0]]);
    expect(await totalsOf(anyEvent({ math: "sum", math_property: "$session_duration" }))).toEqual([1200]);
  });

  it("counts groups, and takes them for actors when asked to", async () => {
    expect(await dataOf(anyEvent({ math: "unique_group", math_group_type_index: 0 }))).toEqual([[1, 1, 0, 0, 0]]);
    expect(await dataOf({ ...anyEvent({ math: "dau" }), aggregation_group_type_index: 0 })).toEqual([[1, 1, 0, 0, 0]]);
  });

  it("takes an aggregate of the author's, also one that is a constant", async () => {
    const query = anyEvent({ math: "hogql", math_hogql: "countIf(event = 'click') * 10" });
    expect(await dataOf(query)).toEqual([[10, 0, 10, 0, 0]]);
    expect(await totalsOf(anyEvent({ math: "hogql", math_hogql: "7" }))).toEqual([7]);
    await expect(dataOf(anyEvent({ math: "hogql", math_hogql: "properties.price" }))).rejects.toThrow(QueryError);
  });

  it("finds the first event ever, and then asks whether it matches; or the first that matches", async () => {
    const properties = [{ key: "plan", value: "pro", operator: "exact", type: "event" }];
    const range = { date_from: "2026-01-02", date_to: "2026-01-05" };
    const of = (math: string) => dataOf({ series: [event(null, { math, properties })], dateRange: range });
    expect(await of("first_time_for_user")).toEqual([[0, 0, 0, 0]]);
    expect(await of("first_matching_event_for_user")).toEqual([[0, 1, 0, 0]]);
    expect(await dataOf({ series: [event("buy", { math: "first_time_for_user" })], dateRange: range })).toEqual([[0, 0, 0, 1]]);
  });

  it("counts who was active up to a week before the range", async () => {
    const range = { date_from: "2026-01-07", date_to: "2026-01-12" };
    expect(await dataOf({ series: [event(null, { math: "weekly_active" })], dateRange: range })).toEqual([[3, 3, 3, 3, 2, 1]]);
    expect(await dataOf({ series: [event(null, { math: "monthly_active" })], dateRange: range })).toEqual([[3, 3, 3, 3, 3, 3]]);
    expect(await dataOf({ series: [event(null, { math: "weekly_active" })], interval: "week", dateRange: range })).toEqual([[1, 0]]);
    const byHour = { series: [event("click", { math: "weekly_active" })], interval: "hour" };
    const hours = { date_from: "2026-01-08T09:00:00Z", date_to: "2026-01-08T11:00:00Z" };
    expect(await dataOf({ ...byHour, dateRange: hours })).toEqual([[2, 1, 1]]);
  });

  it.each([
    ["a property", { math: "avg" }, /math_property/],
    ["a group type", { math: "unique_group" }, /math_group_type_index/],
    ["an aggregate", { math: "hogql" }, /math_hogql/],
  ])("says when it lacks %s", async (_, more, sentence) => {
    await expect(planOf(anyEvent(more))).rejects.toThrow(sentence);
  });
});

describe("filters", () => {
  const chrome = { key: "$browser", value: ["Chrome"], operator: "exact", type: "event" };
  const paid = { key: "plan", value: ["pro"], operator: "exact", type: "event" };

  it("of the series and of the insight both hold", async () => {
    expect(await dataOf(anyEvent({ properties: [chrome] }))).toEqual([[3, 0, 0, 0, 0]]);
    expect(await dataOf({ ...anyEvent({ properties: [chrome] }), properties: [paid] })).toEqual([[0, 0, 0, 0, 0]]);
  });

  it("of the insight may be a group of groups", async () => {
    const properties = {
      type: "AND",
      values: [
        { type: "OR", values: [chrome, paid] },
        { type: "AND", values: [{ key: "event != 'click'", type: "hogql" }] },
      ],
    };
    expect(await dataOf({ ...anyEvent({}), properties })).toEqual([[2, 0, 0, 0, 0]]);
  });
});

describe("a breakdown", () => {
  const byBrowser = { breakdown: "$browser" };

  it("has a row for each value, the greatest total first and what has none after them", async () =>
    expect(await valuesOf({ ...anyEvent({}), breakdownFilter: byBrowser })).toEqual([
      ["Chrome", [3, 0, 0, 0, 0]],
      ["Firefox", [0, 1, 0, 0, 0]],
      ["Safari", [0, 0, 0, 1, 0]],
      ["$$_posthog_breakdown_null_$$", [0, 0, 1, 0, 1]],
    ]));

  it("names its values as a list when it is one of several, and joins them in the label", async () => {
    const breakdowns = [
      { property: "$browser", type: "event" },
      { property: "event", type: "event_metadata" },
    ];
    const rows = await rowsOf({ ...anyEvent({}), breakdownFilter: { breakdowns } });
    expect(rows.map(({ breakdown_value, label, count }) => [breakdown_value, label, count])).toEqual([
      [["Chrome", "$pageview"], "Chrome::$pageview", 2],
      [["Chrome", "click"], "Chrome::click", 1],
      [["Firefox", "$pageview"], "Firefox::$pageview", 1],
      [["Safari", "$pageview"], "Safari::$pageview", 1],
      [["$$_posthog_breakdown_null_$$", "buy"], "$$_posthog_breakdown_null_$$::buy", 1],
      [["$$_posthog_breakdown_null_$$", "click"], "$$_posthog_breakdown_null_$$::click", 1],
    ]);
  });

  it("adds the event to the label when there are several series", async () => {
    const series = [event("$pageview"), event("click")];
    const rows = await rowsOf({ series, dateRange, breakdownFilter: byBrowser });
    expect(rows.map(({ label, order }) => [label, order])).toEqual([
      ["$pageview - Chrome", 0],
      ["$pageview - Firefox", 0],
      ["$pageview - Safari", 0],
      ["click - Chrome", 1],
      ["click - $$_posthog_breakdown_null_$$", 1],
    ]);
  });

  it("folds what is past the limit into others, which come last, and keeps them even when asked to hide them", async () => {
    const query = { ...anyEvent({}), breakdownFilter: { ...byBrowser, breakdown_hide_other_aggregation: true, breakdown_limit: 1 } };
    expect(await valuesOf(query, { context: { breakdownLimit: 2 } })).toEqual([
      ["Chrome", [3, 0, 0, 0, 0]],
      ["Firefox", [0, 1, 0, 0, 0]],
      ["$$_posthog_breakdown_null_$$", [0, 0, 1, 0, 1]],
      ["$$_posthog_breakdown_other_$$", [0, 0, 0, 1, 0]],
    ]);
    const several = { ...anyEvent({}), breakdownFilter: { breakdowns: [{ property: "$browser" }] } };
    const rows = await rowsOf(several, { context: { breakdownLimit: 1 } });
    expect(rows.at(-1)).toMatchObject({ breakdown_value: ["$$_posthog_breakdown_other_$$"], data: [0, 1, 0, 1, 0] });
  });

  it.each([
    ["total", [3, 2], [3, 2]],
    ["dau", [1, 2], [1, 2]],
    ["weekly_active", [5, 6], [1, 2]],
    ["first_time_for_user", [1, 2], [1, 2]],
  ])("sums what %s has of the others, by day and over the whole range", async (math, counts, totals) => {
    const properties = [{ key: "$browser", operator: "is_set" }];
    const query = { ...anyEvent({ math, properties }), breakdownFilter: byBrowser };
    const context = { breakdownLimit: 1 };
    const rows = await rowsOf(query, { context });
    expect(rows.map((row) => row.breakdown_value)).toEqual(["Chrome", "$$_posthog_breakdown_other_$$"]);
    expect(rows.map(({ count }) => count)).toEqual(counts);
    expect(await totalsOf(query, { context })).toEqual(totals);
  });

  it.each([
    ["avg", [99.5, 15.625]],
    ["min", [99.5, 2.5]],
    ["max", [99.5, 30]],
    ["median", [99.5, 15.625]],
    ["avg_count_per_actor", [3, 4 / 3]],
    ["max_count_per_actor", [3, 2]],
    ["min_count_per_actor", [3, 1]],
  ])("has as others what %s is of all their numbers together", async (math, totals) => {
    const byId = { breakdown: "distinct_id", breakdown_type: "event_metadata" };
    const query = { ...anyEvent({ math, math_property: "price" }), breakdownFilter: byId };
    expect(await totalsOf(query, { context: { breakdownLimit: 1 } })).toEqual(totals);
  });

  it.each([
    [
      "a person's property",
      { breakdown: "email", breakdown_type: "person" },
      [
        ["ann@example.com", 4],
        [null, 3],
      ],
    ],
    [
      "a group's property",
      { breakdown: "plan", breakdown_type: "group", breakdown_group_type_index: 0 },
      [
        ["gold", 2],
        [null, 5],
      ],
    ],
    [
      "an expression",
      { breakdown: "toHour(timestamp) > 12", breakdown_type: "hogql" },
      [
        ["false", 6],
        ["true", 1],
      ],
    ],
    [
      "a session's field",
      { breakdown: "$pageview_count", breakdown_type: "session" },
      [
        ["2", 3],
        ["1", 1],
        [null, 3],
      ],
    ],
    [
      "an expression with a lambda",
      { breakdown: "arrayFilter(x -> x != '', splitByChar('$', event))[1]", breakdown_type: "hogql" },
      [
        ["pageview", 4],
        ["click", 2],
        ["buy", 1],
      ],
    ],
    ["everybody", { breakdown: ["all"], breakdown_type: "cohort" }, [["all", 7]]],
  ])("is by %s", async (_, breakdownFilter, expected) => {
    const rows = await rowsOf({ ...anyEvent({}), breakdownFilter });
    const shown = rows.map(({ breakdown_value: value, count }) => [value === "$$_posthog_breakdown_null_$$" ? null : value, count]);
    expect(shown).toEqual(expected);
  });

  it("names values as text, whatever type their property has", async () => {
    const types = new Map([
      ["ok", "Boolean"],
      ["price", "Numeric"],
    ] as const);
    const lowering = { propertyType: (_: string, name: string) => types.get(name as "ok") };
    const values = async (breakdown: string) =>
      (await rowsOf({ ...anyEvent({}), breakdownFilter: { breakdown } }, { lowering })).map((row) => row.breakdown_value);
    expect((await values("ok")).slice(0, 2)).toEqual(["false", "true"]);
    expect((await values("price")).slice(0, 5)).toEqual(["10", "2.5", "20", "30", "99.5"]);
  });

  it("cuts what ends a URL", async () => {
    const normalised = { breakdowns: [{ property: "$current_url", normalize_url: true }] };
    expect(await valuesOf({ series: [event("$pageview")], dateRange, breakdownFilter: normalised })).toMatchObject([
      [["https://a.example"], [1, 0, 0, 0, 0]],
      [["https://a.example/b"], [1, 0, 0, 0, 0]],
      [["$$_posthog_breakdown_null_$$"], [0, 1, 0, 1, 0]],
    ]);
  });

  it("answers of a named URL the row that shows it", async () => {
    const normalised = { breakdowns: [{ property: "$current_url", normalize_url: true }] };
    const named = (value: string) =>
      valuesOf(
        { series: [event("$pageview")], dateRange, breakdownFilter: normalised },
        { context: { breakdownValues: { $current_url: value } } },
      );
    expect(await named("https://a.example")).toEqual([[["https://a.example"], [1, 0, 0, 0, 0]]]);
    expect(await named("https://a.example/")).toEqual([]);
    expect(await named("")).toEqual([[["$$_posthog_breakdown_null_$$"], [0, 1, 0, 1, 0]]]);
  });

  it("puts numbers into bins of equal width, the greatest into the last", async () => {
    const breakdownFilter = { breakdown: "price", breakdown_histogram_bin_count: 2 };
    expect(await valuesOf({ ...anyEvent({}), breakdownFilter })).toEqual([
      ["[2.5,51]", [2, 1, 1, 0, 0]],
      ["[51,99.5]", [0, 0, 0, 0, 1]],
      ["$$_posthog_breakdown_null_$$", [1, 0, 0, 1, 0]],
    ]);
    const one = { ...anyEvent({ properties: [{ key: "price", value: 20 }], math: "first_matching_event_for_user" }), breakdownFilter };
    expect(await valuesOf(one)).toEqual([["[20,20]", [1, 0, 0, 0, 0]]]);
  });

  it("leaves only the events that a run's values name", async () => {
    const query = {
      ...anyEvent({}),
      breakdownFilter: { breakdowns: [{ property: "$browser" }, { property: "properties.plan", type: "hogql" }] },
    };
    const narrowed = (breakdownValues: Readonly<Record<string, string>>) => valuesOf(query, { context: { breakdownValues } });
    expect(await narrowed({ $browser: "Chrome", "properties.plan": "free" })).toEqual([
      [
        ["Chrome", "free"],
        [2, 0, 0, 0, 0],
      ],
    ]);
    expect(await narrowed({ $browser: "", "properties.plan": "pro" })).toEqual([
      [
        ["$$_posthog_breakdown_null_$$", "pro"],
        [0, 0, 1, 0, 0],
      ],
    ]);
    expect(await narrowed({ $browser: "Safari", "properties.plan": "" })).toEqual([
      [
        ["Safari", "$$_posthog_breakdown_null_$$"],
        [0, 0, 0, 1, 0],
      ],
    ]);
    expect(await narrowed({ $browser: "Opera" })).toEqual([]);
  });

  it.each(["first_time_for_user", "first_matching_event_for_user"])(
    "answers of a run's value the row that shows it, of %s",
    async (math) => {
      const query = { ...anyEvent({ math }), breakdownFilter: { breakdowns: [{ property: "$browser" }] } };
      const whole = await rowsOf(query);
      for (const value of ["Chrome", "Firefox", "Safari", ""]) {
        const rows = whole.filter((row) => isDeepStrictEqual(row.breakdown_value, [value || "$$_posthog_breakdown_null_$$"]));
        expect(await rowsOf(query, { context: { breakdownValues: { $browser: value } } })).toEqual(rows);
      }
    },
  );
});

describe("first events of persons with several of them in one moment", () => {
  const at = "2026-01-02T10:00:00Z";
  const browsers = ["Chrome", "Firefox", "Safari"];
  const tied = goldenProject(
    ["ann", "bob", "cid"].flatMap((who, person) =>
      [...browsers.slice(person), ...browsers.slice(0, person)].map((browser, index) =>
        anEvent({ at, who, properties: { $browser: browser } }, 10 * person + index + 1),
      ),
    ),
  );

  it.each([
    { math: "first_time_for_user" },
    { math: "first_matching_event_for_user" },
    { math: "first_time_for_user", properties: [{ key: "$browser", value: "Opera", operator: "is_not", type: "event" }] },
  ])("are counted of a run's value as in the row that shows it, of %j", async (node) => {
    const query = { ...anyEvent(node), breakdownFilter: { breakdowns: [{ property: "$browser" }] } };
    const whole = await trendRows(tied, query);
    expect(whole.reduce((sum, { count }) => sum + Number(count), 0)).toBe(3);
    for (const value of browsers) {
      const rows = whole.filter(({ breakdown_value }) => isDeepStrictEqual(breakdown_value, [value]));
      expect(await trendRows(tied, query, { context: { breakdownValues: { $browser: value } } })).toEqual(rows);
    }
  });
});

describe("compare", () => {
  it("has all rows of the range first, then those of the one before, with their own days", async () => {
    const query = {
      series: [event(null), event("click")],
      dateRange: { date_from: "2026-01-03", date_to: "2026-01-04" },
      compareFilter: { compare: true },
    };
    const rows = await rowsOf(query);
    expect(rows.map(({ compare, compare_label, order, days, data }) => [compare, compare_label, order, days, data])).toEqual([
      [true, "current", 0, ["2026-01-03", "2026-01-04"], [1, 1]],
      [true, "current", 1, ["2026-01-03", "2026-01-04"], [1, 0]],
      [true, "previous", 0, ["2026-01-01", "2026-01-02"], [3, 1]],
      [true, "previous", 1, ["2026-01-01", "2026-01-02"], [1, 0]],
    ]);
  });

  it("looks back as far as it is told, and not before all time", async () => {
    const query = { ...anyEvent({}), dateRange: { date_from: "2026-01-08", date_to: "2026-01-09" } };
    const [, previous] = await rowsOf({ ...query, compareFilter: { compare: true, compare_to: "-1w" } });
    expect(previous).toMatchObject({ days: ["2026-01-01", "2026-01-02"], data: [3, 1] });
    expect(await rowsOf({ ...query, dateRange: { date_from: "all" }, compareFilter: { compare: true } })).toHaveLength(1);
  });
});

describe("a formula", () => {
  const series = [event("$pageview"), event("click")];

  it("is one row, named by itself or by its author", async () => {
    const rows = await rowsOf({
      series,
      dateRange,
      trendsFilter: { formulaNodes: [{ formula: "A+B" }, { formula: "a / B", custom_name: "Views per click" }] },
    });
    expect(rows.map(({ label, order, data, count, action }) => [label, order, data, count, action])).toEqual([
      ["Formula (A+B)", 0, [3, 1, 1, 1, 0], 6, null],
      ["Views per click", 1, [2, 0, 0, 0, 0], 2, null],
    ]);
  });

  it("is computed for every value that any series has, and over totals", async () => {
    const rows = await rowsOf({ series, dateRange, trendsFilter: { formula: "A - B" }, breakdownFilter: { breakdown: "$browser" } });
    expect(rows.map(({ breakdown_value, data }) => [breakdown_value, data])).toEqual([
      ["Chrome", [1, 0, 0, 0, 0]],
      ["Firefox", [0, 1, 0, 0, 0]],
      ["Safari", [0, 0, 0, 1, 0]],
      ["$$_posthog_breakdown_null_$$", [0, 0, -1, 0, 0]],
    ]);
    const total = await rowsOf({ series, dateRange, trendsFilter: { formulas: ["A * 2"], display: "ActionsTable" } });
    expect(total).toMatchObject([{ aggregated_value: 8, data: [], label: "Formula (A * 2)" }]);
  });

  it("is refused with the place of its fault", async () => {
    await expect(planOf({ series, trendsFilter: { formula: "A + C" } })).rejects.toThrow(/series C.*\(line 1, column 5\)\nA \+ C\n {4}\^/s);
  });
});

describe("a display", () => {
  const cumulative = { display: "ActionsLineGraphCumulative" };

  it("of running totals ends with the count", async () =>
    expect(await rowsOf({ ...anyEvent({}), trendsFilter: cumulative })).toMatchObject([{ data: [3, 4, 5, 6, 7], count: 7 }]));

  it("of running totals counts every actor once", async () => {
    expect(await dataOf({ ...anyEvent({ math: "dau" }), trendsFilter: cumulative })).toEqual([[1, 2, 2, 3, 3]]);
    expect(await dataOf({ ...anyEvent({ math: "unique_group", math_group_type_index: 0 }), trendsFilter: cumulative })).toEqual([
      [1, 2, 2, 2, 2],
    ]);
  });

  it("smooths over the intervals before", async () =>
    expect(await dataOf({ ...anyEvent({}), trendsFilter: { smoothingIntervals: 3 } })).toEqual([[3, 2, 1, 1, 1]]));
});

describe("a sample", () => {
  const many = goldenProject(
    Array.from({ length: 4000 }, (_, index) =>
      anEvent({ at: "2026-01-01T10:00:00Z", who: `who-${index}`, properties: { price: 8 } }, index),
    ),
  );
  it("is scaled up where it counts, and not where it averages", async () => {
    const of = async (more: object) => (await trendRows(many, { ...anyEvent(more), samplingFactor: 0.25 }))[0];
    const [first] = ((await of({}))?.data ?? []) as readonly number[];
    expect(Math.abs((first ?? 0) - 4000)).toBeLessThan(600);
    expect((first ?? 0) % 4).toBe(0);
    expect(await of({ math: "avg", math_property: "price" })).toMatchObject({ data: [8, 0, 0, 0, 0] });
  });

  it("is a share", async () => {
    await expect(planOf({ ...anyEvent({}), samplingFactor: 2 })).rejects.toThrow(/samplingFactor/);
  });
});

describe("what is too much", () => {
  it.each([
    ["series", { series: Array.from({ length: 51 }, () => event(null)) }, /at most 50 series/],
    ["formulas", { series: [event(null)], trendsFilter: { formulas: Array.from({ length: 51 }, () => "A") } }, /at most 50 formulas/],
    ["smoothing", { series: [event(null)], trendsFilter: { smoothingIntervals: 1001 } }, /at most 1000/],
    ["time", { series: [event(null)], interval: "year", dateRange: { date_from: "1800-01-01", date_to: "2026-01-01" } }, /200 years/],
    ["bins", { series: [event(null)], breakdownFilter: { breakdown: "price", breakdown_histogram_bin_count: 1001 } }, /1 to 1000 bins/],
    [
      "bins below one",
      { series: [event(null)], breakdownFilter: { breakdown: "price", breakdown_histogram_bin_count: 0 } },
      /1 to 1000 bins/,
    ],
  ])("is refused: %s", async (_, query, sentence) => {
    await expect(planOf(query)).rejects.toThrow(sentence);
  });
});

describe("what does not exist here", () => {
  it.each([
    ["actions", { series: [{ kind: "ActionsNode", id: 1 }] }, /EventsNode/],
    ["warehouse tables", { series: [{ kind: "DataWarehouseNode", table_name: "x" }] }, /EventsNode/],
    ["cohorts", { series: [event(null)], breakdownFilter: { breakdown: [1, "all"], breakdown_type: "cohort" } }, /`person`/],
    ["one of several cohorts", { series: [event(null)], breakdownFilter: { breakdowns: [{ property: 1, type: "cohort" }] } }, /`person`/],
    [
      "a breakdown by the warehouse",
      { series: [event(null)], breakdownFilter: { breakdown: "x", breakdown_type: "data_warehouse" } },
      /Warehouse/,
    ],
    ["a list in `breakdown`", { series: [event(null)], breakdownFilter: { breakdown: ["a", "b"] } }, /`breakdowns`/],
    ["conversion goals", { series: [event(null)], conversionGoal: {} }, /formula/],
  ])("is refused with what to use instead: %s", async (_, query, sentence) => {
    const planned = planOf(query);
    await expect(planned).rejects.toThrow(QueryError);
    await expect(planned).rejects.toThrow(sentence);
  });
});

describe("the queries", () => {
  const scans = async (query: object, asked: Asked = {}) =>
    loweredPlan(await planOf({ ...query }, asked), asked).map(({ scans: [scan] }) => scan);
  const day = BigInt(Date.UTC(2026, 0, 1)) * 1000n;

  it("read the events of their names within their range only, and leave the time to the scan", async () => {
    const query = { series: [event("buy", { math: "dau" })], dateRange, breakdownFilter: { breakdown: "$browser" } };
    expect(await scans(query)).toMatchObject([
      {
        from: day,
        to: day + 5n * 86_400_000_000n,
        events: ["buy"],
        boundsAreExact: true,
        columns: expect.not.arrayContaining(["properties"]),
      },
    ]);
  });

  it("read a week more for who is active within a week, and all before for who is new", async () => {
    expect(await scans(anyEvent({ math: "weekly_active" }))).toMatchObject([{ from: day - 6n * 86_400_000_000n }]);
    expect(await scans(anyEvent({ math: "first_time_for_user" }))).toMatchObject([{ from: null, to: day + 5n * 86_400_000_000n }]);
  });

  it("read the events once, also to find which values of a breakdown lead", async () => {
    const [lowered] = loweredPlan(await planOf({ ...anyEvent({}), breakdownFilter: { breakdown: "plan" } }));
    expect(lowered?.scans).toHaveLength(1);
    expect(lowered?.sql.match(/ AS MATERIALIZED \(/g)).toHaveLength(1);
    expect(lowered?.sql.match(/json_extract_string/g)).toHaveLength(1);
  });

  it("ask no function of the wall clock for a row, also where the clock changes", async () => {
    const asked = { context: { timezone: "America/New_York" } };
    const query = { series: [event("buy")], dateRange: { date_from: "2026-03-01", date_to: "2026-03-31" } };
    const [lowered] = loweredPlan(await planOf(query, asked), asked);
    expect(lowered?.sql).not.toMatch(/timezone\(|make_timestamp\(|date_trunc/);
  });
});
