import { expect, it } from "vitest";
import { query } from "../../../functions/query/routes.ts";
import { LIMITS } from "../../../lib/auth/rates/throttle.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";
import { oneSlot } from "../../support/worlds/one-slot.ts";

const PATH = "/api/projects/1/query/";
const body = { query: { kind: "HogQLQuery", query: "SELECT 1" } };

it("429: a query that gets none of the project's slots is told to come again in a second", async () => {
  const { world, letGo, isHeld } = oneSlot();
  const { key } = await aHousehold(world, 1);
  const first = ask(query, world, "POST", PATH, { key, body });
  await isHeld();
  const refused = await ask(query, world, "POST", PATH, { key, body });
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1" }, json: { type: "throttled_error", code: "throttled" } });
  letGo();
  expect(await first).toMatchObject({ status: 200, json: { results: [[1]] } });
});

it("429: a key's queries are counted at the rate of queries", async () => {
  const { world } = apiWorld({ objects: memoryObjects() });
  const { key } = await aHousehold(world, 1);
  const call = () => ask(query, world, "POST", PATH, { key, body: { query: { kind: "HogQLQuery", query: "" } } });
  for (let sent = 0; sent < LIMITS.query.perMinute; sent += 1) expect((await call()).status).toBe(400);
  expect(await call()).toMatchObject({ status: 429, json: { type: "throttled_error" } });
});
