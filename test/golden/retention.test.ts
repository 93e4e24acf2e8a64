import { describe, expect, it } from "vitest";
import type { InsightContext } from "../../lib/insight/plan.ts";
import { goldenProject } from "./golden-project.ts";
import { anEvent } from "./project.ts";
import { loweredPlan, planOf, retentionRows } from "./retention-run.ts";

/** Ann begins on the 1st and comes back on the 2nd, 3rd (twice) and 6th; Bob begins on the 2nd and comes back on the 3rd; Cid only on the 3rd. */
const EVENTS = [
  { at: "2025-12-20T10:00:00Z", who: "ann", event: "visit", properties: { $browser: "Opera", plan: "free" } },
  { at: "2026-01-01T18:00:00Z", who: "ann", event: "visit", properties: { $browser: "Chrome", plan: "free", price: 1 }, groups: ["acme"] },
  { at: "2026-01-01T19:00:00Z", who: "ann", event: "buy", properties: { $browser: "Chrome", price: 10 } },
  { at: "2026-01-02T10:00:00Z", who: "ann-phone", event: "visit", properties: { $browser: "Firefox", price: 2 }, groups: ["acme"] },
  { at: "2026-01-02T12:00:00Z", who: "bob", event: "buy", properties: { price: 100 } },
  { at: "2026-01-02T13:00:00Z", who: "bob", event: "visit", properties: { $browser: "Chrome", plan: "pro", price: 4 }, groups: ["beta"] },
  { at: "2026-01-03T01:00:00Z", who: "ann", event: "visit", properties: { $browser: "Chrome", price: 8 }, groups: ["acme"] },
  { at: "2026-01-03T02:00:00Z", who: "ann", event: "visit", properties: { $browser: "Chrome", price: 16 } },
  { at: "2026-01-03T14:00:00Z", who: "bob", event: "visit", properties: { $browser: "Chrome", price: 32 } },
  { at: "2026-01-03T15:00:00Z", who: "cid", event: "visit", properties: { price: 64 }, groups: ["acme"] },
  { at: "2026-01-06T20:00:00Z", who: "ann", event: "buy", properties: { price: 20 } },
  { at: "2026-01-06T20:30:00Z", who: "ann", event: "visit", properties: { $browser: "Chrome" } },
].map((sketch, index) => anEvent(sketch, index + 1));

const golden = goldenProject(EVENTS);

const VISIT = { id: "visit", type: "events" };
const BUY = { id: "buy", type: "events" };
const DAYS = { date_from: "2026-01-01", date_to: "2026-01-03" };

type Filter = Readonly<Record<string, unknown>>;
const asked = (filter: Filter = {}, more: Filter = {}) => ({
  dateRange: DAYS,
  retentionFilter: { targetEntity: VISIT, returningEntity: VISIT, totalIntervals: 4, ...filter },
  ...more,
});
const counts = async (filter: Filter = {}, more: Filter = {}, context: Partial<InsightContext> = {}) =>
  (await retentionRows(golden, asked(filter, more), context)).map(({ values }) => values.map(({ count }) => count));
const byValue = async (filter: Filter, more: Filter, context: Partial<InsightContext> = {}) => {
  const rows = await retentionRows(golden, asked(filter, more), context);
  return rows.map(({ breakdown_value, label, values }) => `${breakdown_value} ${label}: ${values.map(({ count }) => count).join(" ")}`);
};

describe("a retention", () => {
  it("has a row for each period, with labels and dates", async () =>
    expect(
      await retentionRows(golden, asked({ totalIntervals: 2 }, { dateRange: { date_from: "2026-01-01", date_to: "2026-01-02" } })),
    ).toEqual([
      {
        values: [
          { count: 1, label: "Day 0" },
          { count: 1, label: "Day 1" },
        ],
        label: "Day 0",
        date: "2026-01-01T00:00:00Z",
        breakdown_value: null,
      },
      {
        values: [
          { count: 2, label: "Day 0" },
          { count: 2, label: "Day 1" },
        ],
        label: "Day 1",
        date: "2026-01-02T00:00:00Z",
        breakdown_value: null,
      },
    ]));

  it("counts actors of every period in which they start, and looks past the end of the range", async () =>
    expect(await counts()).toEqual([
      [1, 1, 1, 0],
      [2, 2, 0, 0],
      [3, 0, 0, 1],
    ]));

  it("counts those who come back by another event", async () =>
    expect(await counts({ returningEntity: BUY, totalIntervals: 6 })).toEqual([
      [1, 0, 0, 0, 0, 1],
      [2, 0, 0, 0, 1, 0],
      [3, 0, 0, 1, 0, 0],
    ]));

  it("of the first time leaves out whoever started before the range", async () =>
    expect(await counts({ retentionType: "retention_first_time" })).toEqual([
      [0, 0, 0, 0],
      [1, 1, 0, 0],
      [1, 0, 0, 0],
    ]));

  it("of the first time asks for the first start that fits the filters, of the first ever for the first event, which must fit", async () => {
    const properties = [{ key: "$browser", value: "Chrome", operator: "exact", type: "event" }];
    const filter = { targetEntity: { ...VISIT, properties } };
    expect(await counts({ ...filter, retentionType: "retention_first_time" })).toEqual([
      [1, 1, 1, 0],
      [1, 1, 0, 0],
      [0, 0, 0, 0],
    ]);
    expect(await counts({ ...filter, retentionType: "retention_first_ever_occurrence" })).toEqual([
      [0, 0, 0, 0],
      [1, 1, 0, 0],
      [0, 0, 0, 0],
    ]);
  });

  it("cumulates: whoever is seen later counts in every column before", async () =>
    expect(await counts({ cumulative: true })).toEqual([
      [1, 1, 1, 0],
      [2, 2, 0, 0],
      [3, 1, 1, 1],
    ]));

  it("has brackets of periods", async () => {
    const rows = await retentionRows(golden, asked({ retentionCustomBrackets: [1, 2, 3] }));
    expect(rows.map(({ values }) => values.map(({ count }) => count))).toEqual([
      [1, 1, 1, 1],
      [2, 2, 0, 1],
      [3, 0, 1, 0],
    ]);
    expect(rows[0]?.values.map(({ label }) => label)).toEqual(["Day 0", "Day 1", "Day 2-3", "Day 4-6"]);
  });

  it("asks for a number of returns in a period", async () =>
    expect(await counts({ minimumOccurrences: 2 })).toEqual([
      [1, 0, 1, 0],
      [2, 1, 0, 0],
      [3, 0, 0, 0],
    ]));

  it("counts windows of 24 hours from each actor's own first start", async () =>
    expect(await counts({ timeWindowMode: "24_hour_windows" })).toEqual([
      [1, 1, 0, 0],
      [1, 1, 0, 0],
      [1, 0, 0, 0],
    ]));

  it("sums a property of the returns, those of a cohort's own period after the start", async () => {
    const sums = async (filter: Filter) =>
      (await retentionRows(golden, asked({ aggregationProperty: "price", ...filter }))).map(({ values }) =>
        values.map(({ count, aggregation_value }) => [count, aggregation_value]),
      );
    expect(await sums({ aggregationType: "sum" })).toEqual([
      [
        [1, 1],
        [1, 2],
        [1, 24],
        [0, 0],
      ],
      [
        [2, 6],
        [2, 56],
        [0, 0],
        [0, 0],
      ],
      [
        [3, 120],
        [0, 0],
        [0, 0],
        [1, 0],
      ],
    ]);
    expect(await sums({ aggregationType: "avg" })).toMatchObject([{}, [[2, 3], [2, 28], {}, {}], [[3, 40], {}, {}, {}]]);
    expect(await sums({ aggregationType: "sum", returningEntity: BUY })).toEqual([
      [
        [1, 10],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      [
        [2, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      [
        [3, 0],
        [0, 0],
        [0, 0],
        [1, 20],
      ],
    ]);
  });

  it("counts groups in the place of persons", async () =>
    expect(await counts({}, { aggregation_group_type_index: 0 })).toEqual([
      [1, 1, 1, 0],
      [2, 1, 0, 0],
      [1, 0, 0, 0],
    ]));

  it("has weeks of the project and months", async () => {
    const weeks = await retentionRows(golden, asked({ period: "Week", totalIntervals: 2 }));
    expect(weeks.map(({ date, values }) => [date, ...values.map(({ count }) => count)])).toEqual([["2025-12-28T00:00:00Z", 3, 1]]);
    const mondays = await retentionRows(golden, asked({ period: "Week", totalIntervals: 2 }), { weekStart: 1 });
    expect(mondays.map(({ date, values }) => [date, ...values.map(({ count }) => count)])).toEqual([["2025-12-29T00:00:00Z", 3, 1]]);
    const range = { dateRange: { date_from: "-1mStart", date_to: "mEnd" } };
    const months = await retentionRows(golden, asked({ period: "Month", totalIntervals: 2 }, range));
    expect(months.map(({ label, date, values }) => [label, date, ...values.map(({ count }) => count)])).toEqual([
      ["Month 0", "2025-12-01T00:00:00Z", 1, 1],
      ["Month 1", "2026-01-01T00:00:00Z", 3, 0],
    ]);
  });

  it("has days of the project's zone", async () => {
    const rows = await retentionRows(golden, asked({ totalIntervals: 2 }), { timezone: "Asia/Tokyo" });
    expect(rows.map(({ date, values }) => [date, ...values.map(({ count }) => count)])).toEqual([
      ["2026-01-01T00:00:00+09:00", 0, 0],
      ["2026-01-02T00:00:00+09:00", 2, 2],
      ["2026-01-03T00:00:00+09:00", 2, 0],
    ]);
  });

  it("reaches back to the earliest event", async () => {
    const rows = await retentionRows(golden, asked({ totalIntervals: 2 }, { dateRange: { date_from: "all", date_to: "2026-01-03" } }));
    expect(rows.map(({ label, date, values }) => [label, date, ...values.map(({ count }) => count)])).toMatchObject([
      ["Day 0", "2025-12-20T00:00:00Z", 1, 0],
      ...Array(11).fill({}),
      ["Day 12", "2026-01-01T00:00:00Z", 1, 1],
      ["Day 13", "2026-01-02T00:00:00Z", 2, 2],
      ["Day 14", "2026-01-03T00:00:00Z", 3, 0],
    ]);
  });

  it("looks back as many periods as it has intervals, unless it is told", async () => {
    const rows = await retentionRows(golden, { retentionFilter: {} });
    expect(rows.map(({ date }) => date.slice(0, 10))).toEqual(
      [8, 9, 10, 11, 12, 13, 14, 15].map((day) => `2026-01-${String(day).padStart(2, "0")}`),
    );
    expect(rows[0]?.values.map(({ label, count }) => `${label} ${count}`)).toHaveLength(8);
  });
});

describe("a retention by breakdown", () => {
  const browsers = { breakdownFilter: { breakdowns: [{ property: "$browser", type: "event" }] } };

  it("counts each value by itself, the largest first", async () =>
    expect(await byValue({ totalIntervals: 2 }, browsers)).toEqual([
      "Chrome Day 0: 1 0",
      "Chrome Day 1: 1 1",
      "Chrome Day 2: 2 0",
      "$$_posthog_breakdown_null_$$ Day 0: 0 0",
      "$$_posthog_breakdown_null_$$ Day 1: 0 0",
      "$$_posthog_breakdown_null_$$ Day 2: 1 0",
      "Firefox Day 0: 0 0",
      "Firefox Day 1: 1 0",
      "Firefox Day 2: 0 0",
    ]));

  it("puts what is past the limit together", async () =>
    expect((await byValue({ totalIntervals: 2 }, browsers, { breakdownLimit: 1 })).slice(3)).toEqual([
      "$$_posthog_breakdown_other_$$ Day 0: 0 0",
      "$$_posthog_breakdown_other_$$ Day 1: 1 0",
      "$$_posthog_breakdown_other_$$ Day 2: 1 0",
    ]));

  it("joins several, and knows the older form", async () => {
    const two = { breakdownFilter: { breakdowns: [{ property: "$browser" }, { property: "email", type: "person" }] } };
    expect((await byValue({ totalIntervals: 1 }, two)).filter((line) => line.includes("Chrome"))).toEqual([
      "Chrome::$$_posthog_breakdown_null_$$ Day 0: 0",
      "Chrome::$$_posthog_breakdown_null_$$ Day 1: 1",
      "Chrome::$$_posthog_breakdown_null_$$ Day 2: 1",
      "Chrome::ann@example.com Day 0: 1",
      "Chrome::ann@example.com Day 1: 0",
      "Chrome::ann@example.com Day 2: 1",
    ]);
    const legacy = { breakdownFilter: { breakdown: "$browser", breakdown_type: "event" } };
    expect(await byValue({ totalIntervals: 2 }, legacy)).toEqual(await byValue({ totalIntervals: 2 }, browsers));
    const expression = { breakdownFilter: { breakdown: "upper(properties.$browser)", breakdown_type: "hogql" } };
    expect((await byValue({ totalIntervals: 1 }, expression))[0]).toBe("CHROME Day 0: 1");
  });

  it("is narrowed to the value of a run, or to events without one", async () => {
    expect(await byValue({ totalIntervals: 2 }, browsers, { breakdownValues: { $browser: "Firefox" } })).toEqual([
      "Firefox Day 0: 0 0",
      "Firefox Day 1: 1 0",
      "Firefox Day 2: 0 0",
    ]);
    expect(await byValue({ totalIntervals: 1 }, browsers, { breakdownValues: { $browser: "" } })).toHaveLength(3);
    expect(await byValue({}, browsers, { breakdownValues: { $browser: "Netscape" } })).toEqual([]);
  });

  it("of the first ever has the value of that first event", async () =>
    expect(
      await byValue({ retentionType: "retention_first_ever_occurrence", totalIntervals: 2, returningEntity: { id: null } }, browsers),
    ).toEqual([
      "$$_posthog_breakdown_null_$$ Day 0: 0 0",
      "$$_posthog_breakdown_null_$$ Day 1: 0 0",
      "$$_posthog_breakdown_null_$$ Day 2: 1 0",
      "Chrome Day 0: 0 0",
      "Chrome Day 1: 1 1",
      "Chrome Day 2: 0 0",
    ]));

  it.each([{}, { timeWindowMode: "24_hour_windows" }, { minimumOccurrences: 2 }, { aggregationType: "sum", aggregationProperty: "price" }])(
    "of the first ever answers of a run's value the rows that show it, with %j",
    async (more) => {
      const ever = { retentionType: "retention_first_ever_occurrence", totalIntervals: 2, returningEntity: { id: null }, ...more };
      const whole = await byValue(ever, browsers);
      for (const value of ["Chrome", "Firefox", ""]) {
        const shown = `${value || "$$_posthog_breakdown_null_$$"} `;
        const rows = whole.filter((line) => line.startsWith(shown));
        expect(await byValue(ever, browsers, { breakdownValues: { $browser: value } })).toEqual(rows);
      }
    },
  );
});

describe("a first-ever retention of actors with several first events in one moment", () => {
  const moment = "2026-01-02T10:00:00Z";
  const browsers = ["Chrome", "Firefox", "Safari"];
  const tied = goldenProject(
    ["ann", "bob", "cid"].flatMap((who, person) =>
      [...browsers.slice(person), ...browsers.slice(0, person)].map((browser, index) =>
        anEvent({ at: moment, who, event: "visit", properties: { $browser: browser, price: 1 } }, 10 * person + index + 1),
      ),
    ),
  );

  it.each([{}, { timeWindowMode: "24_hour_windows" }, { minimumOccurrences: 2 }, { aggregationType: "sum", aggregationProperty: "price" }])(
    "answers of a run's value the rows that show it, and no others, with %j",
    async (more) => {
      const ever = asked(
        { retentionType: "retention_first_ever_occurrence", totalIntervals: 2, returningEntity: { id: null }, ...more },
        { breakdownFilter: { breakdowns: [{ property: "$browser" }] } },
      );
      const whole = await retentionRows(tied, ever);
      for (const value of browsers) {
        const rows = whole.filter(({ breakdown_value }) => breakdown_value === value);
        expect(await retentionRows(tied, ever, { breakdownValues: { $browser: value } })).toEqual(rows);
      }
    },
  );
});

describe("a retention's queries", () => {
  const scansOf = async (filter: Filter, more: Filter = {}) => loweredPlan(await planOf(asked(filter, more))).flatMap(({ scans }) => scans);
  const micros = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;

  it("read once the events of its two names, from the first cohort to the last period that counts", async () =>
    expect(await scansOf({ returningEntity: BUY })).toEqual([
      expect.objectContaining({
        from: micros("2026-01-01T00:00:00Z"),
        to: micros("2026-01-07T00:00:00Z"),
        events: ["visit", "buy"],
        columns: ["person_id", "event", "quarter_hour"],
        boundsAreExact: true,
      }),
    ]));

  it("read of the time before only the starts, and only where the first one counts", async () =>
    expect(await scansOf({ retentionType: "retention_first_time", returningEntity: BUY })).toMatchObject([
      { from: micros("2026-01-01T00:00:00Z"), events: ["visit", "buy"] },
      { from: null, to: micros("2026-01-01T00:00:00Z"), events: ["visit"] },
    ]));

  it("read parts of a long range, with what each part looks ahead to", async () => {
    const scans = await scansOf({ totalIntervals: 13 }, { dateRange: { date_from: "2025-10-01", date_to: "2025-12-31" } });
    expect(scans).toMatchObject([
      { from: micros("2025-10-01T00:00:00Z"), to: micros("2025-12-02T00:00:00Z") },
      { from: micros("2025-11-20T00:00:00Z"), to: micros("2026-01-13T00:00:00Z") },
    ]);
  });
});

describe("a retention narrowed", () => {
  it("holds for properties of all its events, and of one of its two", async () => {
    const chrome = { key: "$browser", value: "Chrome", type: "event" };
    expect(await counts({ totalIntervals: 2 }, { properties: [chrome] })).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
    ]);
    const properties = {
      type: "OR",
      values: [
        { type: "AND", values: [chrome] },
        { key: "$browser", operator: "is_not_set", type: "event" },
      ],
    };
    expect(await counts({ totalIntervals: 2 }, { properties })).toEqual([
      [1, 0],
      [1, 1],
      [3, 0],
    ]);
    expect(await counts({ totalIntervals: 2, returningEntity: { ...VISIT, properties: [chrome] } })).toEqual([
      [1, 0],
      [2, 2],
      [3, 0],
    ]);
  });

  it("scales a sample up", async () => {
    const [whole = []] = await counts({}, { samplingFactor: 1 });
    expect(whole).toEqual([1, 1, 1, 0]);
    const halves = await counts({}, { samplingFactor: 0.5 });
    expect(halves.flat().every((count) => count % 2 === 0)).toBe(true);
  });

  it.each<[string, Filter, Filter, string]>([
    ["actions", { targetEntity: { id: 3, type: "actions" } }, {}, "Actions do not exist here"],
    ["warehouse tables", { targetEntity: { id: "t", type: "data_warehouse" } }, {}, "Warehouse tables do not exist here"],
    ["cohorts", {}, { breakdownFilter: { breakdown: 5, breakdown_type: "cohort" } }, "Cohorts do not exist here"],
    ["histograms", {}, { breakdownFilter: { breakdowns: [{ property: "price", histogram_bin_count: 3 }] } }, "no histogram"],
    ["cumulative windows", { cumulative: true, timeWindowMode: "24_hour_windows" }, {}, "Cumulative"],
    ["sums of windows", { aggregationType: "sum", aggregationProperty: "price", timeWindowMode: "24_hour_windows" }, {}, "24-hour windows"],
    ["sums of nothing", { aggregationType: "sum" }, {}, "aggregationProperty"],
    ["no intervals", { totalIntervals: 0 }, {}, "totalIntervals"],
    ["empty brackets", { retentionCustomBrackets: [2, 0] }, {}, "retentionCustomBrackets"],
    ["too many brackets", { retentionCustomBrackets: Array(201).fill(1) }, {}, "200 brackets"],
    ["too many cells", { totalIntervals: 5000 }, { dateRange: { date_from: "-1y" } }, "cells"],
    ["a sample of nothing", {}, { samplingFactor: 0 }, "samplingFactor"],
    ["dates that are none", {}, { dateRange: { date_from: "soon" } }, "`soon`"],
  ])(
    "refuses %s",
    async (_, filter, more, sentence) =>
      await expect(planOf(asked(filter, more))).rejects.toMatchObject({ name: "QueryError", message: expect.stringContaining(sentence) }),
  );
});
