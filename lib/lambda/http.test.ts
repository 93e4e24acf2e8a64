import { setImmediate as startEnds } from "node:timers/promises";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { apiWorld } from "../../test/support/worlds/api-world.ts";
import { rawGroup } from "../app/raw-group.ts";
import { group, route } from "../app/routes.ts";
import { anyone } from "../auth/access.ts";
import { parseJsonText } from "../http/input/body.ts";
import { json } from "../http/reply.ts";
import { fromRest } from "../http/request.ts";
import { consumer, retryDelayMs, sqsHandler } from "./consumer.ts";
import { lambda, parseJson } from "./http.ts";
import { schedule, scheduleHandler } from "./schedule.ts";

/** Guarantee: only these fields of a REST event are read. */
const restEvent = (given: Partial<APIGatewayProxyEvent>): APIGatewayProxyEvent =>
  ({
    httpMethod: "POST",
    path: "/api/echo/",
    multiValueHeaders: { "Content-Type": ["application/json"], Host: ["api.example.org"], "X-Forwarded-Proto": ["https"] },
    multiValueQueryStringParameters: null,
    body: '{"name":"é"}',
    isBase64Encoded: false,
    requestContext: { requestId: "r-1", identity: { sourceIp: "192.0.2.1" } },
    ...given,
  }) as APIGatewayProxyEvent;

/** Guarantee: handlers read nothing of the context but the time that is left. */
const context = { getRemainingTimeInMillis: () => 5_000 } as Context;

const echo = group({
  name: "echo",
  gateway: "management",
  uses: {},
  routes: [
    route({
      method: "POST",
      path: "/api/echo/",
      summary: "Echo",
      tags: ["t"],
      access: anyone,
      query: z.object({ q: z.string().optional() }),
      body: z.object({ name: z.string() }),
      reply: json(200, z.object({ name: z.string(), q: z.string().optional() })),
      handle: async ({ body, query }) => ({ ...body, ...query }),
    }),
  ],
});

describe("a deployed group", () => {
  const handle = (event: APIGatewayProxyEvent) => lambda(echo, () => apiWorld().world)(event, context);
  it("answers a REST event, its body as text or base64 alike", async () => {
    const reply = { statusCode: 200, headers: { "content-type": "application/json" }, body: '{"name":"é"}' };
    expect(await handle(restEvent({}))).toEqual(reply);
    expect(await handle(restEvent({ body: Buffer.from('{"name":"é"}').toString("base64"), isBase64Encoded: true }))).toEqual(reply);
  });
  it.each([
    ["/live/api/echo/", "https://api.example.org/live"],
    ["/api/echo/", "https://api.example.org"],
  ])("knows its own address with the stage, where the client's path %s has one", (path, origin) => {
    const { requestContext } = restEvent({});
    expect(fromRest(restEvent({ requestContext: { ...requestContext, path } })).origin).toBe(origin);
  });
  it("takes the last value of a query parameter", async () => {
    const { body } = await handle(restEvent({ multiValueQueryStringParameters: { q: ["a", "b"] } }));
    expect(JSON.parse(body)).toEqual({ name: "é", q: "b" });
  });
  it("answers malformed JSON as the local platform does", async () => {
    const { statusCode, body } = await handle(restEvent({ body: "{" }));
    expect([statusCode, JSON.parse(body).code]).toEqual([400, "parse_error"]);
  });
  it("opens its world once", async () => {
    let opened = 0;
    const handler = lambda(echo, async () => {
      opened += 1;
      return apiWorld().world;
    });
    await Promise.all([handler(restEvent({}), context), handler(restEvent({}), context)]);
    expect(opened).toBe(1);
  });
  it("opens with the first request a world that could not be opened at the start", async () => {
    let opened = 0;
    const handler = lambda(echo, async () => {
      opened += 1;
      if (opened === 1) throw new Error("not yet");
      return apiWorld().world;
    });
    await startEnds();
    expect(await handler(restEvent({}), context)).toMatchObject({ statusCode: 200 });
  });
  it("sends bytes as base64, and a raw group's fault as 500 without a word about it", async () => {
    const bytes = rawGroup({
      name: "raw",
      gateway: "ingest",
      uses: {},
      paths: ["/"],
      bodyBytes: () => 0,
      serve: async () => ({ status: 200, headers: {}, body: new Uint8Array([255]) }),
    });
    expect(await lambda(bytes, () => apiWorld().world)(restEvent({}), context)).toMatchObject({ body: "/w==", isBase64Encoded: true });
    const broken = rawGroup({
      name: "raw",
      gateway: "ingest",
      uses: {},
      paths: ["/"],
      bodyBytes: () => 0,
      serve: () => Promise.reject(new Error("ours")),
    });
    expect(await lambda(broken, () => apiWorld().world)(restEvent({}), context)).toMatchObject({ statusCode: 500, body: "internal error" });
  });
});

it("a REST event's request says scheme, host, path and address as the client used them", () => {
  expect(fromRest(restEvent({}))).toMatchObject({
    id: "r-1",
    method: "POST",
    path: "/api/echo/",
    origin: "https://api.example.org",
    ip: "192.0.2.1",
  });
});

it("the deployed parser and the local one read every text alike", () => {
  const text = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      '{"__proto__":1}',
      '{"constructor":{"prototype":{}}}',
      '{"constructor":1}',
      '{"a":1,"a":2}',
      '{"\\u005f_proto__":1}',
      '{"a":{"c\\u006fnstructor":{"prototype":1}}}',
      "",
      "nul",
      "\u{feff}{}",
    ),
  );
  const outcome = (parse: (text: string) => unknown, from: string) => {
    try {
      return JSON.stringify(parse(from));
    } catch {
      return "refused";
    }
  };
  fc.assert(fc.property(text, (from) => outcome(parseJson, from) === outcome(parseJsonText, from)));
});

const BATCH = { messages: 10, windowSeconds: 1, maxConcurrency: 2 };

describe("a consumer", () => {
  const record = (messageId: string, deliveries: number) => ({
    messageId,
    receiptHandle: `receipt of ${messageId}`,
    body: "b",
    attributes: { ApproximateReceiveCount: String(deliveries) },
  });
  /** Guarantee: only id, receipt, body and receive count of a record are read. */
  const event = { Records: [record("a", 1), record("b", 3), record("c", 9)] } as Parameters<ReturnType<typeof sqsHandler>>[0];
  const failing = consumer({
    name: "c",
    queue: "live",
    uses: {},
    batch: BATCH,
    handle: async (deliveries) => ({ failed: deliveries.filter(({ id }) => id !== "a").map(({ id }) => id) }),
  });
  const nobody = async () => undefined;
  it("returns the ids that failed, and nothing else", async () => {
    expect(await sqsHandler(failing, () => apiWorld().world, nobody)(event, context)).toEqual({
      batchItemFailures: [{ itemIdentifier: "b" }, { itemIdentifier: "c" }],
    });
  });
  it("has what failed delivered again in seconds, and ever later", async () => {
    const later: unknown[] = [];
    await sqsHandler(
      failing,
      () => apiWorld().world,
      async (messages) => void later.push(...messages),
    )(event, context);
    expect(later).toEqual([
      { receipt: "receipt of b", afterMs: 80_000 },
      { receipt: "receipt of c", afterMs: 900_000 },
    ]);
    expect(retryDelayMs(1)).toBe(5_000);
  });
  it("returns what failed also where it cannot be put off", async () => {
    const kept = apiWorld();
    const answer = await sqsHandler(
      failing,
      () => kept.world,
      () => Promise.reject(new Error("throttled")),
    )(event, context);
    expect(answer).toMatchObject({ batchItemFailures: { length: 2 } });
    expect(kept.log.lines.at(-1)).toMatchObject({ level: "warn", event: "queue.not_put_off" });
  });
  it("returns all ids when it throws, and logs why", async () => {
    const kept = apiWorld();
    const of = consumer({ name: "c", queue: "live", uses: {}, batch: BATCH, handle: () => Promise.reject(new Error("ours")) });
    expect(await sqsHandler(of, () => kept.world, nobody)(event, context)).toMatchObject({ batchItemFailures: { length: 3 } });
    expect(kept.log.lines).toMatchObject([{ level: "error", event: "batch", fields: { consumer: "c", failed: 3, fault: "Error: ours" } }]);
  });
});

it("a schedule that fails fails for the platform too", async () => {
  const kept = apiWorld();
  const of = schedule({ name: "s", every: "5 minutes", uses: {}, run: () => Promise.reject(new Error("ours")) });
  await expect(scheduleHandler(of, () => kept.world)({}, context)).rejects.toThrow("ours");
  expect(kept.log.lines).toMatchObject([{ level: "error", event: "schedule" }]);
});
