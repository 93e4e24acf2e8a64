import fc from "fast-check";
import { expect, it } from "vitest";
import type { InsightRow } from "../../../lib/insight/rows.ts";
import { goldenProject } from "../../golden/golden-project.ts";
import { anEvent, STATE } from "../../golden/project.ts";
import { trendRows } from "../../golden/trends-run.ts";
import { type NaiveEvent, type NaiveQuery, naiveTrend } from "./naive-trends.ts";

/** From mid-February to mid-April 2026: the clocks of New York, Berlin and Sydney change in between. */
const START = Date.UTC(2026, 1, 12);
const SPAN_MINUTES = 62 * 24 * 60;
const ZONES = ["UTC", "America/New_York", "Europe/Berlin", "Australia/Sydney", "Asia/Kolkata"] as const;

const anyEvent: fc.Arbitrary<NaiveEvent> = fc.record({
  at: fc.integer({ min: 0, max: SPAN_MINUTES }).map((minute) => START + minute * 60_000),
  event: fc.constantFrom("view", "buy"),
  who: fc.constantFrom("ann", "bob", "cid", "dan", "eve"),
  browser: fc.constantFrom("Chrome", "Firefox", "Safari", "Edge", null),
  plan: fc.constantFrom("free", "pro", null),
});

/** Every person by its own distinct_id, and no two events of one person at the same moment. */
const aProject = fc.uniqueArray(anyEvent, { minLength: 0, maxLength: 300, selector: ({ at, who }) => `${at} ${who}` });
const PROJECTS = fc.sample(aProject, { seed: 2026, numRuns: 4 });

const isoDay = (day: number): string => new Date(START + day * 86_400_000).toISOString().slice(0, 10);

const anyQuery: fc.Arbitrary<NaiveQuery> = fc
  .record({
    first: fc.integer({ min: 5, max: 50 }),
    length: fc.integer({ min: 0, max: 12 }),
    event: fc.constantFrom("view", null),
    math: fc.constantFrom("total", "dau", "weekly_active", "monthly_active", "first_time_for_user", "max_count_per_actor"),
    interval: fc.constantFrom("hour", "day", "day", "week", "month"),
    timezone: fc.constantFrom(...ZONES),
    weekStart: fc.constantFrom(0, 1),
    by: fc.constantFrom([], ["browser"], ["plan"], ["browser", "plan"]) as fc.Arbitrary<NaiveQuery["by"]>,
    limit: fc.integer({ min: 1, max: 5 }),
    isCumulative: fc.boolean(),
  } as const)
  .map(({ first, length, ...query }): NaiveQuery => ({ ...query, from: isoDay(first), to: isoDay(first + length) }));

const PEOPLE = `SELECT * FROM (VALUES ${["ann", "bob", "cid", "dan", "eve"]
  .map((who, index) => `('${who}', '00000000-0000-5000-8000-00000000000${index}'::UUID)`)
  .join(", ")}) t(distinct_id, person_id)`;

const projects = PROJECTS.map((events) =>
  goldenProject(
    events.map(({ at, event, who, browser, plan }, index) =>
      anEvent({ at: new Date(at).toISOString(), event, who, properties: { $browser: browser, plan } }, index),
    ),
    { ...STATE, person_distinct_ids: PEOPLE },
  ),
);

const asked = ({ event, math, interval, from, to, by, isCumulative }: NaiveQuery) => ({
  series: [{ kind: "EventsNode", event, math }],
  interval,
  dateRange: { date_from: from, date_to: to },
  breakdownFilter: { breakdowns: by.map((name) => ({ property: name === "browser" ? "$browser" : name })) },
  trendsFilter: { display: isCumulative ? "ActionsLineGraphCumulative" : "ActionsBar" },
});

const OTHER = "$$_posthog_breakdown_other_$$";
const NONE = "$$_posthog_breakdown_null_$$";

const shown = ({ breakdown_value: values, days, data }: InsightRow) => ({ values, days, data });

it("a trend is what counting its events one by one gives, in every zone, interval, math and breakdown", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: PROJECTS.length - 1 }), anyQuery, async (project, query) => {
      const { days, lines } = naiveTrend(PROJECTS[project] ?? [], query);
      const names = days.map((day) => day.replace(" again", ""));
      const expected = lines.map(({ values, data }) => ({
        values: query.by.length === 0 ? undefined : values === "other" ? query.by.map(() => OTHER) : values.map((value) => value ?? NONE),
        days: names,
        data,
      }));
      const golden = projects[project];
      if (golden === undefined) throw new Error("no project");
      const { timezone, weekStart, limit } = query;
      const rows = await trendRows(golden, asked(query), { context: { timezone, weekStart, breakdownLimit: limit } });
      expect(rows.map(shown)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});
