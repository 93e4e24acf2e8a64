import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { health } from "../../../functions/health/routes.ts";
import { type OpenData, openData } from "../../../infra/local/stores/open-data.ts";
import { MINUTE_MS } from "../../../lib/core/time.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { type ATenant, aTenant } from "../../support/processes/platform.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";
import { ask } from "../../support/worlds/api-world.ts";

/** Queues, table and store without anybody who drains them. */
let data: OpenData;
let folder = "";
let tenant: ATenant;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stuck-"));
  data = await openData(folder);
  tenant = await aTenant(data.world);
});
afterAll(async () => {
  await data.close();
  await rm(folder, { recursive: true, force: true });
});

const told = async (now: number) => {
  const world = { ...data.world, clock: { now: () => now } };
  return (await ask(health, world, "GET", `/api/projects/${tenant.projectId}/health/`, { key: tenant.personalKey })).json;
};

const store = (project: number, lane: "live" | "historical", now: number, arrivedAt = now) =>
  commitDrain(
    { ...data.world, clock: { now: () => now } },
    { project, lane, rows: [anEventRow({ created_at: BigInt(arrivedAt) * 1_000n })], changes: new Map() },
  );

it("a lane that nobody drains is told of, once no project had an event stored for five minutes", async () => {
  const began = Date.now();
  await store(99, "live", began);
  await data.world.queues.send("live", [{ id: "1", body: "an event" }]);
  const waiting = { name: "live", waiting: 1, in_flight: 0, dead_letters: 0 };
  expect(await told(began + 4 * MINUTE_MS)).toMatchObject({
    status: "ok",
    summary: "Events are on their way into storage, and nothing fails.",
    lanes: [waiting, {}, {}],
  });
  await store(98, "historical", began + 6 * MINUTE_MS);
  expect(await told(began + 6 * MINUTE_MS)).toMatchObject({
    status: "behind",
    summary: expect.stringMatching(/^Live events wait, and none were stored for five minutes: .*live-late/),
    lanes: [waiting, {}, {}],
  });
});

it("events that were stored late are told of while they are the latest, and those that wait for compaction for hours", async () => {
  const began = Date.now() + 20 * MINUTE_MS;
  await store(tenant.projectId, "live", began, began - 12 * MINUTE_MS);
  const storage = { delay_seconds: 720, segments_waiting: 1, deltas_waiting: 1, oldest_waiting_at: expect.any(String) };
  expect(await told(began)).toMatchObject({ status: "behind", summary: expect.stringContaining("took 12 minutes"), storage });
  const [message] = await data.source.receive("live", { max: 1, waitMs: 1_000, visibilityMs: 60_000 });
  await data.source.acknowledge("live", [message?.receipt ?? ""]);
  expect(await told(began + 10 * MINUTE_MS)).toMatchObject({ status: "ok", storage });
  expect(await told(began + 130 * MINUTE_MS)).toMatchObject({ status: "behind", summary: expect.stringContaining("wait to be compacted") });
});
