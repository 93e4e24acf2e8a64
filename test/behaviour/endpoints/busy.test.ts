import { expect, it } from "vitest";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { LIMITS } from "../../../lib/auth/rates/throttle.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";
import { oneSlot } from "../../support/worlds/one-slot.ts";

const PATH = "/api/projects/1/endpoints/";

/** Two endpoints of a platform with one slot; the first query is answered at once. */
const twoEndpoints = async () => {
  const { world, ...slot } = oneSlot({ atOnce: 1 });
  const { key } = await aHousehold(world, 1);
  for (const name of ["slow", "other"])
    await ask(endpoints, world, "POST", PATH, { key, body: { name, query: sqlQuery("SELECT 1 AS one") } });
  const run = (name: string, refresh = "cache") => ask(endpointRuns, world, "POST", `${PATH}${name}/run/`, { key, body: { refresh } });
  return { ...slot, run, logs: () => ask(endpoints, world, "GET", `${PATH}other/logs/`, { key }) };
};

it("429: a live run that gets no slot is told to come again in a second, and a kept result needs none", async () => {
  const { run, letGo, isHeld, logs } = await twoEndpoints();
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
  const { run, letGo, isHeld, breakEngine } = await twoEndpoints();
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
