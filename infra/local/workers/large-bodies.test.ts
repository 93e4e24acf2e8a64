import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { HttpReply } from "../../../lib/http/request.ts";
import { keptLog } from "../../../test/support/kept-log.ts";
import { type ATenant, aTenant, eventually, itsOwnPlatform } from "../../../test/support/processes/platform.ts";
import { aBatch, anEvent, aRequest, seen } from "../../../test/support/samples/capture-requests.ts";
import { readRunning } from "../stores/lock.ts";
import { type LargeBodies, largeBodiesAside } from "./large-bodies.ts";

const platform = itsOwnPlatform();
const log = keptLog();
let tenant: ATenant;
let bodies: LargeBodies;

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  bodies = largeBodiesAside(() => {
    const { dataDir, baseUrl, ingestUrl } = platform();
    const running = readRunning(dataDir);
    if (running === undefined) throw new Error("the platform does not say that it runs");
    return { place: { dynamodb: running.dynamodb, store: running.store, dataDir, baseUrl, ingestUrl }, log };
  });
});
afterAll(() => bodies.stop());

const EVENTS = 2_000;
const largeBatch = (fields: object = {}): string =>
  JSON.stringify(
    aBatch(
      Array.from({ length: EVENTS }, () => anEvent({ properties: { note: "x".repeat(300) } })),
      { api_key: tenant.projectToken, ...fields },
    ),
  );

const serve = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<HttpReply> =>
  bodies.group.serve(aRequest(body, { headers }), platform().world);

/** What the thread answered: it has a log of its own. */
const answeredAside = () => log.lines.filter(({ event }) => event === "request").map(({ fields }) => Object(fields).status);

it("a large body is answered beside this thread as it would be here, plain or compressed, and each with its line", async () => {
  const taken = { status: 200, body: '{"status":"Ok"}' };
  expect(seen(await serve(largeBatch()))).toEqual(taken);
  const zipped = gzipSync(largeBatch());
  expect(zipped.length).toBeLessThan(100_000);
  expect(seen(await serve(zipped))).toEqual(taken);
  expect(seen(await serve(largeBatch().slice(0, -1)))).toEqual({ status: 400, body: expect.stringContaining("ends too early") });
  expect(answeredAside()).toEqual([200, 200, 400]);
});

it("several at once are each answered their own", async () => {
  const replies = await Promise.all(
    [largeBatch(), largeBatch().slice(0, -1), largeBatch({ api_key: "phc_nobody" })].map((body) => serve(body)),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 400, 401]);
});

it("a small body is answered here, as is a large one of nobody", async () => {
  const before = answeredAside().length;
  expect(await serve(JSON.stringify(aBatch([anEvent()], { api_key: tenant.projectToken })))).toMatchObject({ status: 200 });
  expect(await serve(gzipSync(largeBatch({ api_key: "phc_nobody" })))).toMatchObject({ status: 401 });
  expect(await serve(gzipSync(largeBatch({ api_key: undefined })))).toMatchObject({ status: 400 });
  expect(answeredAside().length).toBe(before);
});

/** The platform's own answer over HTTP, in the text's first words; the platform has to be there afterwards. */
const answered = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> => {
  const { baseUrl } = platform();
  const answer = await fetch(`${baseUrl}${path}`, { method: "POST", body, headers, duplex: "half" } as RequestInit);
  const said = { status: answer.status, body: (await answer.text()).slice(0, 60) };
  expect((await fetch(`${baseUrl}/_readiness`)).status).toBe(200);
  return said;
};

const inPieces = (pieces: readonly string[]): ReadableStream => ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)));

const OVER_WIRE = 20 * 1024 * 1024 + 1;
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const TOO_LARGE = { status: 413, body: expect.stringMatching(/^maximum event size exceeded/) };

it("what its beginning already refuses is refused, however large it is, and the platform goes on", async () => {
  const named = `{"api_key":"${tenant.projectToken}","batch":[],"pad":"`;
  expect(await answered("/batch/", named + "x".repeat(OVER_WIRE))).toEqual(TOO_LARGE);
  expect(await answered("/batch/", gzipSync(named), { "content-encoding": "gzip" })).toMatchObject({ status: 400 });
  expect(await answered("/batch/", `data=${encodeURIComponent(named)}&x=${"y".repeat(OVER_WIRE)}`, FORM)).toEqual(TOO_LARGE);
  expect(await answered("/batch/", inPieces(Array.from({ length: 22 }, () => " ".repeat(1024 * 1024))))).toEqual(TOO_LARGE);
  const twice = `data=${encodeURIComponent(JSON.stringify(aBatch([anEvent()], { api_key: tenant.projectToken })))}&data=`;
  expect(await answered("/batch/", inPieces([twice, `&x=${"y".repeat(700_000)}`]), FORM)).toEqual({
    status: 400,
    body: "request missing data payload",
  });
});

it("whom its end leaves without an answer is told to come again, and the next body finds another thread", async () => {
  let isAnswered = false;
  const answer = serve(largeBatch(), { origin: "https://shop.test" }).finally(() => {
    isAnswered = true;
  });
  // The thread has it only once the platform knows whose it is, which may take a look at the table.
  while (!isAnswered) {
    await bodies.stop();
    await nextTurn();
  }
  const { status, headers } = await answer;
  expect({ status, headers }).toMatchObject({
    status: 503,
    headers: { "retry-after": "5", "access-control-allow-origin": "https://shop.test" },
  });
  expect(await serve(largeBatch())).toMatchObject({ status: 200 });
});

it("all of them are counted, of the platform's own, too", async () => {
  const { baseUrl } = platform();
  expect((await fetch(`${baseUrl}/batch/`, { method: "POST", body: largeBatch() })).status).toBe(200);
  await eventually(async () => {
    const answer = await fetch(`${baseUrl}/api/projects/${tenant.projectId}/query/`, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.personalKey}`, "content-type": "application/json" },
      body: JSON.stringify({ query: { kind: "HogQLQuery", query: "SELECT count() FROM events" }, refresh: "force" }),
    });
    // Two of the first test, one each of the others: a batch that was not answered may have been taken, too.
    expect([5 * EVENTS + 1, 6 * EVENTS + 1]).toContain(Object(await answer.json()).results[0][0]);
  });
});
