import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context, SQSEvent } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ingestHistorical, ingestLive } from "../../../functions/ingest/consumers.ts";
import { jobs } from "../../../functions/jobs/consumer.ts";
import { sweeping } from "../../../functions/sweep/schedule.ts";

/** The bodies of what was asked of the queues. */
const asked: string[] = [];
const queues = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => {
    body += String(part);
  });
  request.on("end", () => {
    asked.push(body);
    response.setHeader("content-type", "application/x-amz-json-1.0");
    response.end(JSON.stringify({ Successful: [{ Id: "0" }], Failed: [] }));
  });
});

beforeAll(async () => {
  queues.listen(0, "127.0.0.1");
  await once(queues, "listening");
  const url = `http://127.0.0.1:${(queues.address() as AddressInfo).port}`;
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL_SQS: url,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
    TABLE_NAME: "table",
    BUCKET_NAME: "bucket",
    LIVE_QUEUE_URL: `${url}/1/live`,
    HISTORICAL_QUEUE_URL: `${url}/1/historical`,
    JOBS_QUEUE_URL: `${url}/1/jobs`,
  }))
    vi.stubEnv(name, value);
});
afterAll(async () => {
  // What the functions began to open when they were loaded is open by then: it reads the environment.
  await Promise.all([import("../../../lib/aws/parts/aws-table.ts"), import("../../../lib/aws/aws-queues.ts")]);
  await new Promise(setImmediate);
  vi.unstubAllEnvs();
  queues.close();
  queues.closeAllConnections();
});

const anUnreadableMessage = (attempts: number): SQSEvent => ({
  Records: [
    {
      messageId: "m",
      receiptHandle: "receipt",
      body: "{",
      attributes: { ApproximateReceiveCount: String(attempts), SentTimestamp: "0", SenderId: "", ApproximateFirstReceiveTimestamp: "0" },
      messageAttributes: {},
      md5OfBody: "",
      eventSource: "aws:sqs",
      eventSourceARN: "",
      awsRegion: "eu-central-1",
    },
  ],
});

describe("the deployed function", () => {
  it.each([
    // Each begins to open its world when it is loaded, as the environment says.
    ["live", () => import("../../../functions/ingest/live-handler.ts")],
    ["historical", () => import("../../../functions/ingest/historical-handler.ts")],
    ["jobs", () => import("../../../functions/jobs/handler.ts")],
  ] as const)("of the queue %s puts off in its own queue what failed", async (queue, load) => {
    asked.length = 0;
    const { handler } = await load();
    const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
    const answer = await handler(anUnreadableMessage(2), context);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "m" }] });
    expect(asked.map((body) => Object(JSON.parse(body)).QueueUrl)).toEqual([expect.stringMatching(`/1/${queue}$`)]);
  });

  it("has the name and the queue that it is deployed by", () => {
    expect([ingestLive, ingestHistorical, jobs].map(({ name, queue }) => [name, queue])).toEqual([
      ["ingest-live", "live"],
      ["ingest-historical", "historical"],
      ["jobs", "jobs"],
    ]);
    expect([sweeping.name, sweeping.every]).toEqual(["sweep", "1 minute"]);
  });
});
