import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { run } from "../../infra/cli/run.ts";
import { commitDrain } from "../../lib/lake/commit.ts";
import { type ApiClient, apiClient } from "../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../support/processes/platform.ts";
import { anEventRow } from "../support/samples/event-rows.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let base = "";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  base = `/api/projects/${tenant.projectId}/endpoints/`;
  await api.post(base, {
    name: "persons",
    query: sqlQuery("SELECT id, properties FROM persons WHERE properties.who = {variables.who}", { who: "" }),
  });
  await api.post(base, { name: "groups", query: sqlQuery("SELECT key, properties FROM groups") });
});

const MOST_PROPERTIES = 1_000;
const MOST_BYTES = 512 * 1024;
const REQUESTS = 30;
const SETTLED = { everyMs: 250 };

/** 200 names that nothing had before, in 380 KB. */
const newNames = (request: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`r${request}_${at}`, "x".repeat(1_900)]));

const send = async (event: object): Promise<void> => {
  const answer = await fetch(`${platform().ingestUrl}/batch/`, {
    method: "POST",
    body: JSON.stringify({ api_key: tenant.projectToken, batch: [{ distinct_id: "victim", ...event }] }),
  });
  expect(answer.status).toBe(200);
};

const Answer = z.object({ results: z.array(z.tuple([z.string(), z.string()])) });

/** The properties of the only row that an endpoint shows. */
const shown = async (name: string, who?: string): Promise<{ readonly bytes: number; readonly properties: Record<string, unknown> }> => {
  const { status, body } = await api.post(`${base}${name}/run/`, { refresh: "force", ...(who !== undefined && { variables: { who } }) });
  expect(status).toBe(200);
  const [[, text], ...others] = z
    .tuple([z.tuple([z.string(), z.string()])])
    .rest(z.unknown())
    .parse(Answer.parse(body).results);
  expect(others).toEqual([]);
  return { bytes: Buffer.byteLength(text), properties: z.record(z.string(), z.unknown()).parse(JSON.parse(text)) };
};

const within = ({ bytes, properties }: Awaited<ReturnType<typeof shown>>): void => {
  expect(Object.keys(properties).length).toBeLessThanOrEqual(MOST_PROPERTIES);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
};

const Usage = z.object({ dropped_properties: z.int(), waiting: z.array(z.unknown()) });
const usage = async () =>
  Usage.parse(JSON.parse(await run(["usage", "--project", String(tenant.projectId), "--json", "--data-dir", platform().dataDir], {})));

describe("whoever has a project's public token", () => {
  it("makes no person and no group that grows without bound, and the operator sees what was dropped", async () => {
    for (let request = 0; request < REQUESTS; request += 1) {
      const $set = newNames(request);
      await send({ event: "$set", properties: { $set: { who: "victim", ...$set } } });
      await send({ event: "$groupidentify", properties: { $group_type: "company", $group_key: "acme", $group_set: $set } });
    }
    await eventually(async () => {
      const [person, group] = [await shown("persons", "victim"), await shown("groups")];
      for (const each of [person, group]) {
        within(each);
        expect(Object.keys(each.properties).some((name) => name.startsWith(`r${REQUESTS - 1}_`))).toBe(true);
      }
    }, SETTLED);
    await eventually(async () => {
      const { dropped_properties, waiting } = await usage();
      expect(waiting).toEqual([]);
      expect(dropped_properties).toBeGreaterThan(REQUESTS * 200);
    }, SETTLED);
    within(await shown("persons", "victim"));
  });
});

describe("names beyond those that one event may change", () => {
  it("are counted as dropped, of persons and of groups", async () => {
    const before = (await usage()).dropped_properties;
    const tooMany = Object.fromEntries(Array.from({ length: 230 }, (_, at) => [`m${at}`, at]));
    await send({ event: "$set", distinct_id: "many", properties: { $set: tooMany } });
    await send({ event: "$groupidentify", properties: { $group_type: "company", $group_key: "many", $group_set: tooMany } });
    await eventually(async () => {
      const { dropped_properties, waiting } = await usage();
      expect(waiting).toEqual([]);
      expect(dropped_properties).toBeGreaterThanOrEqual(before + 60);
    }, SETTLED);
  });
});

describe("a person that is too large already", () => {
  it("is mended by the next fold, and shown within its bounds before", async () => {
    const { table, objects, clock, ids, segments } = platform().world;
    const now = BigInt(clock.now()) * 1_000n;
    const row = anEventRow({ distinct_id: "giant", timestamp: now, created_at: now });
    const set = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`old${at}`, at]));
    const changes = new Map([[row, { person: { merge: null, set, setOnce: null, unset: null }, group: null }]]);
    await commitDrain({ table, objects, clock, ids, segments }, { project: tenant.projectId, lane: "live", rows: [row], changes });
    await send({ event: "$set", distinct_id: "giant", properties: { $set: { who: "giant" } } });
    await eventually(async () => {
      within(await shown("persons", "giant"));
      expect((await usage()).waiting).toEqual([]);
    }, SETTLED);
    const { properties } = await shown("persons", "giant");
    expect(Object.keys(properties)).toHaveLength(MOST_PROPERTIES);
    expect(properties).toHaveProperty("who", "giant");
  });
});
