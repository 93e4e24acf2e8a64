import { randomBytes, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { serve } from "../../../functions/capture/serve.ts";
import { readDistinctId } from "../../../lib/event/identity.ts";
import { importIdOf } from "../../../lib/event/imports.ts";
import { MAX_MESSAGE_BYTES } from "../../../lib/ports/queues.ts";
import { aBatch, anEvent, aRequest, seen } from "../../support/samples/capture-requests.ts";
import { captureWorld, NOW } from "../../support/worlds/capture-world.ts";

const SENT_AT = "2026-11-20T11:59:58.123456+00:00";

describe("what capture fixes in the message", () => {
  const message = async (body: unknown, url?: string) => {
    const platform = captureWorld();
    await serve(aRequest(body, url === undefined ? {} : { url }), platform.world);
    return platform.queued[0]?.message;
  };

  it("the receive time and the sent_at in microseconds, the lane and the counts", async () => {
    const body = aBatch([anEvent(), anEvent()], { sent_at: SENT_AT });
    expect(await message(body)).toMatchObject({
      v: 2,
      received: `${NOW}000`,
      sentAt: `${NOW - 1877}456`,
      historical: false,
      payload: "envelope",
      engage: false,
      first: 0,
      events: 2,
      decodedBytes: JSON.stringify(body).length,
    });
  });

  it("the live lane for whatever states no key of its own: only an envelope can be an import", async () => {
    const keyed = anEvent({ token: "phc_test" });
    for (const body of [[keyed], keyed]) {
      const platform = captureWorld();
      await serve(aRequest(body), platform.world);
      expect(platform.queued.map(({ queue, message: { historical } }) => [queue, historical])).toEqual([["live", false]]);
    }
  });

  it("the send time of the query only when the body has none and it is in milliseconds", async () => {
    expect((await message(aBatch(), `/batch/?_=${NOW - 5}`))?.sentAt).toBe(`${NOW - 5}000`);
    expect((await message(aBatch(), `/batch/?_=${Math.floor(NOW / 1000)}`))?.sentAt).toBeNull();
    expect((await message(aBatch([anEvent()], { sent_at: SENT_AT }), `/batch/?_=${NOW - 5}`))?.sentAt).toBe(`${NOW - 1877}456`);
    expect((await message(aBatch([anEvent()], { sent_at: "soon" })))?.sentAt).toBeNull();
  });

  it("no sent_at of the address for an import, whose identities it would decide and which a retry does not repeat", async () => {
    const imported = { historical_migration: true };
    expect((await message(aBatch([anEvent()], imported), `/batch/?_=${NOW - 5}`))?.sentAt).toBeNull();
    expect((await message(aBatch([anEvent()], { ...imported, sent_at: SENT_AT }), `/batch/?_=${NOW - 5}`))?.sentAt).not.toBeNull();
  });

  it("a request id that a retry repeats when the body carries sent_at, and a new one otherwise", async () => {
    const retried = aBatch([anEvent()], { sent_at: SENT_AT });
    const first = await message(retried);
    expect(first?.request).toMatch(/^[0-9a-f]{32}$/);
    expect((await message(retried))?.request).toBe(first?.request);
    expect((await message(aBatch([anEvent()], { sent_at: "2026-11-20T11:59:59Z" })))?.request).not.toBe(first?.request);
    expect((await message(aBatch()))?.request).not.toBe((await message(aBatch()))?.request);
  });

  it("the name of an import, with which the ids of all its requests begin alike; none where the request is not flagged", async () => {
    const named = (batch: object) => message(aBatch([anEvent()], { import_id: "old shop", ...batch }));
    const [first, other] = [await named({ historical_migration: true, sent_at: SENT_AT }), await named({ historical_migration: true })];
    expect(first).toMatchObject({ importName: "old shop", request: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(other?.request.slice(0, 16)).toBe(importIdOf("old shop"));
    expect(first?.request.slice(0, 16)).toBe(importIdOf("old shop"));
    expect(first?.request).not.toBe(other?.request);
    const live = await named({});
    expect(live?.importName).toBeUndefined();
    expect(live?.request.slice(0, 16)).not.toBe(importIdOf("old shop"));
  });
});

describe("large requests", () => {
  const noise = (bytes: number): string => randomBytes(bytes).toString("base64");
  const events = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, index) => anEvent({ event: `e${index}`, properties: { noise: noise(bytes) } }));

  it("are cut into messages of at most 1 MiB, every event once and at its place", async () => {
    const platform = captureWorld();
    const sent = events(40, 75_000);
    expect((await serve(aRequest(gzipSync(JSON.stringify(aBatch(sent)))), platform.world)).status).toBe(200);
    expect(platform.queued.length).toBeGreaterThan(1);
    expect(platform.queued.length).toBeLessThanOrEqual(10);
    for (const { text, message } of platform.queued) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
      expect(message.payload).toBe("events");
    }
    expect(platform.events()).toEqual(sent.map((event, position) => ({ position, event })));
    expect(new Set(platform.queued.map(({ message }) => message.request)).size).toBe(1);
    expect(platform.queued.reduce((sum, { message }) => sum + message.events, 0)).toBe(40);
  });

  it("of many small events are cut into messages of some ten thousand", async () => {
    const platform = captureWorld();
    const sent = Array.from({ length: 25_000 }, (_, index) => anEvent({ event: `e${index}` }));
    await serve(aRequest(gzipSync(JSON.stringify(aBatch(sent)))), platform.world);
    const counts = platform.queued.map(({ message }) => message.events);
    expect(counts).toHaveLength(3);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10_000);
    expect(platform.events()).toEqual(sent.map((event, position) => ({ position, event })));
  });

  it("keep the digits of their numbers when they are cut", async () => {
    const platform = captureWorld();
    const sent = events(40, 75_000).map((event, index) => ({ ...event, distinct_id: `#${index}#` }));
    const body = JSON.stringify(aBatch(sent)).replace(/"#(\d+)#"/g, (_, index: string) => `123456789012345${index.padStart(3, "0")}`);
    await serve(aRequest(gzipSync(body)), platform.world);
    expect(platform.queued.length).toBeGreaterThan(1);
    expect(platform.events().map(({ event }) => readDistinctId(event))).toEqual(
      sent.map((_, index) => `123456789012345${String(index).padStart(3, "0")}`),
    );
  });

  it("of an import stay whole when an event has no uuid, so that equal ones can be counted", async () => {
    const anImport = (sent: readonly unknown[]) => aRequest(gzipSync(JSON.stringify(aBatch(sent, { historical_migration: true }))));
    const [without, withUuids] = [captureWorld(), captureWorld()];
    await serve(anImport(events(40, 75_000)), without.world);
    expect(without.queued.map(({ message }) => message.payload)).toEqual(["envelope"]);
    await serve(anImport(events(40, 75_000).map((event) => ({ ...event, uuid: randomUUID() }))), withUuids.world);
    expect(withUuids.queued.length).toBeGreaterThan(1);
  });

  it("of over ten messages go as one object and one pointer", async () => {
    const platform = captureWorld();
    const sent = events(20, 600_000);
    expect((await serve(aRequest(aBatch(sent)), platform.world)).status).toBe(200);
    expect(platform.queued).toHaveLength(1);
    expect(platform.queued[0]?.message).toMatchObject({ payload: "envelope", events: 20, body: { key: [...platform.objects.keys()][0] } });
    expect(platform.events()).toEqual(sent.map((event, position) => ({ position, event })));
  });

  it("with one event that fits into no message go as an object too", async () => {
    const platform = captureWorld();
    const sent = [anEvent(), anEvent({ properties: { noise: noise(785_000) } }), anEvent({ properties: { noise: noise(200_000) } })];
    expect((await serve(aRequest(aBatch(sent)), platform.world)).status).toBe(200);
    expect(platform.events().map(({ event }) => event)).toEqual(sent);
    for (const { text } of platform.queued) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
  });
});

describe("503", () => {
  it.each(["queues", "objects"] as const)("when %s do not confirm", async (part) => {
    const platform = captureWorld();
    platform.break(part);
    const body =
      part === "queues"
        ? aBatch()
        : aBatch(Array.from({ length: 20 }, () => anEvent({ properties: { a: randomBytes(600_000).toString("base64") } })));
    const reply = await serve(aRequest(body), platform.world);
    expect(seen(reply)).toEqual({ status: 503, body: "transient error, please retry" });
    expect(reply.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(platform.queued).toEqual([]);
  });
});

describe("the log", () => {
  it("has one line a request, without token or body, which a stage keeps of what was refused or failed", async () => {
    const platform = captureWorld();
    await serve(aRequest(aBatch()), platform.world);
    await serve(aRequest("{"), platform.world);
    platform.break("queues");
    await serve(aRequest(aBatch()), platform.world);
    const requests = platform.lines.filter(({ event }) => event === "request");
    expect(requests.map(({ level, fields }) => [level, fields.status])).toEqual([
      ["debug", 200],
      ["info", 400],
      ["error", 503],
    ]);
    expect(JSON.stringify(platform.lines)).not.toMatch(/phc_|user-1/);
  });
});
