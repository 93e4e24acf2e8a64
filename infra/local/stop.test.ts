import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keyIn } from "../../lib/table/partitions.ts";
import { type ATenant, eventually, tenantDocument, tenantOf } from "../../test/support/processes/platform.ts";
import { type PlatformProcess, startProcess, waitingMessages } from "../../test/support/processes/platform-process.ts";
import { applyDocument } from "../cli/apply/apply.ts";
import { openData } from "./stores/open-data.ts";
import { storeDirectory } from "./stores/queue-and-objects.ts";

let dataDir = "";
let platform: PlatformProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stop-"));
});
afterEach(async () => {
  await platform?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<PlatformProcess> => {
  platform = await startProcess(dataDir);
  return platform;
};

const aTenant = async (): Promise<ATenant> => {
  const data = await openData(dataDir);
  const tree = await applyDocument(data.world, tenantDocument("acme"));
  await data.close();
  return tenantOf(tree);
};

const post = (path: string, key: string, body: unknown): Promise<Response> =>
  fetch(`${platform?.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** A hundred thousand million pairs: it would run until its time is over. */
const ENDLESS =
  "SELECT sum(a.x * b.x) FROM (SELECT arrayJoin(range(100000)) AS x) AS a CROSS JOIN (SELECT arrayJoin(range(1000000)) AS x) AS b";

/** The slots that runs of the project hold. */
const heldSlots = async ({ projectId }: ATenant): Promise<readonly string[]> => {
  const { world, close } = await openData(dataDir);
  const held = await world.table.get(keyIn("project", "liveRuns", { project: projectId }), { consistent: true });
  await close();
  return Object.keys(held ?? {}).filter((name) => name.startsWith("place_"));
};

/** Events for both lanes. */
const sendSome = async (tenant: ATenant, round: number): Promise<void> => {
  const batch = (lane: string) =>
    Array.from({ length: 500 }, (_, at) => ({ event: "seen", distinct_id: `p${at}`, properties: { round, lane, at } }));
  const sent = [false, true].map((historical_migration) =>
    fetch(`${platform?.baseUrl}/batch/`, {
      method: "POST",
      body: JSON.stringify({ api_key: tenant.projectToken, historical_migration, batch: batch(String(historical_migration)) }),
    }),
  );
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
};

/** How often the messages that are left were delivered, by a platform that has ended. */
const leftOver = (): readonly unknown[] => {
  const file = new DatabaseSync(join(storeDirectory(dataDir), "fauxqs.db"), { readOnly: true });
  const rows = file
    .prepare("SELECT queue_name, approximate_receive_count AS times FROM sqs_messages WHERE approximate_receive_count > 0")
    .all();
  file.close();
  return rows;
};

describe("a platform that is stopped", () => {
  test("ends the queries that run, tells who waits for them, and complains of nothing", async () => {
    const { said, stop } = await start();
    const tenant = await aTenant();
    const endpoints = `/api/projects/${tenant.projectId}/endpoints/`;
    const saved = await post(endpoints, tenant.personalKey, { name: "endless", query: { kind: "HogQLQuery", query: ENDLESS } });
    expect(saved.status).toBe(201);
    const running = post(`${endpoints}endless/run/`, tenant.personalKey, { refresh: "force" });
    await eventually(async () => expect(await heldSlots(tenant)).toEqual([expect.stringMatching(/^place_\d$/)]));
    await stop();
    const answer = await running;
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "service_unavailable" }]);
    expect(said().err).toBe("");
  });

  test("six times under load, gives up on nothing, complains of nothing and counts nothing", async () => {
    const tenant = await start().then(aTenant);
    const byItself: (boolean | undefined)[] = [];
    for (let round = 0; round < 6; round += 1) {
      if (round > 0) await start();
      await sendSome(tenant, round);
      byItself.push(await platform?.stop());
      expect([round, platform?.said().err, leftOver()]).toEqual([round, "", []]);
    }
    expect(byItself).toContain(true);
    const { said } = await start();
    await eventually(async () => expect([...(await waitingMessages(dataDir)).values()]).toEqual([0, 0, 0, 0, 0, 0]));
    const { out, err } = said();
    expect([out, err]).toEqual([expect.not.stringContaining("The platform was not stopped"), ""]);
  });
});

describe("a platform that was killed", () => {
  test("is followed by one that says so in a sentence, and complains of nothing", async () => {
    const { kill } = await start();
    await sendSome(await aTenant(), 0);
    await kill();
    const { said } = await start();
    await eventually(() => expect(said().out).toMatch(/^The platform was not shut down properly the last time: .*\.$/m));
    expect(said().err).toBe("");
  });
});
