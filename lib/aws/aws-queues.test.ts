import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import { SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keptLog } from "../../test/support/kept-log.ts";
import { MAX_MESSAGE_BYTES } from "../ports/queues.ts";
import { cutIntoRequests, sqsQueues } from "./aws-queues.ts";

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A queue service that stores the entries for which `stores` says so, and keeps every request; it refuses the other entries. */
const aService = async (stores: (body: string, attempt: number) => boolean) => {
  const requests: (readonly string[])[] = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { Entries }: { Entries: readonly Entry[] } = JSON.parse(Buffer.concat(chunks).toString());
    requests.push(Entries.map(({ MessageBody }) => MessageBody));
    const stored = (entry: Entry): boolean => stores(entry.MessageBody, requests.length);
    const Successful = Entries.filter(stored).map(({ Id }) => ({ Id, MessageId: Id }));
    const Failed = Entries.filter((entry) => !stored(entry)).map(({ Id }) => ({ Id, Code: "InternalError", SenderFault: false }));
    response.setHeader("content-type", "application/x-amz-json-1.0");
    response.end(JSON.stringify({ Successful, Failed }));
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const client = new SQSClient({ endpoint, region: "us-east-1", md5: false, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  const log = keptLog();
  return { queues: sqsQueues(client, { live: `${endpoint}/1/live`, historical: "", jobs: "" }, log), requests, log };
};

const messages = (...bodies: readonly string[]) => bodies.map((body) => ({ id: `id of ${body}`, body }));

describe("sending", () => {
  test("an entry that was refused is sent again alone, with the same body, until it is stored", async () => {
    const { queues, requests } = await aService((body, attempt) => body !== "b" || attempt === 3);
    expect(await queues.send("live", messages("a", "b", "c"))).toEqual([]);
    expect(requests).toEqual([["a", "b", "c"], ["b"], ["b"]]);
  });

  test("what stays refused is returned by its id in the end, and the log says why", async () => {
    const { queues, requests, log } = await aService((body) => body !== "b");
    expect(await queues.send("live", messages("a", "b"))).toEqual(["id of b"]);
    expect(requests.length).toBeGreaterThan(2);
    expect(log.lines[0]?.fields).toMatchObject({ reason: "InternalError" });
  });
});

describe("the time that is left for trying again", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** When each request was sent and when the answer came, in milliseconds, of a service that takes a time and refuses everything. */
  const timesWith = async (answerMs: number) => {
    const began = performance.now();
    const since = (): number => Math.round(performance.now() - began);
    const sent: number[] = [];
    const requestHandler = {
      async handle() {
        sent.push(since());
        await new Promise((resolve) => setTimeout(resolve, answerMs));
        const body = Buffer.from(JSON.stringify({ Failed: [{ Id: "0", Code: "InternalError", SenderFault: false }] }));
        return { response: { statusCode: 200, headers: { "content-type": "application/x-amz-json-1.0" }, body: Readable.from([body]) } };
      },
    };
    const credentials = { accessKeyId: "a", secretAccessKey: "b" };
    const client = new SQSClient({ endpoint: "http://queues.invalid", region: "us-east-1", md5: false, credentials, requestHandler });
    const queues = sqsQueues(client, { live: "http://queues.invalid/1/live", historical: "", jobs: "" }, keptLog());
    let at: number | undefined;
    const sending = queues.send("live", messages("a")).finally(() => {
      at = since();
    });
    while (at === undefined) await vi.advanceTimersToNextTimerAsync();
    return { sent, unsent: await sending, at };
  };

  test.each([
    { answerMs: 0, sent: [0, 100, 400, 1_300], at: 1_300 },
    { answerMs: 600, sent: [0, 700, 1_600], at: 2_200 },
    { answerMs: 1_900, sent: [0, 2_000], at: 3_900 },
    { answerMs: 1_901, sent: [0], at: 1_901 },
  ])("begins no try after two seconds where an answer takes $answerMs ms", async ({ answerMs, sent, at }) => {
    expect(await timesWith(answerMs)).toEqual({ sent, unsent: ["id of a"], at });
  });
});

describe("cutting into requests", () => {
  test("ten messages and one megabyte fill a request", () => {
    const sizes = (bodies: readonly string[]) => cutIntoRequests(messages(...bodies)).map((request) => request.length);
    expect(sizes([])).toEqual([]);
    expect(sizes(Array.from({ length: 21 }, (_, index) => `m${index}`))).toEqual([10, 10, 1]);
    const half = "x".repeat(MAX_MESSAGE_BYTES / 2);
    expect(sizes([half, half, half])).toEqual([2, 1]);
    expect(sizes([half, `${half}y`.slice(1), "z"])).toEqual([2, 1]);
    expect(sizes(["ü".repeat(MAX_MESSAGE_BYTES / 2), "a"])).toEqual([1, 1]);
  });

  test("an empty message or one that is too long is a defect", () => {
    expect(() => cutIntoRequests(messages(""))).toThrow("0 bytes");
    expect(() => cutIntoRequests(messages("ü".repeat(MAX_MESSAGE_BYTES / 2 + 1)))).toThrow("cannot be queued");
  });
});
