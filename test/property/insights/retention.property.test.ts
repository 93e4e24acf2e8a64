import fc from "fast-check";
import { expect, it } from "vitest";
import type { EventRow } from "../../../lib/event/event.ts";
import { NULL_VALUE } from "../../../lib/insight/rows.ts";
import { goldenProject } from "../../golden/golden-project.ts";
import { type RetentionRow, retentionRows } from "../../golden/retention-run.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";
import { type NaiveCell, type NaiveEvent, type NaiveQuery, naiveRetention } from "./naive-retention.ts";

/** Over both changes of the clock in spring, in New York and Berlin. */
const FIRST = Date.parse("2026-03-05T00:00:00Z");
const LAST = Date.parse("2026-04-04T00:00:00Z");

const anyEvent = fc.record({
  who: fc.integer({ min: 1, max: 7 }),
  name: fc.constantFrom("a", "b"),
  at: fc.oneof(fc.integer({ min: FIRST, max: LAST }), fc.integer({ min: FIRST + 86_400_000, max: FIRST + 4 * 86_400_000 })),
  browser: fc.constantFrom("x", "y", null),
  price: fc.integer({ min: -5, max: 20 }),
});
const anyEvents = fc.uniqueArray(anyEvent, { minLength: 60, maxLength: 120, selector: ({ at }) => at });

const day = fc.integer({ min: 0, max: 28 }).map((days) => new Date(FIRST + days * 86_400_000).toISOString().slice(0, 10));
const anyQuery: fc.Arbitrary<NaiveQuery> = fc
  .record({
    type: fc.constantFrom("retention_recurring", "retention_first_time", "retention_first_ever_occurrence"),
    period: fc.constantFrom("Hour", "Day", "Day", "Week", "Month"),
    timezone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"),
    weekStart: fc.constantFrom(0, 1),
    from: day,
    to: day,
    start: fc.constantFrom("a", "b", null),
    startBrowser: fc.constantFrom("x", null),
    returning: fc.constantFrom("a", "b", null),
    // Few periods are counted by bits, many by lists.
    intervals: fc.oneof({ arbitrary: fc.integer({ min: 1, max: 9 }), weight: 3 }, { arbitrary: fc.constant(64), weight: 1 }),
    brackets: fc.option(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })),
    minimum: fc.constantFrom(1, 1, 2),
    cumulative: fc.boolean(),
    rolling: fc.boolean(),
    byBrowser: fc.boolean(),
  })
  .filter(({ from, to, cumulative, rolling }) => from <= to && !(cumulative && rolling));

const rowOf = ({ who, name, at, browser, price }: NaiveEvent, index: number): EventRow =>
  anEventRow({
    uuid: `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`,
    event: name,
    distinct_id: `person ${who}`,
    person_id: `00000000-0000-5000-8000-${String(who).padStart(12, "0")}`,
    timestamp: BigInt(at) * 1000n,
    properties: JSON.stringify({ browser, price }),
  });

const SETS = fc.sample(anyEvents, { numRuns: 3, seed: 11 });
const RUNS_PER_SET = 40;
const projects = SETS.map((events) => goldenProject(events.map(rowOf)));

const entity = (id: string | null, browser: string | null) => ({
  id,
  type: "events",
  properties: browser === null ? [] : [{ key: "browser", value: browser }],
});

const asked = (query: NaiveQuery) => ({
  dateRange: { date_from: query.from, date_to: query.to },
  retentionFilter: {
    retentionType: query.type,
    period: query.period,
    totalIntervals: query.intervals,
    targetEntity: entity(query.start, query.startBrowser),
    returningEntity: entity(query.returning, null),
    cumulative: query.cumulative,
    minimumOccurrences: query.minimum,
    timeWindowMode: query.rolling ? "24_hour_windows" : "strict_calendar_dates",
    retentionCustomBrackets: query.brackets === null ? null : [...query.brackets],
  },
  breakdownFilter: query.byBrowser ? { breakdowns: [{ property: "browser", type: "event" }] } : null,
});

/** The result's cells by breakdown, in the form of the definition. */
const tablesOf = (rows: readonly RetentionRow[], cell: (value: RetentionRow["values"][number]) => unknown) => {
  const found = Map.groupBy(rows, ({ breakdown_value: value }) => (value === NULL_VALUE ? "none" : value));
  return new Map([...found].map(([value, own]) => [value, own.map(({ values }) => values.map(cell))] as const));
};

const expectedOf = (events: readonly NaiveEvent[], query: NaiveQuery, cell: (naive: NaiveCell) => unknown) =>
  new Map([...naiveRetention(events, query)].map(([value, table]) => [value, table.map((row) => row.map(cell))] as const));

const compare = async (index: number, query: NaiveQuery, isSum: boolean) => {
  const golden = projects[index];
  if (golden === undefined) throw new Error("the project is not open");
  const { retentionFilter, ...rest } = asked(query);
  const sum = { ...retentionFilter, aggregationType: "sum", aggregationProperty: "price" };
  const context = { timezone: query.timezone, weekStart: query.weekStart };
  const rows = await retentionRows(golden, { ...rest, retentionFilter: isSum ? sum : retentionFilter }, context);
  const tables = tablesOf(rows, ({ count, aggregation_value: total }) => (isSum ? `${count} ${total}` : count));
  const expected = expectedOf(SETS[index] ?? [], query, ({ count, total }) => (isSum ? `${count} ${total}` : count));
  if (!query.byBrowser && expected.size === 0) expected.set(null, tables.get(null)?.map((row) => row.map(() => (isSum ? "0 0" : 0))) ?? []);
  expect(tables).toEqual(expected);
};

it.each(SETS.map((_, index) => index))("a retention counts what its definition counts, over events %i", (index) =>
  fc.assert(
    fc.asyncProperty(anyQuery, (query) => compare(index, query, false)),
    { numRuns: RUNS_PER_SET, seed: 7 + index },
  ),
);

const plain = anyQuery.map((query): NaiveQuery => ({ ...query, minimum: 1, cumulative: false, rolling: false }));

it.each(SETS.map((_, index) => index))("a retention sums what its definition sums, over events %i", (index) =>
  fc.assert(
    fc.asyncProperty(plain, (query) => compare(index, query, true)),
    { numRuns: RUNS_PER_SET / 2, seed: 70 + index },
  ),
);
