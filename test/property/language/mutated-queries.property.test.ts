import fc from "fast-check";
import { expect, it } from "vitest";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";

const RUNS = 60;
const TEXTS = [
  "SELECT event, count() AS n FROM events WHERE event = {variables.e} GROUP BY event ORDER BY n DESC LIMIT 10",
  "WITH a AS (SELECT person.properties.email AS x FROM events) SELECT arrayMap(y -> y || '!', groupArray(x)) FROM a",
  "SELECT toStartOfDay(timestamp) AS day, uniq(distinct_id) OVER (PARTITION BY event) FROM events JOIN persons ON person_id = persons.id",
  "SELECT CASE WHEN properties.`a b`['c'] IN (1, 'x', null) THEN CAST(1 AS Float) ELSE -1.5e3 END, {filters} FROM events",
];
const PIECES = [
  "(",
  ")",
  "'",
  "`",
  '"',
  "{",
  "}",
  ",",
  "*",
  "--",
  "/*",
  "$1",
  "\u0000",
  "NULL",
  "SELECT",
  "FROM",
  "OVER w",
  "999999999999999999999",
  "💥",
  ";",
];

const mutated = fc
  .tuple(fc.constantFrom(...TEXTS), fc.array(fc.tuple(fc.nat(200), fc.nat(6), fc.constantFrom(...PIECES)), { maxLength: 3 }))
  .map(([text, cuts]) => cuts.reduce((now, [at, size, piece]) => now.slice(0, at) + piece + now.slice(at + size), text));

it("every mutated query and every body is saved or refused, never a fault", async () => {
  const { world } = apiWorld({ config: readConfig((field) => (field === "throttleScale" ? "100000" : undefined)) });
  const { key } = await aHousehold(world, 1);
  const query = fc.oneof(
    { weight: 3, arbitrary: mutated.map((text) => sqlQuery(text, { e: "x" })) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  const body = fc.oneof(
    { weight: 3, arbitrary: fc.record({ name: fc.constantFrom("a", "b"), query }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(["POST", ""], ["PATCH", "a/"]), body, async ([method = "", name = ""], sent) => {
      const reply = await ask(endpoints, world, method, `/api/projects/1/endpoints/${name}`, { key, body: JSON.stringify(sent) });
      expect(reply.status).toBeLessThan(500);
    }),
    { numRuns: RUNS },
  );
});
