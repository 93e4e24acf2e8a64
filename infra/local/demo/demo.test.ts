import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { eventually } from "../../../test/support/processes/platform.ts";
import { Credentials, readCredentials } from "../credentials.ts";
import { type Platform, startPlatform } from "../platform.ts";
import { DEMO_ENDPOINTS } from "./demo-endpoints.ts";
import { demoEvents } from "./demo-events.ts";

const Answer = z.object({ results: z.array(z.unknown()) });
const Day = z.tuple([z.string(), z.number(), z.number()]);
const Trend = z.object({ breakdown_value: z.tuple([z.string()]), data: z.array(z.number()) });
const Cohort = z.object({ label: z.string(), values: z.array(z.object({ label: z.string(), count: z.number() })) });

const Dashboards = z.object({ results: z.array(z.object({ id: z.string(), tiles: z.array(z.object({ endpoint: z.string() })) })) });

const Listed = z.object({ count: z.number() });

let dataDir = "";
let platform: Platform | undefined;
let foundAtFirst: readonly number[] = [];

const start = (): Promise<Platform> => startPlatform({ port: 0, host: "127.0.0.1", dataDir, empty: false });

const run = async (name: string): Promise<readonly unknown[]> => {
  const { base_url, project_id, personal_api_key } = platform?.credentials ?? {};
  const answer = await fetch(`${base_url}/api/projects/${project_id}/endpoints/${name}/run`, {
    method: "POST",
    headers: { authorization: `Bearer ${personal_api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ refresh: "force" }),
  });
  return Answer.parse(await answer.json()).results;
};

const pageviews = async (): Promise<number> => (await run("events-by-day")).reduce<number>((sum, row) => sum + Day.parse(row)[1], 0);

/** How many endpoints and issues there are as soon as somebody finds the keys. */
const findWithKeys = async (): Promise<readonly number[]> => {
  const { base_url, project_id, personal_api_key } = await eventually(() => Credentials.parse(readCredentials(dataDir)));
  const count = async (list: string) => {
    const answer = await fetch(`${base_url}/api/projects/${project_id}/${list}/`, {
      headers: { authorization: `Bearer ${personal_api_key}` },
    });
    return Listed.parse(await answer.json()).count;
  };
  return Promise.all([count("endpoints"), count("error_tracking/issues")]);
};

const warned: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "demo-"));
  const terminal = vi.spyOn(process.stderr, "write").mockImplementation((line) => warned.push(String(line)) > 0);
  [platform, foundAtFirst] = await Promise.all([start(), findWithKeys()]);
  terminal.mockRestore();
});

afterAll(async () => {
  await platform?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test("the demo's events are the same for the same day, and some ten thousand", () => {
  const anchor = Date.UTC(2026, 10, 20);
  const events = demoEvents(anchor, anchor + 3_600_000);
  expect(demoEvents(anchor, anchor + 3_600_000)).toEqual(events);
  expect(events.length).toBeGreaterThan(9_000);
  expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(events.length);
});

test("whoever waits for the keys finds the example endpoints and the issues", () => {
  expect(foundAtFirst).toEqual([DEMO_ENDPOINTS.length, 3]);
});

test("a first start has nothing to warn of", () => {
  expect(warned).toEqual([]);
});

test("the console signs in as the demo's owner", async () => {
  const { base_url, personal_api_key, user } = platform?.credentials ?? {};
  const offered = await fetch(`${base_url}/local/sign-in/`);
  expect([offered.status, await offered.json()]).toEqual([200, { user: user?.email }]);
  const signedIn = await fetch(`${base_url}/local/sign-in/`, { method: "POST" });
  expect([signedIn.status, await signedIn.json()]).toEqual([200, { personal_api_key }]);
});

test("the dashboard shows the example endpoints, and a restart makes no other", async () => {
  const listed = async () => {
    const { base_url, project_id, personal_api_key } = platform?.credentials ?? {};
    const answer = await fetch(`${base_url}/api/projects/${project_id}/dashboards/`, {
      headers: { authorization: `Bearer ${personal_api_key}` },
    });
    return Dashboards.parse(await answer.json()).results;
  };
  const before = await listed();
  expect(before.map(({ tiles }) => tiles.map(({ endpoint }) => endpoint))).toEqual([DEMO_ENDPOINTS.map(({ name }) => name)]);
  await platform?.stop();
  platform = await start();
  expect(await listed()).toEqual(before);
});

test("the exceptions come from three releases", async () => {
  const { base_url, project_id, personal_api_key } = platform?.credentials ?? {};
  const ask = async (path: string, body?: unknown): Promise<readonly unknown[]> => {
    const answer = await fetch(`${base_url}/api/projects/${project_id}/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${personal_api_key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return Answer.parse(await answer.json()).results;
  };
  expect(z.array(z.object({ version: z.string() })).parse(await ask("error_tracking/releases/"))).toMatchObject([
    { version: "1.6.0" },
    { version: "1.5.0" },
    { version: "1.4.0" },
  ]);
  const query = `SELECT DISTINCT JSONExtractString(properties, '$exception_release', 'version') AS version FROM events
    WHERE event = '$exception' ORDER BY version`;
  expect(await ask("query/", { query: { kind: "HogQLQuery", query } })).toEqual([["1.4.0"], ["1.5.0"], ["1.6.0"]]);
});

test("every example endpoint shows rows, and a restart finds everything as it was", async () => {
  expect(DEMO_ENDPOINTS.map(({ name, query }) => [name, query.kind])).toEqual([
    ["events-by-day", "HogQLQuery"],
    ["pageviews-by-browser", "TrendsQuery"],
    ["weekly-retention", "RetentionQuery"],
  ]);
  const browsers = z.array(Trend).parse(await run("pageviews-by-browser"));
  expect(browsers.map(({ breakdown_value: [browser] }) => browser)).toEqual(["Chrome", "Safari", "Firefox", "Edge"]);
  for (const { data } of browsers) expect([data.length, data.some((count) => count > 0)]).toEqual([31, true]);
  const cohorts = z.array(Cohort).parse(await run("weekly-retention"));
  expect(cohorts.map(({ label }) => label)).toEqual(Array.from({ length: 8 }, (_, week) => `Week ${week}`));
  expect(cohorts[0]?.values[0]?.count).toBeGreaterThan(10);
  expect(cohorts[0]?.values[1]?.count).toBeGreaterThan(0);
  // All of it is there when the start ends, so that what a newcomer's first call keeps is whole.
  const views = await pageviews();
  expect(views).toBeGreaterThan(7_000);
  const first = platform?.credentials;
  await platform?.stop();
  platform = await start();
  expect({ ...platform.credentials, base_url: "", ingest_url: "" }).toEqual({ ...first, base_url: "", ingest_url: "" });
  expect(await pageviews()).toBe(views);
});
