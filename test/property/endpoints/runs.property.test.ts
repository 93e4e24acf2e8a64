import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";

const RUNS = 250;
/** Twice what vitest gives a test: the engine takes a moment to load. */
const BUDGET_MS = 60_000;

const PATH = "/api/projects/1/endpoints/";
const objects = memoryObjects();
const engine = anEngine(objects);

const setup = async () => {
  const { world } = apiWorld({
    objects,
    engine: engine(),
    config: readConfig((field) => (field === "throttleScale" ? "100000" : undefined)),
  });
  const { key } = await aHousehold(world, 1);
  for (const [name, text] of Object.entries(TEXTS)) {
    const saved = await ask(endpoints, world, "POST", PATH, { key, body: { name, query: sqlQuery(text, DEFAULTS) } });
    expect([name, saved.status, saved.json]).toEqual([name, 201, saved.json]);
  }
  return (name: string, body: string) => ask(endpointRuns, world, "POST", `${PATH}${name}/run/`, { key, body });
};

const DEFAULTS = { a: "x", b: 1 };

/** Variables in every place that takes one. */
const TEXTS = {
  values: "SELECT {variables.a} AS a, toString({variables.b}) AS b, [{variables.a}] AS c",
  filter: "SELECT count() FROM events WHERE event = {variables.a} AND distinct_id IN {variables.b}",
  times: "SELECT event FROM events WHERE timestamp >= {variables.a} AND timestamp < toDateTime({variables.b}) LIMIT 10",
  properties:
    "SELECT properties.x AS x, count() FROM events WHERE properties.x = {variables.a} OR toFloat(properties.y) > {variables.b} GROUP BY x ORDER BY x",
  persons: "SELECT id FROM persons WHERE properties.email ILIKE {variables.a} AND id = {variables.b}",
  functions:
    "SELECT splitByChar(',', {variables.a}) AS s, coalesce({variables.b}, '') = '' OR has([{variables.a}], {variables.b}) AS h, if({variables.b}, 1, 2) AS i",
  lists: "SELECT arrayMap(x -> x, {variables.a}) AS m, length({variables.b}) AS l, arrayJoin({variables.a}) AS j",
  numbers: "SELECT number + {variables.b} AS n FROM numbers(10) WHERE number < {variables.a} ORDER BY n",
  patterns:
    "SELECT match({variables.a}, {variables.b}), dateAdd('day', {variables.b}, now()), replaceAll({variables.a}, {variables.b}, 'y')",
};

let run: Awaited<ReturnType<typeof setup>>;
beforeAll(async () => {
  run = await setup();
});

const Refusal = z.union([
  z.strictObject({ type: z.string(), code: z.string(), detail: z.string().min(1), attr: z.string().nullable() }),
  z.strictObject({ error: z.string() }),
]);

/** Words that only the engine and its adapters use. */
const INTERNAL = /Binder|Catalog Error|Parser Error|[Dd]uck|scan_\d|read_parquet|node_modules|LINE 1/;

const expectAnswer = async (name: string, body: string): Promise<number> => {
  const { status, json } = await run(name, body);
  const told = `${name} ${body.slice(0, 300)} ${JSON.stringify(json)?.slice(0, 300)}`;
  if (status === 200) z.looseObject({ results: z.array(z.unknown()), columns: z.array(z.string()) }).parse(json);
  else if (status === 404) expect(json, told).toMatchObject({ error: expect.stringContaining("not found"), current_version: 1 });
  else {
    // A body that is too large is refused before anything else is looked at.
    expect([400, 413], told).toContain(status);
    Refusal.parse(json);
    expect(JSON.stringify(json), told).not.toMatch(INTERNAL);
  }
  return status;
};

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    "\ud800",
    "a\udc00b",
    "\u0000",
    "💥",
    "' OR 1=1 --",
    "$1$",
    "@0@",
    "{variables.a}",
    "x".repeat(500_000),
    "(a+)+$",
    "[",
    "%",
  ),
  fc.constantFrom("2026-01-01", "2026-01-01T00:00:00Z", "9999999-99-99", "-1", "1e400", "NaN", "00000000-0000-0000-0000-000000000000"),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e308, 5e-324, 2 ** 53, -(2 ** 63), 2 ** 64, 255, 256),
);
const longList = fc.constantFrom(
  Array.from({ length: 10_000 }, (_, at) => at),
  Array.from({ length: 3_000 }, (_, at) => `id-${at}`),
  Array.from({ length: 100_000 }, () => "x"),
  Array.from({ length: 1_000 }, () => Array.from({ length: 100 }, () => [])),
);
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 3, arbitrary: number },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.array(fc.oneof(text, number, fc.constant(null)), { maxLength: 4 }) },
  { weight: 2, arbitrary: fc.array(number, { maxLength: 4 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: longList },
);

/** Mostly what a field takes, so that runs come as far as the engine. */
const body = fc.record(
  {
    variables: fc.oneof(
      { weight: 20, arbitrary: fc.record({ a: value, b: value }, { requiredKeys: [] }) },
      { weight: 1, arbitrary: value },
    ),
    refresh: fc.oneof({ weight: 20, arbitrary: fc.constantFrom("cache", "force") }, { weight: 1, arbitrary: value }),
    limit: fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 100 }) }, { weight: 1, arbitrary: value }),
    offset: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(undefined, 0, 5, 2 ** 31) }, { weight: 1, arbitrary: value }),
    version: fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: value }),
    debug: fc.oneof({ weight: 20, arbitrary: fc.boolean() }, { weight: 1, arbitrary: value }),
  },
  { requiredKeys: ["variables"] },
);

it(
  "every run is answered with rows or with a refusal of the contract, whatever its body",
  async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(TEXTS)),
        fc.oneof({ weight: 20, arbitrary: body }, { weight: 1, arbitrary: fc.jsonValue() }),
        async (name, sent) => {
          if ((await expectAnswer(name, JSON.stringify(sent))) === 200) answered += 1;
        },
      ),
      { numRuns: RUNS },
    );
    // Were all refused before the engine, this would show little.
    expect(answered).toBeGreaterThan(RUNS / 25);
    expect(await run("values", "{}")).toMatchObject({ status: 200, json: { results: [["x", "1", ["x"]]] } });
  },
  BUDGET_MS,
);

it("a list is taken up to its bound, and refused by the variables' name beyond it", async () => {
  const ids = (count: number): string =>
    JSON.stringify({ refresh: "force", variables: { b: Array.from({ length: count }, (_, at) => `id-${at}`) } });
  expect(await run("filter", ids(10_000))).toMatchObject({ status: 200 });
  expect(await run("filter", ids(250_000))).toMatchObject({ status: 400, json: { code: "invalid_input", attr: "variables" } });
});
