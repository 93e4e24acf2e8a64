import { expect, it } from "vitest";
import { endpoints } from "../../functions/endpoints/routes.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask } from "../support/worlds/api-world.ts";

const LONG = `SELECT ${Array.from({ length: 40 }, (_, at) => `concat(event, '${at}')`).join(", ")} FROM events`;
const LONG_ONES = 8;
const INSIGHT = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "a", math: "hogql", math_hogql: "max(1)" }] };

it.each([
  ["a query", sqlQuery("SELECT 1")],
  ["an insight with an expression", INSIGHT],
])("%s that is saved waits for a turn of another project's texts, and not for all of them", async (_, short) => {
  const { world } = apiWorld();
  const [busy, other] = [(await aHousehold(world, 1)).key, (await aHousehold(world, 2)).key];
  const answered: string[] = [];
  const save = async (project: number, key: string, name: string, query: unknown): Promise<void> => {
    const { status } = await ask(endpoints, world, "POST", `/api/projects/${project}/endpoints/`, { key, body: { name, query } });
    expect(status).toBe(201);
    answered.push(name);
  };
  const long = Array.from({ length: LONG_ONES }, (_, at) => save(1, busy, `long-${at}`, sqlQuery(LONG)));
  // Once one of them is answered, all of them were heard.
  await Promise.any(long);
  const before = answered.length;
  await save(2, other, "short", short);
  // One was being parsed, and one before that was being checked and stored.
  expect(answered.indexOf("short") - before).toBeLessThanOrEqual(2);
  await Promise.all(long);
});
