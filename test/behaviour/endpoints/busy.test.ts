import { expect, it } from "vitest";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { LIMITS } from "../../../lib/auth/rates/throttle.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import { QueryError } from "../../../lib/hogql/errors.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask, NOON } from "../../support/worlds/api-world.ts";

const PATH = "/api/projects/1/endpoints/";

/** A platform with one slot, whose queries but the first answer when they are let; its clock is put on by whoever looks at it. */
const oneSlot = async () => {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((done) => {
    letGo = done;
  });
  let began = 0;
  let isBroken = false;
  const engine: Pick<Engine, "run"> = {
    async run(_query, _pinned, { admitted }) {
      if (isBroken) throw new QueryError("query_timeout", "The query took too long.");
      await admitted;
      began += 1;
      if (began > 1) await gate;
      return { engine: "embedded", rows: [[1]], cost: { engineMs: 1, fetchedBytes: 0, neededBytes: 0 } };
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
  for (const name of ["slow", "other"])
    await ask(endpoints, world, "POST", PATH, { key, body: { name, query: sqlQuery("SELECT 1 AS one") } });
  const run = (name: string, refresh = "cache") => ask(endpointRuns, world, "POST", `${PATH}${name}/run/`, { key, body: { refresh } });
  const isHeld = async (): Promise<void> => {
    while (began < 2) await new Promise((done) => setImmediate(done));
  };
  const breakEngine = (): void => {
    isBroken = true;
  };
  return { run, letGo, isHeld, breakEngine, logs: () => ask(endpoints, world, "GET", `${PATH}other/logs/`, { key }) };
};

it("429: a live run that gets no slot is told to come again in a second, and a kept result needs none", async () => {
  const { run, letGo, isHeld, logs } = await oneSlot();
  expect((await run("other")).status).toBe(200);
  const slow = run("slow");
  await isHeld();
  expect(await run("other")).toMatchObject({ status: 200, headers: { "x-run-path": "kept" } });
  const refused = await run("other", "force");
  expect(refused).toMatchObject({ status: 429, json: { type: "throttled_error", code: "throttled" } });
  expect(refused.headers["retry-after"]).toBe("1");
  expect((await logs()).json).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ level: "ERROR", message: expect.stringContaining("error=throttled") })]),
  });
  letGo();
  expect((await slow).status).toBe(200);
  expect((await run("other", "force")).status).toBe(200);
});

it("400: a run that fails while it waits for a slot says why it failed, and leaves no slot taken", async () => {
  const { run, letGo, isHeld, breakEngine } = await oneSlot();
  await run("other");
  const slow = run("slow");
  await isHeld();
  breakEngine();
  expect(await run("other", "force")).toMatchObject({ status: 400, json: { code: "query_timeout" } });
  letGo();
  expect((await slow).status).toBe(200);
  expect(await run("other", "force")).toMatchObject({ status: 400, json: { code: "query_timeout" } });
});

it("429: runs of one key have a rate of their own, which other operations do not use up", async () => {
  const { world } = apiWorld({ objects: memoryObjects() });
  const { key } = await aHousehold(world, 1);
  const statuses = new Set<number>();
  for (let done = 0; done < LIMITS.run.perMinute; done += 1)
    statuses.add((await ask(endpointRuns, world, "POST", `${PATH}nobody/run/`, { key, body: {} })).status);
  expect([...statuses]).toEqual([404]);
  const refused = await ask(endpointRuns, world, "POST", `${PATH}nobody/run/`, { key, body: {} });
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
  expect((await ask(endpoints, world, "GET", PATH, { key })).status).toBe(200);
});
