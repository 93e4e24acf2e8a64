import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PostHog } from "posthog-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { groups } from "../../functions/index.ts";
import { startServer } from "../../infra/local/server.ts";
import { openData } from "../../infra/local/stores/open-data.ts";
import type { Delivery, QueueSource } from "../../lib/ports/queues.ts";
import { type ATenant, eventually, tenantIn } from "../support/processes/platform.ts";
import { type PlatformProcess, startProcess, waitingMessages } from "../support/processes/platform-process.ts";
import { dayOf, history, tally } from "./history.ts";

const IMPORTED = 20_000;
const STEP = 5_000;
const PLAIN_ROWS = 5_000;
const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const EVENTS = history(IMPORTED, TODAY);
const DRAIN_BUDGET_MS = 120_000;

const Answer = z.object({ results: z.array(z.array(z.unknown())), hasMore: z.boolean().optional() });

let dataDir = "";
let platform: PlatformProcess | undefined;
let tenant: ATenant | undefined;

const running = (): PlatformProcess => {
  if (!platform) throw new Error("the platform does not run");
  return platform;
};
const known = (): ATenant => {
  if (!tenant) throw new Error("there is no project yet");
  return tenant;
};

const api = (path: string, body: unknown): Promise<Response> =>
  fetch(`${running().baseUrl}/api/projects/${known().projectId}/endpoints/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${known().personalKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const saveEndpoint = async (name: string, query: string): Promise<void> => {
  const answer = await api("", { name, query: { kind: "HogQLQuery", query } });
  expect([answer.status, await answer.text()]).toEqual([201, expect.anything()]);
};

const run = async (name: string): Promise<readonly (readonly unknown[])[]> => {
  const answer = await api(`${name}/run`, { refresh: "force", limit: 5_000 });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.anything()]);
  return Answer.parse(JSON.parse(text)).results;
};

/** Waits until everything that was sent has been worked in: nothing waits in the two lanes and nothing is under way. */
const drained = (): Promise<void> =>
  eventually(
    async () => {
      const waiting = await waitingMessages(dataDir);
      expect([waiting.get("live"), waiting.get("historical")]).toEqual([0, 0]);
    },
    { budgetMs: DRAIN_BUDGET_MS, everyMs: 100 },
  );

const aClient = (host: string, historicalMigration: boolean): PostHog => {
  const client = new PostHog(known().projectToken, {
    host,
    historicalMigration,
    flushAt: 500,
    maxBatchSize: 500,
    maxQueueSize: 2 * IMPORTED,
    flushInterval: 60_000,
    fetchRetryCount: 3,
    fetchRetryDelay: 200,
  });
  // While the platform is down the client says so; it keeps the events and sends them again.
  client.on("error", () => undefined);
  return client;
};

/** Captures all events and sends them in some steps; `meanwhile` is called with what was captured so far while a step is on its way. */
const importAll = async (client: PostHog, meanwhile: (captured: number) => Promise<void>): Promise<void> => {
  for (let start = 0; start < EVENTS.length; start += STEP) {
    for (const event of EVENTS.slice(start, start + STEP)) client.capture({ ...event });
    const flushing = client.flush().catch(() => undefined);
    await meanwhile(start + STEP);
    await flushing;
  }
  await client.shutdown(DRAIN_BUDGET_MS);
};

const expectedDays = tally(EVENTS.map(({ timestamp }) => dayOf(timestamp)));
const expectedPeople = tally(EVENTS.map(({ distinctId }) => distinctId));

const IMPORT_BY_DAY =
  "SELECT toString(toDate(timestamp)) AS day, count() AS events FROM events WHERE event LIKE 'imported%' GROUP BY day ORDER BY day";
const IMPORT_BY_PERSON =
  "SELECT min(distinct_id) AS person, count() AS events FROM events WHERE event LIKE 'imported%' GROUP BY person_id ORDER BY person";
const LIVE_BY_PERSON =
  "SELECT min(distinct_id) AS first_id, count() AS events, count(DISTINCT distinct_id) AS ids FROM events WHERE event LIKE 'live%' GROUP BY person_id ORDER BY first_id";
const ROWS = "SELECT toString(toDate(timestamp)) AS day, count() AS events FROM events WHERE event = 'row' GROUP BY day ORDER BY day";

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "clients-"));
  platform = await startProcess(dataDir);
  tenant = await tenantIn(dataDir, "clients");
});

afterAll(async () => {
  await platform?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

describe("the posthog-node SDK, unmodified", () => {
  test("imports history through a killed platform, and a saved query counts every event once", async () => {
    await saveEndpoint("import-by-day", IMPORT_BY_DAY);
    await saveEndpoint("import-by-person", IMPORT_BY_PERSON);
    const { port } = running();
    await importAll(aClient(running().baseUrl, true), async (captured) => {
      if (captured !== IMPORTED / 2) return;
      // Killed while the SDK is sending and while what was confirmed waits to be drained.
      await eventually(async () => expect((await waitingMessages(dataDir)).get("historical")).toBeGreaterThan(0), { everyMs: 2 });
      await running().kill();
      platform = await startProcess(dataDir, port);
    });
    await drained();
    expect(await run("import-by-day")).toEqual(expectedDays);
    expect(await run("import-by-person")).toEqual(expectedPeople);
  });

  test("sends live events, identifies, aliases and groups", async () => {
    await saveEndpoint("live-by-person", LIVE_BY_PERSON);
    const client = aClient(running().baseUrl, false);
    for (let place = 0; place < 30; place += 1) {
      client.capture({ distinctId: `visitor-${place % 3}`, event: `live ${place % 2}`, groups: { company: "acme" } });
    }
    client.capture({ distinctId: "visitor-0-at-work", event: "live at work" });
    client.identify({ distinctId: "visitor-0", properties: { email: "zero@example.test" } });
    client.alias({ distinctId: "visitor-0", alias: "visitor-0-at-work" });
    client.groupIdentify({ groupType: "company", groupKey: "acme", properties: { name: "Acme" } });
    await client.shutdown(DRAIN_BUDGET_MS);
    await drained();
    const expected = [
      ["visitor-0", 11, 2],
      ["visitor-1", 10, 1],
      ["visitor-2", 10, 1],
    ];
    await eventually(async () => expect(await run("live-by-person")).toEqual(expected), { everyMs: 500 });
    await saveEndpoint(
      "live-properties",
      "SELECT person.properties.email AS email, group_0.properties.name AS company, count() AS events FROM events WHERE event LIKE 'live%' AND distinct_id = 'visitor-0' GROUP BY email, company",
    );
    expect(await run("live-properties")).toEqual([["zero@example.test", "Acme", 10]]);
  });

  test("sends the same again, each message delivered up to three times, and nothing changes", async () => {
    const { port } = running();
    await running().kill();
    await sendUndrained();
    platform = await startProcess(dataDir, port);
    await drained();
    expect(await run("import-by-day")).toEqual(expectedDays);
    expect(await run("import-by-person")).toEqual(expectedPeople);
  });
});

describe("plain requests to /batch/", () => {
  /** Every tenth row equals the one before it: two equal rows of one request are two events. */
  const rows = Array.from({ length: PLAIN_ROWS }, (_, place) => EVENTS[place % 10 === 9 ? place - 1 : place])
    .filter((event) => event !== undefined)
    .map(({ distinctId, timestamp, properties }) => ({
      event: "row",
      distinct_id: distinctId,
      timestamp: timestamp.toISOString(),
      properties,
    }));

  const send = async (): Promise<void> => {
    for (let start = 0; start < rows.length; start += 1_000) {
      const batch = rows.slice(start, start + 1_000);
      const answer = await fetch(`${running().baseUrl}/batch/`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
        body: gzipSync(JSON.stringify({ api_key: known().projectToken, historical_migration: true, batch })),
      });
      expect([answer.status, await answer.text()]).toEqual([200, '{"status":"Ok"}']);
    }
  };

  test("rows without uuids, imported twice, are there once", async () => {
    await saveEndpoint("rows", ROWS);
    const expected = tally(rows.map(({ timestamp }) => timestamp.slice(0, 10)));
    await send();
    await drained();
    expect(await run("rows")).toEqual(expected);
    await send();
    await drained();
    expect(await run("rows")).toEqual(expected);
  });
});

/** Lets the SDK send the whole import to capture while nothing drains the queue, and the queue deliver it in part, once or twice more. */
const sendUndrained = async (): Promise<void> => {
  const data = await openData(dataDir);
  const server = await startServer(groups, "127.0.0.1", 0);
  server.open(data.world);
  await importAll(aClient(server.origin, true), async () => undefined);
  await server.stop();
  const messages = await receiveAll(data.source);
  expect(messages.length).toBeGreaterThanOrEqual(IMPORTED / 500);
  // A message that is not acknowledged comes again; a copy of it is what another delivery to another batch looks like.
  const copies = messages.flatMap((message, place) =>
    Array.from({ length: place % 3 }, (_, copy) => ({ id: `${place}-${copy}`, body: message.body })),
  );
  expect(await data.world.queues.send("historical", copies)).toEqual([]);
  await data.close();
};

const receiveAll = async (source: QueueSource): Promise<readonly Delivery[]> => {
  const all: Delivery[] = [];
  for (;;) {
    const some = await source.receive("historical", { max: 10, waitMs: 0, visibilityMs: 60_000 });
    if (some.length === 0) return all;
    all.push(...some);
  }
};
