import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { serve } from "../../../functions/capture/serve.ts";
import { PUT_EVERY_MS } from "../../../lib/ports/counts.ts";
import { aBatch, anEvent, aRequest, seen } from "../../support/samples/capture-requests.ts";
import { captureWorld, NOW, TOKEN } from "../../support/worlds/capture-world.ts";

const LARGE_EVENT = aBatch([anEvent({ properties: { note: "x".repeat(1024 * 1024) } })]);
const BOMB = gzipSync(Buffer.alloc(33 * 1024 * 1024, " "));

describe("413 is counted", () => {
  it.each([
    ["an event above its bound", LARGE_EVENT],
    ["a body that grows past its bound", BOMB],
  ])("for %s", async (_name, body) => {
    const platform = captureWorld();
    expect((await serve(aRequest(body), platform.world)).status).toBe(413);
    expect(platform.puts).toEqual([["RequestsTooLarge", 1]]);
  });

  it("each time, in few calls", async () => {
    const platform = captureWorld();
    for (let each = 0; each < 4; each += 1) await serve(aRequest(LARGE_EVENT), platform.world);
    platform.setNow(NOW + PUT_EVERY_MS);
    await serve(aRequest(LARGE_EVENT), platform.world);
    expect(platform.puts).toEqual([
      ["RequestsTooLarge", 1],
      ["RequestsTooLarge", 4],
    ]);
  });

  it("and no other status is", async () => {
    const platform = captureWorld();
    const replies = [
      await serve(aRequest(aBatch()), platform.world),
      await serve(aRequest(aBatch(), { url: "/batch/?beacon=1" }), platform.world),
      await serve(aRequest("no JSON"), platform.world),
      await serve(aRequest(aBatch([anEvent()], { api_key: "phc_nobody" })), platform.world),
      await serve(aRequest(aBatch(), { url: "/nowhere/" }), platform.world),
      await serve(aRequest(aBatch(), { method: "DELETE" }), platform.world),
    ];
    platform.break("queues");
    replies.push(await serve(aRequest(aBatch()), platform.world));
    expect(replies.map(({ status }) => status)).toEqual([200, 204, 400, 401, 404, 405, 503]);
    expect(platform.puts).toEqual([]);
  });

  it("changes nothing where it fails, and is made up for", async () => {
    const answered = seen(await serve(aRequest(LARGE_EVENT), captureWorld().world));
    const platform = captureWorld();
    platform.break("counts");
    expect(seen(await serve(aRequest(LARGE_EVENT), platform.world))).toEqual(answered);
    expect(platform.lines.map(({ event }) => event)).toEqual(["request", "counts.unsent"]);
    platform.break("nothing");
    platform.setNow(NOW + PUT_EVERY_MS);
    await serve(aRequest(LARGE_EVENT), platform.world);
    expect(platform.puts).toEqual([["RequestsTooLarge", 2]]);
  });
});

describe("more events than a request may hold", () => {
  const MANY = "{},".repeat(100_000);
  const answered = async (body: string) => seen(await serve(aRequest(body), captureWorld().world));

  it.each([
    ["in a list", `[{"token":"${TOKEN}"},${MANY}`],
    ["in a batch", `{"sent_at":{},"api_key":"${TOKEN}","batch":[${MANY}{}`],
    ["in a batch with white space", `{"api_key":"${TOKEN}",\n"batch" :\t[${MANY}{}`],
  ])("%s are refused before anything is parsed", async (_name, body) => {
    expect(await answered(body)).toMatchObject({ status: 413, body: expect.stringContaining("more than 100000 events") });
  });

  it.each([
    ["alone", (event: string) => event],
    ["in a list", (event: string) => `[${event}]`],
    ["in a batch", (event: string) => `{"api_key":"${TOKEN}","batch":[${event}]}`],
  ])("are not the objects of an event %s", async (_name, around) => {
    const event = JSON.stringify({ token: TOKEN, event: "a", distinct_id: "b", properties: { list: [] } });
    expect(await answered(around(event.replace("[]", `[${MANY}{}]`)))).toMatchObject({ status: 200 });
  });
});
