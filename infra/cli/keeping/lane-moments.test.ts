import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import type { QueueDepth } from "../../../lib/ports/queues.ts";
import { oldestAges } from "../../../test/support/aws/metrics.ts";
import { laneMoment, oldestByMetric } from "./lane-moments.ts";

const NOW = Date.UTC(2026, 10, 28, 12, 0, 30);
const MINUTE_MS = 60_000;
const EMPTY: QueueDepth = { waiting: 0, inFlight: 0, deadLetters: 0 };

const lanes = (live: Partial<QueueDepth>, historical: Partial<QueueDepth>) => ({
  clock: { now: () => NOW },
  queueDepths: {
    read: async (queue: string) => ({ ...EMPTY, ...(queue === "live" ? live : queue === "historical" ? historical : { waiting: 9 }) }),
  },
});

test("lanes that are empty by count were so a minute ago, and jobs and metrics are not asked for", async () => {
  const never = () => Promise.reject(new Error("asked"));
  expect(await laneMoment(lanes({}, { deadLetters: 2 }), never)).toEqual({ before: NOW - MINUTE_MS, isByAge: false, deadLetters: 2 });
});

test("a lane that is not empty is as old as the metric says, and as old as a message can be where it says nothing", async () => {
  const told = async () => new Map([["live", NOW - 5 * MINUTE_MS] as const]);
  expect(await laneMoment(lanes({ inFlight: 1 }, {}), told)).toEqual({ before: NOW - 5 * MINUTE_MS, isByAge: true, deadLetters: 0 });
  expect(await laneMoment(lanes({}, { waiting: 1 }), told)).toMatchObject({ before: NOW - 14 * 24 * 60 * MINUTE_MS, isByAge: true });
});

let server: Server | undefined;
afterEach(() => void server?.close());

test("what the metric says is a bound: no message was sent before it, whenever in its minute that was measured", async () => {
  const sent = Date.now() - 5 * MINUTE_MS;
  server = createServer(async (request, answer) => {
    expect(request.headers["x-amz-target"]).toBe("GraniteServiceVersion20100801.GetMetricData");
    answer.end(oldestAges(await buffer(request), (queue) => (queue === "stage-live" ? sent : undefined)));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server?.once("listening", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const place = { url, region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } };
  const urls = { live: "https://sqs/1/stage-live", historical: "https://sqs/1/stage-historical" };
  const found = await oldestByMetric(place, urls)();
  expect([...found.keys()]).toEqual(["live"]);
  expect(found.get("live")).toBeLessThanOrEqual(sent);
  expect(found.get("live")).toBeGreaterThan(sent - 2 * MINUTE_MS);
});
