import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Standing } from "./boot.ts";
import { type Explanation, judge } from "./explained.ts";
import { mutants } from "./mutants.ts";
import { allows } from "./rights.ts";
import { withToy } from "./toy.ts";

let folder = "";
/** Where functions write what they saw: one of them may run in several processes. */
let SEEN = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seen-"));
  SEEN = join(folder, "seen");
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const seen = (): Promise<string> => readFile(SEEN, "utf8").catch(() => "");

/** Whoever is handed a message sends another; a request sends the first. */
const RING = `
import { appendFileSync, readFileSync } from "node:fs";
export const handler = async (event) => {
  appendFileSync(process.env.SEEN, event.Records ? "x" : "");
  if (readFileSync(process.env.SEEN, "utf8").length < 40) await send("round");
  return { statusCode: 200, body: "" };
};`;

test("a chain of calls is ended after sixteen rounds, unless the function may go on for ever", async () => {
  const begin = ({ url }: Standing) => fetch(`${url("ingest")}/things`, { method: "POST" });
  const variables = { SEEN };
  await withToy(
    { handler: RING },
    async (standing) => {
      await begin(standing);
      await expect.poll(() => standing.lineage.ended.get("toy-worker")).toBe(1);
      expect(await seen()).toHaveLength(16);
    },
    { variables },
  );
  await rm(SEEN);
  await withToy(
    { handler: RING, properties: { RecursiveLoop: "Allow" } },
    async (standing) => {
      await begin(standing);
      await expect.poll(seen).toHaveLength(40);
      expect([...standing.lineage.ended]).toEqual([]);
      expect(standing.functions.faults).toEqual([]);
    },
    { variables },
  );
});

const SENDER = `export const handler = async () => ({ statusCode: (await send("one")).status, body: "" });`;

test("what was recorded tells which parts of a deployment would be missed", async () => {
  await withToy({ handler: SENDER, actions: ["sqs:SendMessage", "sqs:PurgeQueue"] }, async (standing) => {
    const missed = () => mutants(standing).map(({ kind, part, noticed }) => [kind, part, noticed]);
    expect(missed()).toContainEqual(["grant", "sqs:SendMessage", false]);
    expect(missed()).toContainEqual(["variable", "QUEUE_URL", false]);
    expect((await fetch(`${standing.url("ingest")}/things`)).status).toBe(200);
    for (const used of [
      ["grant", "sqs:ReceiveMessage"],
      ["grant", "sqs:SendMessage"],
      ["variable", "QUEUE_URL"],
      ["route", "things_any"],
      ["permission", "apigateway.amazonaws.com"],
    ])
      expect(missed()).toContainEqual([...used, true]);
    expect(missed()).toContainEqual(["grant", "sqs:PurgeQueue", false]);
  });
});

test("a part that nothing missed has to be explained, and an explanation has to be about such a part", async () => {
  await withToy({ handler: SENDER, actions: ["sqs:SendMessage", "sqs:PurgeQueue"] }, async (standing) => {
    expect((await fetch(`${standing.url("ingest")}/things`)).status).toBe(200);
    await expect.poll(() => mutants(standing).find(({ kind }) => kind === "mapping")?.noticed).toBe(true);
    const all = mutants(standing);
    const purge: Explanation = { kind: "grant", of: ["worker"], parts: ["sqs:PurgeQueue"], because: "somebody may want it empty" };
    const judged = (...explanations: readonly Explanation[]) => {
      const { unexplained, stale } = judge(all, explanations);
      return [unexplained.map(({ of, part }) => `${of} ${part}`), stale];
    };
    expect(judged()).toEqual([["worker sqs:PurgeQueue"], []]);
    expect(judged(purge)).toEqual([[], []]);
    expect(judged({ ...purge, of: ["another"] })).toEqual([["worker sqs:PurgeQueue"], [expect.stringContaining("there is none any more")]]);
    expect(judged(purge, { ...purge, parts: ["sqs:SendMessage"] })).toEqual([[], [expect.stringContaining("all of it is noticed")]]);
    expect(judged(purge, { ...purge, parts: ["sqs:SendMessage"], sometimes: true })).toEqual([[], []]);
    const { of: _, ...anyone } = purge;
    expect(judged({ ...anyone, beside: ["sqs:SendMessage"] })).toEqual([[], []]);
    expect(judged({ ...anyone, beside: ["sqs:PurgeQueue"] })[0]).toEqual(["worker sqs:PurgeQueue"]);
    expect(judge(all, [purge]).counts.get("grant")).toEqual({ all: 5, noticed: 4, explained: 1 });
  });
});

test("a call that the role does not allow is refused, and told", async () => {
  await withToy({ handler: SENDER, actions: [] }, async ({ url, denials }) => {
    expect((await fetch(`${url("ingest")}/things`)).status).toBe(400);
    expect(denials).toMatchObject([{ caller: "toy-worker", action: "sqs:SendMessage" }]);
  });
});

/** Answers once two calls of it are under way, or nobody else comes. */
const TOGETHER = `
import { appendFileSync, readFileSync } from "node:fs";
export const handler = async () => {
  appendFileSync(process.env.SEEN, "x");
  for (let looks = 0; looks < 100 && readFileSync(process.env.SEEN, "utf8").length < 2; looks += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return { statusCode: 200, body: "" };
};`;

test("what is reserved for a function runs beside what the account shares, and bounds the function", async () => {
  const statuses = (reserved: number) =>
    withToy(
      { handler: TOGETHER, properties: { ReservedConcurrentExecutions: reserved } },
      async ({ url }) => {
        const replies = await Promise.all([1, 2].map(() => fetch(`${url("ingest")}/things`)));
        expect(replies.map(({ status }) => status).sort()).toEqual(reserved === 1 ? [200, 500] : [200, 200]);
      },
      { accountConcurrency: 1, variables: { SEEN } },
    );
  await statuses(2);
  await rm(SEEN);
  await statuses(1);
});

test("requests are decompressed, bounded and refused as the gateway does it", async () => {
  const handler = `export const handler = async (event) => ({
    statusCode: 200, body: String(Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8").length),
  });`;
  await withToy({ handler }, async ({ url }) => {
    const post = async (body: Buffer, encoding: string, path = "things") => {
      const reply = await fetch(`${url("ingest")}/${path}`, { method: "POST", body, headers: { "content-encoding": encoding } });
      return [reply.status, await reply.text()];
    };
    expect(await post(gzipSync(Buffer.alloc(2_000_000)), "gzip")).toEqual([200, "2000000"]);
    // A few kilobytes on the wire are more than a function takes.
    expect(await post(gzipSync(Buffer.alloc(9_000_000)), "gzip")).toEqual([413, expect.anything()]);
    expect(await post(Buffer.from("x"), "br")).toEqual([415, expect.anything()]);
    expect(await post(Buffer.from("x"), "identity", "things/")).toEqual([200, "1"]);
    expect(await post(Buffer.from("x"), "identity", "other")).toEqual([403, expect.anything()]);
  });
});

test("a function that takes too long or too much is ended, and the next call has an environment of its own", async () => {
  const handler = `
  let calls = 0;
  export const handler = async (event) => {
    calls += 1;
    if (event.queryStringParameters?.wait) await new Promise((resolve) => setTimeout(resolve, 60_000));
    if (event.queryStringParameters?.fill) { globalThis.held = Buffer.alloc(400_000_000, 1); await new Promise((resolve) => setTimeout(resolve, 60_000)); }
    return { statusCode: 200, body: String(calls) };
  };`;
  const properties = { Timeout: 3, MemorySize: 300 };
  await withToy(
    { handler, properties },
    async ({ url, functions }) => {
      const get = async (search: string) => (await fetch(`${url("ingest")}/things${search}`)).text();
      expect([await get(""), await get("")]).toEqual(["1", "2"]);
      await get("?wait=1");
      expect(await get("")).toBe("1");
      await get("?fill=1");
      expect(await get("")).toBe("1");
      expect(functions.faults).toEqual([expect.stringContaining("timed out after 3 s"), expect.stringMatching(/used \d+ of 300 MB/)]);
    },
    { patience: 1 },
  );
});

test("of a batch only the messages that failed come again", async () => {
  const handler = `
  import { appendFileSync } from "node:fs";
  export const handler = async (event) => {
    if (event.httpMethod === "POST") { await send("good"); await send("bad"); return { statusCode: 200, body: "" }; }
    for (const { body } of event.Records) appendFileSync(process.env.SEEN, body + " ");
    return { batchItemFailures: event.Records.filter(({ body }) => body === "bad").map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };`;
  await withToy(
    { handler, deliveries: 2 },
    async ({ url }) => {
      await fetch(`${url("ingest")}/things`, { method: "POST" });
      await expect.poll(async () => (await seen()).trim().split(" ").toSorted()).toEqual(["bad", "bad", "good"]);
    },
    { speed: 60, variables: { SEEN } },
  );
});

test("a policy allows what one statement allows and none denies", () => {
  const read = { Effect: "Allow", Action: "s3:Get*", Resource: "arn:aws:s3:::lake/events/*" };
  const ask = { action: "s3:GetObject", resource: "arn:aws:s3:::lake/events/1", context: { "aws:SecureTransport": ["true"] } };
  const denied = (secure: string) => ({
    Effect: "Deny",
    Action: "*",
    Resource: "*",
    Condition: { Bool: { "aws:SecureTransport": secure } },
  });
  expect(allows([], ask)).toBe(false);
  expect(allows([read, denied("false")], ask)).toBe(true);
  expect(allows([read, denied("true")], ask)).toBe(false);
  expect(allows([read], { ...ask, resource: "arn:aws:s3:::lake/state/1" })).toBe(false);
  const write = {
    Effect: "Allow",
    Action: ["dynamodb:PutItem"],
    Resource: "*",
    Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["lake#*", "errors#*#issues"] } },
  };
  const put = (...keys: readonly string[]) => ({ action: "dynamodb:PutItem", resource: "t", context: { "dynamodb:LeadingKeys": keys } });
  expect(allows([write], put("lake#1", "errors#1#issues"))).toBe(true);
  expect(allows([write], put("lake#1", "keys#1"))).toBe(false);
});
