import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assemble } from "../../lib/app/assemble.ts";
import { rawGroup } from "../../lib/app/raw-group.ts";
import type { Group } from "../../lib/app/routes.ts";
import { settings } from "../../lib/aws/environment.ts";
import { lazySegments } from "../../lib/aws/lazy.ts";
import { keptLog } from "../../test/support/kept-log.ts";
import { type HttpServer, startServer } from "./server.ts";

const MAX_WIRE_BYTES = 20 * 1024 * 1024;

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const { promise: released, resolve: release } = Promise.withResolvers<void>();

const echo: Group = rawGroup({
  name: "echo",
  gateway: "management",
  uses: {},
  paths: ["/echo/", "/slow/", "/short/"],
  bodyBytes: (method, path) => (method === "DELETE" ? 0 : path.startsWith("/short") ? 10 : MAX_WIRE_BYTES),
  async serve(request) {
    if (request.path.startsWith("/slow")) await released;
    const { method, path, query, origin, body } = request;
    const seen = { method, path, query, origin, bytes: body.byteLength, digest: digest(body) };
    return {
      status: body.byteLength > MAX_WIRE_BYTES ? 413 : 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(seen),
    };
  },
});

/** Pages at the root of the management host; at that of the ingest host, SDKs send. */
const pages: Group = rawGroup({
  name: "pages",
  gateway: "management",
  uses: {},
  paths: ["/"],
  bodyBytes: () => 0,
  serve: async () => ({ status: 200, headers: { "x-by": "page" }, body: "page" }),
});
const sdks: Group = rawGroup({
  name: "sdks",
  gateway: "ingest",
  uses: {},
  paths: ["/"],
  bodyBytes: () => 100,
  serve: async ({ body }) => ({ status: 200, headers: { "x-by": "event" }, body: `event ${Buffer.from(body)}` }),
});

/** A group that does not see to its own faults. */
const faulty: Group = {
  ...rawGroup({
    name: "faulty",
    gateway: "management",
    uses: {},
    paths: ["/faulty/"],
    bodyBytes: () => MAX_WIRE_BYTES,
    serve: () => released as never,
  }),
  serve: () => {
    throw new Error("a secret of the house");
  },
  judgeBeginning: () => {
    throw new Error("another one");
  },
};

let server: HttpServer | undefined;
const origin = (): string => server?.origin ?? "";

beforeAll(async () => {
  server = await startServer([echo, pages, sdks, faulty], "127.0.0.1", 0);
  server.open(assemble({}, lazySegments, keptLog(), settings({})));
});

afterAll(async () => {
  release();
  await server?.stop();
});

describe("the local server", () => {
  test.each([0, 1_000, 600_000])("answers a fault that nobody has seen to as one of ours, and goes on: %i bytes", async (bytes) => {
    const answer = await fetch(`${origin()}/faulty/`, { method: "POST", body: randomBytes(bytes) });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      type: "server_error",
      code: "error",
      detail: "A server error occurred.",
      attr: null,
      error_event_id: expect.any(String),
    });
    expect((await fetch(`${origin()}/echo/`)).status).toBe(200);
  });

  test("hands a request over as it came", async () => {
    const body = randomBytes(300_000);
    const answer = await fetch(`${origin()}/echo/?a=1&b=%20x&a=2`, { method: "PUT", body });
    expect(await answer.json()).toEqual({
      method: "PUT",
      path: "/echo/",
      query: [
        ["a", "1"],
        ["b", " x"],
        ["a", "2"],
      ],
      origin: origin(),
      bytes: 300_000,
      digest: digest(body),
    });
  });

  test("a body of the greatest size is whole; of a larger one the sender gets to see the refusal", async () => {
    const body = randomBytes(MAX_WIRE_BYTES + 3_000_000);
    const largest = await fetch(`${origin()}/echo/`, { method: "POST", body: body.subarray(0, MAX_WIRE_BYTES) });
    expect(await largest.json()).toMatchObject({ bytes: MAX_WIRE_BYTES, digest: digest(body.subarray(0, MAX_WIRE_BYTES)) });
    const larger = await fetch(`${origin()}/echo/`, { method: "POST", body });
    expect(larger.status).toBe(413);
    expect(await larger.json()).toMatchObject({ bytes: MAX_WIRE_BYTES + 1 });
  });

  test("what no group declares is 404 in the envelope", async () => {
    const answer = await fetch(`${origin()}/nowhere`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ type: "invalid_request", code: "not_found", detail: "Endpoint not found.", attr: null });
  });

  test.each([
    ["GET", "text/html,application/xhtml+xml,*/*;q=0.8", "page"],
    ["HEAD", "text/html", "page"],
    ["GET", "application/json, TEXT/HTML;q=0.5", "page"],
    ["GET", "*/*", "event"],
    ["GET", "application/json, text/plain", "event"],
    ["GET", "text/html5", "event"],
    ["POST", "text/html", "event"],
    ["PUT", "text/html", "event"],
  ])("the root, asked by %s with Accept %s, is of one host or the other", async (method, accept, by) => {
    const body = method.startsWith("P") ? "sent" : null;
    const answer = await fetch(`${origin()}/`, { method, body, headers: { accept } });
    expect(answer.headers.get("x-by")).toBe(by);
    if (body !== null) expect(await answer.text()).toBe("event sent");
  });

  test.each([
    ["a path that nobody declares", "/nowhere/", "POST", 404],
    ["a method that nobody takes", "/echo/", "DELETE", 200],
    ["an operation of smaller bodies", "/short/", "POST", 200],
  ])("the body of %s is not waited for", async (_name, path, method, status) => {
    const socket = connect(Number(new URL(origin()).port), "127.0.0.1");
    socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${MAX_WIRE_BYTES}\r\n\r\n${"x".repeat(11)}`);
    const [head] = await once(socket, "data");
    expect(String(head).split("\r\n")[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    socket.resetAndDestroy();
  });

  test.each([
    ["a path that nobody declares", "/nowhere/", 404],
    ["an operation of smaller bodies", "/short/", 200],
  ])("who sends %s a large body sees the answer, however slowly it is sent", async (_name, path, status) => {
    const socket = connect(Number(new URL(origin()).port), "127.0.0.1");
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 1000000\r\n\r\n${"x".repeat(11)}`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const ended = once(socket.resume(), "end");
    for (let left = 1_000_000 - 11; left > 0; left -= Math.min(left, 100_000)) {
      await new Promise((resolve, reject) =>
        socket.write("x".repeat(Math.min(left, 100_000)), (lost) => (lost ? reject(lost) : resolve(null))),
      );
      await pause(10);
    }
    await ended;
  });

  test("HEAD does not say that the body it leaves out is empty", async () => {
    const socket = connect(Number(new URL(origin()).port), "127.0.0.1");
    socket.write("HEAD /echo/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toMatch(/content-length: 0|transfer-encoding/i);
  });

  test.each([
    ["a head that is too long", `GET /echo/ HTTP/1.1\r\nhost: x\r\na: ${"x".repeat(20_000)}\r\n\r\n`, 431, "headers_too_large"],
    ["what is no HTTP", "hello\r\n\r\n", 400, "parse_error"],
  ])("%s is answered in the envelope", async (_name, sent, status, code) => {
    const socket = connect(Number(new URL(origin()).port), "127.0.0.1");
    socket.write(sent);
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toMatchObject({ type: "invalid_request", code, attr: null });
  });

  test.each(["evil.test/path?", "a b", "<script>", `${"x".repeat(300)}.test`])(
    "a host that is none (%j) stands in no address",
    async (host) => {
      const socket = connect(Number(new URL(origin()).port), "127.0.0.1");
      socket.write(`GET /echo/ HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      const [, body = ""] = (await text(socket)).split("\r\n\r\n");
      expect(JSON.parse(body)).toMatchObject({ origin: "http://localhost" });
    },
  );

  test("a taken port is told in one sentence", async () => {
    const port = Number(new URL(origin()).port);
    await expect(startServer([echo], "127.0.0.1", port)).rejects.toThrow(/^Port \d+ on 127\.0\.0\.1 is in use/);
  });

  test.each([
    ["a head", "POST /echo/ HTTP/1.1\r\nhost: x\r\n"],
    ["a body", "POST /echo/ HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"],
  ])("an upload that stalls within %s is answered 408 and its connection ends; others go on", async (_, sent) => {
    const other = await startServer([echo], "127.0.0.1", 0, { headMs: 100, wholeMs: 200 });
    other.open(assemble({}, lazySegments, keptLog(), settings({})));
    const socket = connect(Number(new URL(other.origin).port), "127.0.0.1");
    socket.write(sent);
    expect((await text(socket)).split("\r\n")[0]).toBe("HTTP/1.1 408 Request Timeout");
    expect((await fetch(`${other.origin}/echo/`)).status).toBe(200);
    await other.stop();
  });

  test("an SDK's upload that stalls is told so in plain text, as of all else", async () => {
    const other = await startServer([sdks], "127.0.0.1", 0, { headMs: 100, wholeMs: 200 });
    other.open(assemble({}, lazySegments, keptLog(), settings({})));
    const socket = connect(Number(new URL(other.origin).port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
    const [head, body] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 408 .*\r\nContent-Type: text\/plain/s);
    expect(body).toBe("The request took too long to arrive.");
    await other.stop();
  });

  test("an upload whose sender goes away harms nobody", async () => {
    const socket = connect(Number(new URL(origin()).port), "127.0.0.1");
    socket.write("POST /echo/ HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n");
    // The server has begun to read the body once it asks for it.
    await once(socket, "data");
    socket.destroy();
    expect((await fetch(`${origin()}/echo/`)).status).toBe(200);
  });

  test("a sender who goes away after a refusal, amid the rest of its body, harms nobody", async () => {
    const socket = connect(Number(new URL(origin()).port), "127.0.0.1");
    socket.write(`POST /echo/ HTTP/1.1\r\nhost: x\r\ncontent-length: ${2 * MAX_WIRE_BYTES}\r\n\r\n`);
    socket.write(Buffer.alloc(MAX_WIRE_BYTES + 1));
    await once(socket, "data");
    socket.resetAndDestroy();
    expect((await fetch(`${origin()}/echo/`)).status).toBe(200);
  });

  test("stopping answers what is in flight and takes nothing new", async () => {
    const other = await startServer([echo], "127.0.0.1", 0);
    const inFlight = fetch(`${other.origin}/slow/`);
    other.open(assemble({}, lazySegments, keptLog(), settings({})));
    await fetch(`${other.origin}/echo/`);
    const stopped = other.stop();
    release();
    expect((await inFlight).status).toBe(200);
    await stopped;
    await expect(fetch(`${other.origin}/echo/`)).rejects.toThrow();
  });

  test("stopping answers what was sent on a kept connection and is not read yet", async () => {
    const other = await startServer([echo], "127.0.0.1", 0);
    other.open(assemble({}, lazySegments, keptLog(), settings({})));
    const socket = connect(Number(new URL(other.origin).port), "127.0.0.1");
    const request = "GET /echo/ HTTP/1.1\r\nhost: x\r\n\r\n";
    socket.write(request);
    await once(socket, "data");
    socket.write(request);
    const stopped = other.stop();
    expect((await text(socket)).split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
    await stopped;
  });
});
