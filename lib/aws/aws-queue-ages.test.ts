import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { oldestAges } from "../../test/support/aws/metrics.ts";
import { oldestByMetric } from "./aws-queue-ages.ts";

const MINUTE_MS = 60_000;

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
