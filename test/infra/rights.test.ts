import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { capture } from "../../functions/capture/group.ts";
import { groups, invocables } from "../../functions/index.ts";
import { ingestLive } from "../../functions/ingest/consumers.ts";
import { asFunction, withinRights } from "../../infra/local/function-rights.ts";
import { markTypes, readMarks } from "../../lib/lake/property-types/type-marks.ts";
import { importing, START, sleepy } from "../bench/cost/loads.ts";
import { meteredPlatform, ORGANIZATION, tokenOf } from "../bench/cost/platform.ts";
import { memoryTable } from "../simulation/ports/table.ts";

const NOTHING = {};
/** What compaction replaced is deleted after a day. */
const RETIRED_HOURS = 26;

it("lets the functions do all that an import needs, from the request to the last clean-up", async () => {
  const { amounts } = await importing(NOTHING, 4_000, RETIRED_HOURS);
  expect(amounts.objectWrites).toBeGreaterThan(10);
});

it("lets the functions do all that live events need, over the hours", async () => {
  const { amounts } = await sleepy(NOTHING, { projects: 2, hours: 2, standsFor: 2 });
  expect(amounts.tableWrites).toBeGreaterThan(100);
});

it("lets ingest keep the accounts of any project, and change nothing else of it", async () => {
  const table = withinRights(memoryTable());
  const account = { pk: "project#7#accounts", sk: "account#1" };
  await asFunction(ingestLive, async () => {
    await table.put(account);
    await expect(table.transact([{ kind: "remove", key: account }])).rejects.toThrow("ingest-live may not remove project#7#accounts");
    for (const pk of ["project#7", "project#7#accounts#1", "organization#project#7#accounts"])
      await expect(table.put({ pk, sk: "a" })).rejects.toThrow(`may not write ${pk}`);
  });
});

it("lets a function read nothing but what it declares, over the indexes as well", async () => {
  const table = withinRights(memoryTable());
  const key = { pk: "key#1", sk: "key" };
  await asFunction(capture, async () => {
    expect(await table.get({ pk: "token#1", sk: "token" })).toBeUndefined();
    await expect(table.get(key)).rejects.toThrow("capture may not read key#1");
    await expect(table.getMany([{ pk: "token#1", sk: "token" }, key])).rejects.toThrow("capture may not read key#1");
    expect((await table.query({ pk: "token#1" })).items).toEqual([]);
    await expect(table.query({ index: "gsi1", pk: "token#1" })).rejects.toThrow("capture may not list token#1");
  });
  expect(await table.get(key)).toBeUndefined();
});

const asking = [...groups, ...invocables].filter(({ uses }) => uses.engine);

it.each(asking.map((each) => [each.name, each] as const))("lets %s mark the properties that its queries ask for", async (_name, each) => {
  const table = withinRights(memoryTable());
  await asFunction(each, () => markTypes(table, 7, ["event:price"], 0));
  expect(await asFunction(ingestLive, () => readMarks(table, 7))).toEqual(new Map([["event:price", 0]]));
});

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

it("lets the workers do every job of described projects, until all of them are removed", async () => {
  const platform = await meteredPlatform(START, 2, { PUBLISH: "iceberg" });
  const send = async (project: number, month: number): Promise<void> => {
    const batch = Array.from({ length: 20 }, (_, at) => ({
      event: at % 5 === 0 ? "$identify" : "view",
      distinct_id: `user-${at % 7}`,
      timestamp: new Date(START - (month * 30 + 3) * DAY_MS + at).toISOString(),
      properties: at % 5 === 0 ? { $set: { plan: "free" } } : {},
    }));
    await platform.capture(project, gzipSync(JSON.stringify({ api_key: tokenOf(project), historical_migration: true, batch })));
  };
  for (const month of [0, 1, 2]) for (const project of [1, 2]) await send(project, month);
  await platform.pass(2 * HOUR_MS);
  const saved = {
    name: "views",
    query: { kind: "HogQLQuery", query: "SELECT event, count() AS n FROM events GROUP BY event" },
    is_materialized: true,
  };
  expect(await platform.ask("endpoints", "POST", "/api/projects/1/endpoints/", saved)).toBe(201);
  await platform.pass(MINUTE_MS);
  expect(platform.keys("tables/")).toHaveLength(1);
  // Each usage of the whole project makes a new roll-up of each month; those before it are deleted once nobody reads them any more.
  for (let round = 0; round < 3; round += 1) {
    await send(1, 0);
    await platform.pass(2 * HOUR_MS);
    await platform.deliver("jobs", { v: 1, kind: "usage", project: 1 });
    await platform.pass(24 * HOUR_MS);
  }
  expect(platform.keys("usage/").length).toBeLessThanOrEqual(6);
  for (const kind of ["audit", "usage"]) await platform.deliver("jobs", { v: 1, kind, project: 1 });
  await platform.deliver("jobs", { v: 1, kind: "fold", project: 1, upTo: "~" });
  for (const table of ["events", "persons"]) expect(platform.keys(`iceberg/project=1/${table}/metadata/`)).not.toEqual([]);
  await platform.pass(HOUR_MS);
  expect(await platform.ask("organizations", "DELETE", `/api/organizations/${ORGANIZATION}/`)).toBe(204);
  await platform.pass(26 * HOUR_MS);
  expect(platform.keys("").filter((key) => !/^(usage|messages|results)\//.test(key))).toEqual([]);
  await platform.close();
});
