import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import { FILTER_OPERATORS, FILTER_TYPES } from "../../../lib/insight/filters/property-filter.ts";
import { BREAKDOWN_TYPES, DISPLAYS, INTERVALS, MATHS } from "../../../lib/insight/query.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { deliveryOf } from "../../support/samples/capture-messages.ts";
import { aHousehold, apiWorld, ask, NOON } from "../../support/worlds/api-world.ts";

const RUNS = 120;
/** Twice what vitest gives a test: the engine takes a moment to load. */
const BUDGET_MS = 60_000;
const PATH = "/api/projects/1/endpoints/";
const objects = memoryObjects();
const engine = anEngine(objects);

const VALUES = [
  "Chrome",
  "1",
  2,
  -0.5,
  1e300,
  true,
  null,
  "",
  " a ",
  "2026-11-19",
  "2026-11-19T10:00:00Z",
  "1.2.3",
  "💥",
  [1, "x"],
  { a: 1 },
];

/** Four weeks of events with values of every kind, of people with properties, in groups and sessions. */
const EVENTS = Array.from({ length: 300 }, (_, index) => {
  const value = (step: number) => VALUES[(index * step) % VALUES.length];
  return {
    event: ["seen", "id", "plan"][index % 3],
    distinct_id: `person-${index % 7}`,
    timestamp: new Date(NOON - index * 2 * 3_600_000).toISOString(),
    properties: {
      $browser: value(1),
      plan: value(2),
      "a b": value(4),
      number: index % 5,
      $session_id: `019a5b2c-0000-7000-8000-${String(index % 11).padStart(12, "0")}`,
      $groups: { company: `c${index % 3}` },
      $set: { plan: value(7) },
    },
  };
});

const delivery = () => deliveryOf(EVENTS, { received: `${NOON}000` });

const setup = async () => {
  const config = readConfig((field) => (field === "throttleScale" ? "100000" : undefined));
  const { world } = apiWorld({ objects, engine: engine(), config, segments: openSegments });
  const { key } = await aHousehold(world, 1);
  expect(await ingest([delivery()], world, { remainingMs: () => BUDGET_MS }, "live")).toEqual({ failed: [] });
  let made = 0;
  return {
    async save(query: unknown) {
      made += 1;
      return { name: `i${made}`, reply: await ask(endpoints, world, "POST", PATH, { key, body: { name: `i${made}`, query } }) };
    },
    run: (name: string, body: unknown) => ask(endpointRuns, world, "POST", `${PATH}${name}/run/`, { key, body: JSON.stringify(body) }),
  };
};

let api: Awaited<ReturnType<typeof setup>>;
beforeAll(async () => {
  api = await setup();
});

/** Mostly what is understood, so that most insights come as far as the engine. */
const mostly = <T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: odd });
/** Mostly absent. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const word = mostly(
  fc.constantFrom("$browser", "plan", "a b", "number", "a.b", "'", '"', "`", "$$_posthog_breakdown_null_$$", "{x}", "💥", "id"),
  fc.constantFrom("", "\u0000", "\ud800", "x".repeat(3_000)),
);
const date = mostly(
  fc.constantFrom("-7d", "-24h", "-1mStart", "dStart", "-3w"),
  fc.constantFrom("all", "2026-01-01", "2026-01-01T10:00:00Z", "1969-12-31", "-99999y", "x", ""),
);
const expression = mostly(
  fc.constantFrom("properties.plan", "upper(event)", "toFloat(properties.plan) + 1", "event = 'a' OR person_id IS NULL"),
  fc.constantFrom("count()", "nothing", "count(", "(SELECT 1)", "{variables.x}"),
);
const aggregate = mostly(fc.constantFrom("count()", "uniq(person_id) / count()"), fc.constantFrom("event", "sum(event)", "nothing"));
const scalar = fc.oneof(word, fc.integer({ min: -5, max: 5 }), fc.boolean(), fc.constantFrom("1.2.3", "2026-01-01", "-1d"));
const slot = fc.integer({ min: 0, max: 4 });

const filter = fc.record({
  key: word,
  value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.constant(null)),
  operator: mostly(fc.constantFrom("exact", "is_not", "icontains", "gt", "is_set", undefined), fc.constantFrom(...FILTER_OPERATORS)),
  type: mostly(fc.constantFrom("event", "person", undefined), fc.constantFrom(...FILTER_TYPES)),
  group_type_index: rarely(slot),
});
const filters = rarely(fc.array(filter, { maxLength: 2 }));
const properties = fc.oneof(
  filters,
  rarely(
    fc.record({
      type: fc.constantFrom("AND", "OR"),
      values: fc.array(fc.oneof(filter, fc.record({ type: fc.constant("OR"), values: fc.array(filter, { maxLength: 2 }) })), {
        maxLength: 2,
      }),
    }),
  ),
);
const breakdownFilter = rarely(
  fc.oneof(
    fc.record({
      breakdowns: fc.array(
        fc.record({
          property: word,
          type: mostly(fc.constantFrom("event", "person", undefined), fc.constantFrom(...BREAKDOWN_TYPES)),
          histogram_bin_count: rarely(fc.integer({ min: -1, max: 5 })),
          normalize_url: rarely(fc.boolean()),
          group_type_index: rarely(slot),
        }),
        { maxLength: 3 },
      ),
    }),
    fc.record({
      breakdown: expression,
      breakdown_type: mostly(fc.constantFrom("event", "person", undefined), fc.constantFrom(...BREAKDOWN_TYPES)),
      breakdown_histogram_bin_count: rarely(fc.integer({ min: -1, max: 5 })),
    }),
  ),
);
const shared = {
  dateRange: rarely(fc.record({ date_from: fc.option(date), date_to: rarely(date), explicitDate: rarely(fc.boolean()) })),
  properties,
  breakdownFilter,
  samplingFactor: mostly(fc.constantFrom(undefined, 0.1, 1), fc.constantFrom(0, 2, -1)),
  aggregation_group_type_index: rarely(slot),
};
const trend = fc.record({
  kind: fc.constant("TrendsQuery"),
  series: fc.array(
    fc.record({
      kind: fc.constant("EventsNode"),
      event: fc.constantFrom("seen", "id", null),
      math: fc.option(fc.constantFrom(...MATHS)),
      math_property: word,
      math_hogql: aggregate,
      math_group_type_index: slot,
      math_multiplier: rarely(fc.constantFrom(2, 0, -1)),
      properties: filters,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  interval: rarely(fc.constantFrom(...INTERVALS)),
  compareFilter: rarely(fc.record({ compare: fc.boolean(), compare_to: rarely(date) })),
  trendsFilter: rarely(
    fc.record({
      display: rarely(fc.constantFrom(...DISPLAYS)),
      formula: mostly(fc.constantFrom(undefined, "A", "A/0", "(A)*2-1"), fc.constantFrom("A+", "Z", "A+B", "")),
      smoothingIntervals: rarely(fc.integer({ min: -1, max: 8 })),
    }),
  ),
  ...shared,
});
const entity = fc.record({
  id: fc.option(word),
  type: mostly(fc.constantFrom("events", undefined), fc.constant("actions")),
  properties: filters,
});
const retention = fc.record({
  kind: fc.constant("RetentionQuery"),
  retentionFilter: fc.record({
    retentionType: rarely(fc.constantFrom("retention_recurring", "retention_first_time", "retention_first_ever_occurrence")),
    period: rarely(fc.constantFrom("Hour", "Day", "Week", "Month")),
    totalIntervals: mostly(fc.constantFrom(undefined, 1, 3, 11), fc.constantFrom(-1, 0, 1000)),
    targetEntity: rarely(entity),
    returningEntity: rarely(entity),
    cumulative: rarely(fc.boolean()),
    minimumOccurrences: mostly(fc.constantFrom(undefined, 1, 3), fc.constantFrom(0, -1)),
    retentionCustomBrackets: rarely(fc.array(mostly(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, -1, 1.5)), { maxLength: 3 })),
    timeWindowMode: rarely(fc.constantFrom("strict_calendar_dates", "24_hour_windows")),
    aggregationType: rarely(fc.constantFrom("count", "sum", "avg")),
    aggregationProperty: rarely(word),
  }),
  ...shared,
});

const body = fc.record(
  {
    variables: rarely(
      fc.record({ date_from: fc.oneof(date, scalar), date_to: date, $browser: scalar, plan: scalar }, { requiredKeys: [] }),
    ),
    filters_override: rarely(
      fc.record(
        { date_from: date, properties: fc.array(filter, { maxLength: 1 }), breakdown_filter: breakdownFilter },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

/** Words that only the engine and its adapters use. */
const INTERNAL = /Binder|Catalog Error|Parser Error|[Dd]uck|scan_\d|read_parquet|node_modules|LINE 1|undefined|\[object/;
const Refusal = z.strictObject({ type: z.string(), code: z.string(), detail: z.string().min(1), attr: z.string().nullable() });

it(
  "every insight is saved or refused, and every run of one is answered with rows or a refusal of the contract",
  async () => {
    let [saved, answered] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.oneof(trend, retention), body, async (query, sent) => {
        const { name, reply } = await api.save(query);
        const told = `${JSON.stringify(query)} ${JSON.stringify(sent)}`;
        if (reply.status !== 201) {
          expect(reply.status, told).toBe(400);
          Refusal.parse(reply.json);
          expect(JSON.stringify(reply.json), told).not.toMatch(INTERNAL);
          return;
        }
        saved += 1;
        const { status, json } = await api.run(name, sent);
        if (status === 200) {
          answered += 1;
          z.looseObject({ results: z.array(z.record(z.string(), z.unknown())), hasMore: z.literal(false) }).parse(json);
          return;
        }
        expect(status, told).toBe(400);
        Refusal.parse(json);
        expect(JSON.stringify(json), told).not.toMatch(INTERNAL);
      }),
      { numRuns: RUNS },
    );
    // Were all refused, this would show little.
    expect(saved).toBeGreaterThan(RUNS / 10);
    expect(answered).toBeGreaterThan(RUNS / 20);
  },
  BUDGET_MS,
);
