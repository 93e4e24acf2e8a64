import { beforeAll, expect, it } from "vitest";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { openSegments } from "../../../lib/aws/segments.ts";
import { commitDrain } from "../../../lib/lake/intake/commit.ts";
import type { World } from "../../../lib/world/world.ts";
import { aHousehold, apiWorld, aSecretKey, ask } from "../../support/api-world.ts";
import { anEngine } from "../../support/engine.ts";
import { anEventRow } from "../../support/event-rows.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { rounds } from "../../support/rounds.ts";
import { sqlQuery } from "../../support/saved-query.ts";

const PATH = "/api/projects/1/endpoints/";
const made = rounds();
const objects = memoryObjects();
const engine = anEngine(made.counting(objects));
const { world: quick, time } = apiWorld({ objects });
let world: World;
const keys = { personal: "", secret: "" };

const arrive = async (number: number): Promise<void> => {
  const row = anEventRow({ uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(number).padStart(12, "0")}`, person_mode: "propertyless" });
  const parts = { table: quick.table, objects, clock: quick.clock, ids: quick.ids, rowFiles: openSegments, segments: openSegments };
  await commitDrain(parts, { project: 1, lane: "live", rows: [row], changes: new Map() });
};

beforeAll(async () => {
  const { key, project } = await aHousehold(quick, 1);
  keys.personal = key;
  keys.secret = await aSecretKey(quick, project, ["endpoint:read"]);
  world = { ...quick, clock: quick.clock, table: made.counting(quick.table), objects: made.counting(objects), engine: engine() };
  await arrive(1);
  const query = sqlQuery("SELECT count(), {variables.a} FROM events WHERE event = '$pageview'", { a: "" });
  expect(await ask(endpoints, quick, "POST", PATH, { key, body: { name: "counted", query } })).toMatchObject({ status: 201 });
  time.now += 60_000;
});

const run = async (key: string, body: object) => {
  const reply = await ask(endpointRuns, world, "POST", `${PATH}counted/run/`, { key, body });
  expect(reply.status).toBe(200);
  return { path: reply.headers["x-run-path"], rows: reply.json, rounds: made.take() };
};

/** A run of this process that was not its first: it knows the key, the project, the version and the last head. */
const warm = async (): Promise<void> => {
  for (const key of [keys.personal, keys.secret]) await run(key, { refresh: "force" });
};

it.each(["personal", "secret"] as const)(
  "a live run with a %s key makes at most 4 rounds of calls, also over an event that has just come",
  async (kind) => {
    await warm();
    await arrive(kind === "personal" ? 2 : 3);
    const fresh = await run(keys[kind], { variables: { a: `new for ${kind}` } });
    expect(fresh).toMatchObject({ path: "live" });
    expect(fresh.rounds).toBeLessThanOrEqual(4);
    expect((await run(keys[kind], { refresh: "force" })).rounds).toBeLessThanOrEqual(4);
  },
);

it.each(["personal", "secret"] as const)("a kept result with a %s key is 2 rounds of calls away", async (kind) => {
  await warm();
  const kept = await run(keys[kind], {});
  expect(kept).toMatchObject({ path: "kept" });
  expect(kept.rounds).toBeLessThanOrEqual(2);
});

it("an endpoint is retrieved in 2 rounds of calls", async () => {
  await warm();
  expect(await ask(endpoints, world, "GET", `${PATH}counted/`, { key: keys.personal })).toMatchObject({ status: 200 });
  expect(made.take()).toBeLessThanOrEqual(2);
});
