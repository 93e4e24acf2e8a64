import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../../infra/local/platform.ts";
import type { EngineName } from "../../../lib/engine/engine.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import { readParquet } from "../../../lib/lake/parquet.ts";
import { tableKey } from "../../../lib/lake/paths.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";

let dataDir: string;
let platform: Platform;
let api: ApiClient;

const ENDPOINTS = "/api/projects/1/endpoints/";

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "clickhouse-platform-"));
  platform = await startPlatform({ host: "127.0.0.1", port: 0, dataDir, empty: false, clickhouse: true });
  api = apiClient(platform.baseUrl, platform.credentials.personal_api_key ?? "");
});

afterAll(async () => {
  await platform.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const run = async (name: string, body: object = { refresh: "force" }) => {
  const { status, headers, body: answer } = await api.post(`${ENDPOINTS}${name}/run/`, body);
  return { status, path: headers.get("x-run-path"), rows: Object(answer).results };
};

it.each(["events-by-day", "pageviews-by-browser", "weekly-retention"])(
  "%s has the same rows from either engine, and says which it was",
  async (name) => {
    const own = await run(name);
    expect([own.status, own.path]).toEqual([200, "live"]);
    expect(own.rows.length).toBeGreaterThan(0);
    expect((await api.patch(`${ENDPOINTS}${name}/`, { engine: "clickhouse" })).status).toBe(200);
    expect(await run(name)).toEqual({ ...own, path: "live; engine=clickhouse" });
  },
);

it("a table that ClickHouse writes is read as one of the own engine's", async () => {
  const variables = { event_name: "$pageview" };
  const live = await run("events-by-day", { refresh: "force", variables });
  expect([live.status, live.rows.length > 0]).toEqual([200, true]);
  expect((await api.patch(`${ENDPOINTS}events-by-day/`, { engine: "clickhouse", is_materialized: true })).status).toBe(200);
  const status = async () => Object((await api.get(`${ENDPOINTS}events-by-day/`)).body).materialization.status;
  await expect.poll(status, { timeout: 60_000 }).toBe("Completed");
  expect(await run("events-by-day", { variables })).toEqual({ ...live, path: "materialised" });
});

it("both engines write the same table, and say which of them did", async () => {
  const { world } = platform;
  const options = { project: 1, timezone: "UTC", now: Date.now(), variables: {}, page: null } as const;
  const { lowered } = lower(await parse("SELECT event, count() AS n, max(timestamp) AS last FROM events GROUP BY event", 1), options);
  const pinned = await pin(world, 1, null, { events: true, state: false });
  const written = async (wanted: EngineName) => {
    const key = tableKey(1, "lane", wanted);
    const { rows, engine: by } = await world.engine.write(lowered, pinned, { timeMs: 60_000, engine: wanted }, key);
    const content = await readParquet((await world.objects.get(key)) ?? new Uint8Array());
    return { by, rows, content: content.toSorted((a, b) => (String(a.c1) < String(b.c1) ? -1 : 1)) };
  };
  const own = await written("embedded");
  expect([own.by, own.rows > 0]).toEqual(["embedded", true]);
  expect(await written("clickhouse")).toEqual({ ...own, by: "clickhouse" });
});
