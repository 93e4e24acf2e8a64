import { expect, it } from "vitest";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";

const PATH = "/api/projects/1/endpoints/";
const FRESH_SECONDS = 900;
const objects = memoryObjects();
const engine = anEngine(objects);

/** A saved query, its runs, the clock they see, and how often the engine was asked. */
const saved = async (query: object) => {
  const asked = { times: 0 };
  const counted: Engine = {
    ...engine(),
    run(...query) {
      asked.times += 1;
      return engine().run(...query);
    },
  };
  const { world, time } = apiWorld({ objects, engine: counted });
  const { key } = await aHousehold(world, 1);
  const body = { name: "fresh", query, data_freshness_seconds: FRESH_SECONDS };
  expect(await ask(endpoints, world, "POST", PATH, { key, body })).toMatchObject({ status: 201 });
  const run = async (refresh: "cache" | "force" = "cache") =>
    (await ask(endpointRuns, world, "POST", `${PATH}fresh/run/`, { key, body: { refresh } })).json;
  const change = (body: object) => ask(endpoints, world, "PATCH", `${PATH}fresh/`, { key, body });
  return { run, change, time, asked };
};

const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

it("a result that is past its freshness is renewed without computing while what it was made of is unchanged", async () => {
  const { run, time, asked } = await saved(sqlQuery("SELECT count() FROM events"));
  expect(await run()).toMatchObject({ results: [[0]], is_cached: false, last_refresh: stamp(time.now) });
  const computed = time.now;
  time.now += (FRESH_SECONDS - 1) * 1000;
  expect(await run()).toMatchObject({ is_cached: true, last_refresh: stamp(computed) });
  time.now += 1000;
  expect(await run()).toMatchObject({ results: [[0]], is_cached: true, last_refresh: stamp(time.now) });
  expect(asked.times).toBe(1);
  expect(await run("force")).toMatchObject({ is_cached: false });
  expect(asked.times).toBe(2);
});

it("a result that was kept before the clock was set back is computed again, as if it were past its freshness", async () => {
  const { run, time, asked } = await saved(sqlQuery("SELECT toUnixTimestamp(now())"));
  time.now += 86_400_000;
  await run();
  time.now -= 1_000;
  expect(await run()).toMatchObject({ is_cached: true });
  time.now -= 3_600_000;
  expect(await run()).toMatchObject({ is_cached: false, last_refresh: stamp(time.now) });
  expect(await run()).toMatchObject({ is_cached: true });
  expect(asked.times).toBe(2);
});

it("a query that asks for the time is computed again", async () => {
  const { run, time, asked } = await saved(sqlQuery("SELECT toDate(now())"));
  await run();
  time.now += FRESH_SECONDS * 1000;
  expect(await run()).toMatchObject({ is_cached: false, last_refresh: stamp(time.now) });
  expect(asked.times).toBe(2);
});

it("an insight of whole days is renewed on the same day, and computed on the next", async () => {
  const trend = { kind: "TrendsQuery", series: [{ kind: "EventsNode" }], dateRange: { date_from: "-2d" } };
  const { run, time, asked } = await saved(trend);
  time.now = Date.UTC(2026, 0, 10, 12);
  expect(await run()).toMatchObject({ results: [{ days: ["2026-01-08", "2026-01-09", "2026-01-10"] }], is_cached: false });
  time.now += FRESH_SECONDS * 1000;
  expect(await run()).toMatchObject({ is_cached: true, last_refresh: stamp(time.now) });
  expect(asked.times).toBe(1);
  time.now += 86_400_000;
  expect(await run()).toMatchObject({ results: [{ days: ["2026-01-09", "2026-01-10", "2026-01-11"] }], is_cached: false });
});

it("within a minute after its version was made, a result is served again only while its inputs are unchanged", async () => {
  const { run, time, asked } = await saved(sqlQuery("SELECT toUnixTimestamp(now())"));
  await run();
  time.now += 59_000;
  expect(await run()).toMatchObject({ is_cached: false });
  time.now += 1_000;
  expect(await run()).toMatchObject({ is_cached: true });
  expect(asked.times).toBe(2);
});

it("a version that was switched off is not run any more, also within the millisecond of the update before", async () => {
  const { run, change } = await saved(sqlQuery("SELECT 1"));
  await change({ version: 1, description: "first" });
  expect(await run()).toMatchObject({ results: [[1]] });
  await change({ version: 1, is_active: false });
  expect(await run()).toMatchObject({ detail: expect.stringContaining("inactive") });
  await change({ version: 1, is_active: true });
  expect(await run()).toMatchObject({ results: [[1]] });
});
