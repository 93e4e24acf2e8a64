import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { serve } from "../../../functions/capture/serve.ts";
import { decodeLz64 } from "../../../lib/http/sdk/lz64.ts";
import { encodeLz64, lz64Bomb } from "../../support/lz64.ts";
import { aBatch, anEvent, aRequest, seen } from "../../support/samples/capture-requests.ts";
import { captureWorld } from "../../support/worlds/capture-world.ts";

const BODY = JSON.stringify(aBatch([anEvent({ event: "naïve 日本 +&=" })]));
const BASE64 = Buffer.from(BODY).toString("base64");
const GZIP = gzipSync(BODY);
const LZ64 = encodeLz64(BODY);
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const TEXT = { "content-type": "text/plain" };
const form = (data: string): string => `data=${encodeURIComponent(data)}`;

/** Name, body, options, and the status that the contract's matrix gives. */
const MATRIX: readonly (readonly [string, unknown, Parameters<typeof aRequest>[1], number])[] = [
  ["JSON as JSON", BODY, {}, 200],
  ["JSON as text", BODY, { headers: TEXT }, 200],
  ["JSON as bytes of no type", BODY, { headers: { "content-type": "application/octet-stream" } }, 200],
  ["JSON with an unknown hint", BODY, { url: "/batch/?compression=brotli" }, 200],
  ["JSON with an empty hint", BODY, { url: "/batch/?compression=" }, 200],
  ["base64 as JSON, hinted", BASE64, { url: "/batch/?compression=base64" }, 200],
  ["base64 as JSON, hinted in capitals", BASE64, { url: "/batch/?compression=B64" }, 200],
  ["base64 as JSON", BASE64, {}, 200],
  ["base64 as text, hinted", BASE64, { headers: TEXT, url: "/batch/?compression=b64" }, 200],
  ["base64 as text", BASE64, { headers: TEXT }, 200],
  ["gzip as JSON, hinted in the query", GZIP, { url: "/batch/?compression=gzip-js" }, 200],
  ["gzip as JSON, hinted in the header", GZIP, { headers: { "content-encoding": "gzip" } }, 200],
  ["gzip as JSON", GZIP, {}, 200],
  ["gzip as text", GZIP, { headers: TEXT }, 200],
  ["base64 of gzip", GZIP.toString("base64"), {}, 200],
  ["JSON under a gzip header that a proxy left", BODY, { headers: { "content-encoding": "gzip" } }, 200],
  ["JSON that the query calls gzip", BODY, { url: "/batch/?compression=gzip" }, 400],
  ["form of JSON", form(BODY), { headers: FORM }, 200],
  ["form of base64", form(BASE64), { headers: FORM }, 400],
  ["form of base64 on a legacy path", form(BASE64), { headers: FORM, url: "/e/?compression=base64" }, 200],
  ["form of base64 whose pluses became spaces", `data=${BASE64}`, { headers: FORM, url: "/e/" }, 200],
  ["form of lz64, hinted in the query", form(LZ64), { headers: FORM, url: "/batch/?compression=lz64" }, 200],
  ["form of lz64, hinted in the form", `compression=lz-string&${form(LZ64)}&ip=1`, { headers: FORM }, 200],
  ["form fields after the data", `ip=1&_=1&${form(BODY)}&ver=1`, { headers: FORM }, 200],
  ["form type without a form", BODY, { headers: FORM }, 400],
  ["form without data", "ip=1", { headers: FORM }, 400],
  ["lz64 as text, hinted", LZ64, { headers: TEXT, url: "/batch/?compression=lz64" }, 200],
  ["GET of base64", "", { method: "GET", url: `/batch/?compression=base64&data=${encodeURIComponent(BASE64)}` }, 200],
  ["GET of base64 with bare pluses", "", { method: "GET", url: `/batch/?data=${BASE64}` }, 200],
  ["GET of JSON", "", { method: "GET", url: `/batch/?data=${encodeURIComponent(BODY)}` }, 200],
  ["GET of lz64", "", { method: "GET", url: `/batch/?compression=lz64&data=${encodeURIComponent(LZ64)}` }, 200],
  ["GET with a body", BODY, { method: "GET" }, 200],
  ["query data before the body", "rubbish", { url: `/batch/?data=${encodeURIComponent(BODY)}` }, 200],
];

describe("encodings of POST /batch/", () => {
  it.each(MATRIX)("%s", async (_name, body, options, status) => {
    const platform = captureWorld();
    const reply = await serve(aRequest(body, options), platform.world);
    expect(seen(reply).status, seen(reply).body).toBe(status);
    expect(platform.events().map(({ event }) => event.event)).toEqual(status === 200 ? ["naïve 日本 +&="] : []);
  });

  it("forwards the client's own gzip bytes untouched", async () => {
    const platform = captureWorld();
    await serve(aRequest(GZIP), platform.world);
    expect(platform.queued[0]?.message.body).toEqual({ encoding: "gzip", inline: GZIP.toString("base64") });
  });

  it("reads an lz64 stream of long repeats", async () => {
    expect(decodeLz64(Buffer.from(lz64Bomb(1000)), 1_000_000).toString()).toBe("a".repeat(1 + (1001 * 1002) / 2 - 1));
  });

  it("unwraps base64 inside gzip on legacy paths only", async () => {
    const platform = captureWorld();
    const body = gzipSync(BASE64);
    expect((await serve(aRequest(body, { url: "/capture/" }), platform.world)).status).toBe(200);
    expect((await serve(aRequest(body), platform.world)).status).toBe(400);
    expect(platform.events()).toHaveLength(1);
  });
});

describe("400 for what cannot be decoded", () => {
  it.each([
    ["no body", "", {}, "request missing data payload"],
    ["truncated gzip", GZIP.subarray(0, 40), {}, "failed to decode request: invalid GZIP data"],
    ["corrupt gzip", Buffer.concat([GZIP.subarray(0, 20), Buffer.alloc(30, 7)]), {}, "failed to decode request: invalid GZIP data"],
    ["no gzip at all", "not gzip", { headers: { "content-encoding": "gzip" } }, "failed to decode request: invalid GZIP data"],
    [
      "gzip of bytes that are no UTF-8",
      gzipSync(Buffer.from([0x22, 0xff, 0x22])),
      {},
      "failed to decode request: invalid UTF8 in request payload",
    ],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xc3, 0x28, 0x7d]), {}, "failed to decode request: invalid UTF8 in request payload"],
    ["a surrogate in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), {}, "failed to decode request: invalid UTF8 in request payload"],
    [
      "lz64 of other letters",
      "data=%2A%2A%2A",
      { headers: FORM, url: "/batch/?compression=lz64" },
      "failed to decode request: invalid LZ64 data",
    ],
    [
      "truncated lz64",
      form(LZ64.slice(0, 20)),
      { headers: FORM, url: "/batch/?compression=lz64" },
      "failed to decode request: invalid LZ64 data",
    ],
    ["form type without a form", "hello", { headers: FORM }, "failed to decode request: expected form data in POST request payload"],
    [
      "a send time that is no number",
      BODY,
      { url: "/batch/?_=yesterday" },
      "failed to decode request: query parameter _ must be an integer",
    ],
  ])("%s", async (_name, body, options, text) => {
    const platform = captureWorld();
    const reply = await serve(aRequest(body, options), platform.world);
    expect(seen(reply)).toEqual({ status: 400, body: text });
    expect(reply.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(platform.queued).toEqual([]);
  });

  it("tells in its log line what was meant where JSON is sent as a form, as curl does without a header", async () => {
    const platform = captureWorld();
    await serve(aRequest(BODY, { headers: FORM }), platform.world);
    expect(platform.lines.at(-1)?.fields).toMatchObject({ status: 400, hint: expect.stringContaining("application/json") });
  });
});

describe("413 for what grows past its bound", () => {
  const bomb = Buffer.alloc(64 * 1024 * 1024, "a");
  it.each([
    ["a body over 20 MiB", Buffer.alloc(20 * 1024 * 1024 + 1, "a"), {}],
    ["a gzip bomb", gzipSync(bomb), {}],
    ["a gzip bomb in base64", gzipSync(bomb).toString("base64"), {}],
    [
      "a gzip bomb in a form",
      `data=${[...gzipSync(bomb)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")}`,
      { headers: FORM },
    ],
    ["a gzip bomb on a legacy path", gzipSync(bomb), { url: "/e/" }],
    ["an lz64 bomb", lz64Bomb(100_000), { url: "/batch/?compression=lz64" }],
  ])("%s", async (_name, body, options) => {
    const platform = captureWorld();
    const reply = await serve(aRequest(body, options), platform.world);
    expect(seen(reply).body).toMatch(/^maximum event size exceeded: /);
    expect(reply.status).toBe(413);
    expect(platform.queued).toEqual([]);
  });
});
