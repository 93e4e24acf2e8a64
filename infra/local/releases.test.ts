import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GENERATION, NEXT_GENERATION } from "../../lib/core/formats.ts";
import { CATALOGUE_FORMAT } from "../../lib/lake/catalogue.ts";
import { headKey } from "../../lib/lake/head.ts";
import { type ATenant, eventually, tenantDocument, tenantOf } from "../../test/support/processes/platform.ts";
import { type PlatformProcess, startProcess, waitingMessages } from "../../test/support/processes/platform-process.ts";
import { applyDocument } from "../cli/apply/apply.ts";
import { openData } from "./stores/open-data.ts";

let dataDir = "";
let platform: PlatformProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "releases-"));
});
afterEach(async () => {
  await platform?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

/** The platform as a release has it that writes the formats of a generation. */
const start = async (generation: number): Promise<void> => {
  platform = await startProcess(dataDir, 0, { environment: { WRITE_FORMATS: String(generation) } });
};

const aTenant = async (): Promise<ATenant> => {
  const data = await openData(dataDir);
  const tree = await applyDocument(data.world, tenantDocument("acme"));
  await data.close();
  return tenantOf(tree);
};

/** The version in the head of the project's catalogue. */
const catalogueVersion = async ({ projectId }: ATenant): Promise<unknown> => {
  const { world, close } = await openData(dataDir);
  const head = await world.table.get(headKey(projectId), { consistent: true });
  await close();
  return head?.v;
};

const EVENTS = 30;

/** Events for both lanes, which set properties of persons. The platform is killed before it has stored all of them. */
const sendAndEnd = async (tenant: ATenant, round: string): Promise<void> => {
  for (const historical_migration of [false, true]) {
    const batch = Array.from({ length: EVENTS / 2 }, (_, at) => ({
      event: "seen",
      distinct_id: `p${at}`,
      properties: { round, lane: String(historical_migration), at, $set: { round } },
    }));
    const body = JSON.stringify({ api_key: tenant.projectToken, historical_migration, batch });
    expect((await fetch(`${platform?.baseUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  }
  await platform?.kill();
};

const call = async (
  tenant: ATenant,
  path: string,
  body: unknown,
): Promise<readonly [status: number, answer: Readonly<Record<string, unknown>>]> => {
  const reply = await fetch(`${platform?.baseUrl}/api/projects/${tenant.projectId}/endpoints/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tenant.personalKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return [reply.status, Object(await reply.json())];
};

const COUNT = {
  kind: "HogQLQuery",
  query: "SELECT count(), uniq(person_id) FROM events WHERE event = 'seen'",
};

/** All messages are stored, and an endpoint counts so many events; it complains of nothing. */
const expectStored = async (tenant: ATenant, name: string, events: number): Promise<void> => {
  await eventually(async () => {
    expect([...(await waitingMessages(dataDir)).values()]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await call(tenant, `${name}/run/`, { refresh: "force" })).toMatchObject([200, { results: [[events, EVENTS / 2]] }]);
  });
  expect(platform?.said().err).toBe("");
};

test("a release and the next one read what the other has stored and left in the queues, in turns", async () => {
  await start(GENERATION);
  const tenant = await aTenant();
  expect((await call(tenant, "", { name: "before", query: COUNT }))[0]).toBe(201);
  await sendAndEnd(tenant, "first");

  await start(NEXT_GENERATION);
  await expectStored(tenant, "before", EVENTS);
  await eventually(async () => expect(await catalogueVersion(tenant)).toBe(CATALOGUE_FORMAT + 1));
  expect((await call(tenant, "", { name: "after", query: COUNT }))[0]).toBe(201);
  await sendAndEnd(tenant, "second");

  await start(GENERATION);
  await expectStored(tenant, "after", 2 * EVENTS);
  await expectStored(tenant, "before", 2 * EVENTS);
});
