import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FREE_BYTES, MAX_UNKNOWN_SENDER_BYTES } from "../../../functions/capture/limits.ts";
import { judgeBeginning, serve } from "../../../functions/capture/serve.ts";
import { encodeLz64 } from "../../support/lz64.ts";
import { anEvent, aRequest } from "../../support/samples/capture-requests.ts";
import { captureWorld, NOW, TOKEN } from "../../support/worlds/capture-world.ts";

/** Events that come to so many bytes and more, as text. */
const events = (bytes: number, fields: object = {}): string => {
  const one = JSON.stringify(anEvent({ ...fields, properties: { distinct_id: "a", note: "x".repeat(900) } }));
  return Array.from({ length: Math.ceil(bytes / one.length) }, () => one).join();
};
const LARGE = FREE_BYTES + 1;
const first = (token: string, bytes = LARGE): string => `{"api_key":"${token}","batch":[${events(bytes)}]}`;
const last = (token: string, bytes = LARGE): string => `{"batch":[${events(bytes)}],"api_key":"${token}"}`;
const status = async (body: string | Uint8Array, options: object = {}, { world } = captureWorld()) =>
  (await serve(aRequest(body, options), world)).status;

const LZ64 = { url: "/e/?compression=lz64" };
const FORM = { url: "/e/", headers: { "content-type": "application/x-www-form-urlencoded" } };

describe("a large request", () => {
  const lists = (token: string): string => `[${events(LARGE, { token })}]`;
  it.each<readonly [string, (token: string) => string | Uint8Array, object]>([
    ["whose token comes first", first, {}],
    ["whose token comes last", last, {}],
    ["that is a list", lists, {}],
    ["in gzip", (token) => gzipSync(first(token)), {}],
    ["in gzip, whose token comes last", (token) => gzipSync(last(token)), {}],
    ["in base64", (token) => Buffer.from(first(token)).toString("base64"), {}],
    ["in base64, whose token comes last", (token) => Buffer.from(last(token)).toString("base64"), {}],
    ["in lz64", (token) => encodeLz64(lists(token)), LZ64],
    ["in a form", (token) => `data=${encodeURIComponent(Buffer.from(lists(token)).toString("base64"))}`, FORM],
  ])("%s is taken under a project's token, and under no other", async (_name, body, options) => {
    expect(await status(body(TOKEN), options)).toBe(200);
    expect(await status(body("phc_nobodys"), options)).toBe(401);
    expect(await status(body("phx_personal"), options)).toBe(401);
  });

  it("is taken while the table does not answer", async () => {
    const platform = captureWorld();
    platform.break("table");
    expect(await status(first(TOKEN), {}, platform)).toBe(200);
  });

  it("without a token is refused as a small one is", async () => {
    expect(await status(`[${events(LARGE)}]`)).toBe(401);
    expect(await status(`{"batch":[${events(LARGE)}]}`)).toBe(400);
    expect(await status(`[${events(LARGE, { batch: [] })}]`)).toBe(401);
    expect(await status(`{"batch":[${events(LARGE)}],"a":${"[".repeat(200)}`)).toBe(400);
    expect(await status(`{"batch":[${events(LARGE)}],"a":[${"1,".repeat(2_000_000)}1]}`)).toBe(413);
  });

  it("in lz64 has its token at the beginning where it is larger than a megabyte: that takes long to decode", async () => {
    const note = "x".repeat(1_000);
    const many = (fields: object): string =>
      encodeLz64(
        JSON.stringify(Array.from({ length: 1_100 }, (_, at) => anEvent({ ...(at === 1_099 ? { token: TOKEN } : {}), ...fields, note }))),
      );
    expect(await status(many({ token: TOKEN }), LZ64)).toBe(200);
    expect(await status(many({}), LZ64)).toBe(413);
  });

  it("has its token before the events where it is larger still", async () => {
    expect(await status(first(TOKEN, MAX_UNKNOWN_SENDER_BYTES + 1))).toBe(200);
    expect(await status(last(TOKEN, MAX_UNKNOWN_SENDER_BYTES - 10_000))).toBe(200);
    const reply = await serve(aRequest(last(TOKEN, MAX_UNKNOWN_SENDER_BYTES + 1)), captureWorld().world);
    expect(reply).toMatchObject({ status: 413, body: expect.stringContaining("the api_key has to stand before the batch") });
  });

  it("is refused before it is sent where its length says so", async () => {
    const { world } = captureWorld();
    const begun = (text: string, length: number) =>
      judgeBeginning(aRequest(text.slice(0, LARGE), { headers: { "content-length": String(length) } }), world);
    expect(await begun(last(TOKEN, MAX_UNKNOWN_SENDER_BYTES), MAX_UNKNOWN_SENDER_BYTES + 1)).toMatchObject({ status: 413 });
    expect(await begun(last(TOKEN, MAX_UNKNOWN_SENDER_BYTES), MAX_UNKNOWN_SENDER_BYTES)).toBe("unknown");
    expect(await begun(first(TOKEN, MAX_UNKNOWN_SENDER_BYTES), MAX_UNKNOWN_SENDER_BYTES + 1)).toBe("known");
  });

  it("under an unknown token is neither decompressed nor parsed: a bomb, and what is no JSON further on", async () => {
    expect(await status(gzipSync(Buffer.concat([Buffer.from('{"api_key":"phc_nobodys",'), Buffer.alloc(64 * 1024 * 1024, 32)])))).toBe(401);
    expect(await status(`{"api_key":"phc_nobodys",${"[".repeat(4 * LARGE)}`)).toBe(401);
  });
});

describe("an address that goes on sending under unknown tokens", () => {
  it("is told to come again, costs the table nothing, and keeps nobody out whose token is known", async () => {
    const platform = captureWorld();
    const send = (body: string) => serve(aRequest(body), platform.world);
    expect((await send(first(TOKEN))).status).toBe(200);
    const refused = `[${events(MAX_UNKNOWN_SENDER_BYTES - 10_000)}]`;
    for (let sent = 0; sent < 11; sent += 1) expect((await send(refused)).status).toBe(401);
    const reads = platform.reads();
    for (const body of [refused, first("phc_new"), `{"api_key":"phc_new","batch":[${events(1)}]}`])
      expect(await send(body)).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect(platform.reads()).toBe(reads);
    platform.setNow(NOW + 10_000);
    expect((await send(first(TOKEN))).status).toBe(200);
    expect((await send(first("phc_new"))).status).toBe(401);
  });
});
