import { expect, it } from "vitest";
import { query } from "../../../functions/query/routes.ts";
import { LIMITS } from "../../../lib/auth/rates/throttle.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { aHousehold, apiWorld, ask, NOON } from "../../support/worlds/api-world.ts";

const PATH = "/api/projects/1/query/";
const body = { query: { kind: "HogQLQuery", query: "SELECT 1" } };

it("429: a query that gets none of the project's slots is told to come again in a second", async () => {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((done) => {
    letGo = done;
  });
  let began = false;
  const engine: Pick<Engine, "run"> = {
    async run(_query, _pinned, { admitted }) {
      await admitted;
      began = true;
      await gate;
      return { rows: [[1]], cost: { engineMs: 1, fetchedBytes: 0, neededBytes: 0 } };
    },
  };
  let now = NOON;
  const clock = {
    now: () => {
      now += 100;
      return now;
    },
  };
  const config = readConfig((field) => (field === "concurrentRuns" ? "1" : undefined));
  const { world } = apiWorld({ objects: memoryObjects(), config, clock, engine: { ...engine } as Engine });
  const { key } = await aHousehold(world, 1);
  const first = ask(query, world, "POST", PATH, { key, body });
  while (!began) await new Promise((done) => setImmediate(done));
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
