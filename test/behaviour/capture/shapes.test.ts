import { describe, expect, it } from "vitest";
import { serve } from "../../../functions/capture/serve.ts";
import { readDistinctId } from "../../../lib/event/identity.ts";
import { aBatch, anEvent, aRequest, seen } from "../../support/samples/capture-requests.ts";
import { captureWorld, TOKEN } from "../../support/worlds/capture-world.ts";

const NO_NAME = "failed to hydrate events from request: non-engage request missing event name attribute";
const NO_ID = "event submitted without a distinct_id";
const UUID = "01a1fb4b-bb45-78f8-9d76-ddbed804a681";
const post = async (body: unknown, url = "/batch/") => {
  const platform = captureWorld();
  const reply = await serve(aRequest(body, { url }), platform.world);
  return { ...seen(reply), platform };
};

const HALF = "x".repeat(550_000);

describe("200 for every shape", () => {
  it.each([
    ["a list", [anEvent({ token: TOKEN })], "/batch/", 1],
    ["a list whose token is a property", [anEvent({ properties: { token: TOKEN } })], "/batch/", 1],
    ["a list where one event has the token", [anEvent({ $token: TOKEN }), anEvent()], "/batch/", 2],
    ["an envelope", aBatch(), "/batch/", 1],
    ["an envelope keyed by token", { token: TOKEN, batch: [anEvent()] }, "/batch/", 1],
    ["an envelope with explicit nulls", aBatch([anEvent()], { historical_migration: null, sent_at: null }), "/batch/", 1],
    ["an envelope with a sent_at that is no time", aBatch([anEvent()], { sent_at: "soon" }), "/batch/", 1],
    ["an envelope with unknown fields", aBatch([anEvent({ type: "capture", library: "x" })], { extra: [1] }), "/batch/", 1],
    ["an import_id of no import", aBatch([anEvent()], { import_id: 5 }), "/batch/", 1],
    ["an envelope whose events have tokens of their own", aBatch([anEvent({ token: "a" }), anEvent({ token: "b" })]), "/batch/", 2],
    ["a single event", anEvent({ api_key: TOKEN }), "/batch/", 1],
    ["a person update on /engage", { token: TOKEN, distinct_id: "x", $set: { a: 1 } }, "/engage/", 1],
    ["an event on /i/v0/e/", aBatch(), "/i/v0/e/", 1],
    ["an event on /e", aBatch(), "/e", 1],
    ["an event on /track/", aBatch(), "/track/", 1],
    ["an event on /capture", aBatch(), "/capture", 1],
  ])("%s", async (_name, body, url, count) => {
    const { status, body: text, platform } = await post(body, url);
    expect({ status, text }).toEqual({ status: 200, text: '{"status":"Ok"}' });
    expect(platform.events()).toHaveLength(count);
  });

  it("a nameless person update on /engage is an $identify", async () => {
    const { platform } = await post({ token: TOKEN, distinct_id: "x", $set: { a: 1 } }, "/engage");
    expect(platform.events()).toMatchObject([{ position: 0, event: { event: "$identify", $set: { a: 1 } } }]);
  });
});

describe("200 for every form of a field", () => {
  it.each([
    ["distinct_id at the top", anEvent()],
    ["distinct_id as $distinct_id", anEvent({ distinct_id: undefined, $distinct_id: "a" })],
    ["distinct_id in properties", anEvent({ distinct_id: undefined, properties: { distinct_id: "a" } })],
    ["distinct_id null at the top, text in properties", anEvent({ distinct_id: null, properties: { distinct_id: "a" } })],
    ["distinct_id as a number", anEvent({ distinct_id: 23 })],
    ["distinct_id as an object", anEvent({ distinct_id: { b: 1, a: 2 } })],
    ["distinct_id that is long", anEvent({ distinct_id: "x".repeat(5000) })],
    ["uuid", anEvent({ uuid: UUID })],
    ["uuid in capitals", anEvent({ uuid: UUID.toUpperCase() })],
    ["uuid without hyphens", anEvent({ uuid: UUID.replaceAll("-", "") })],
    ["uuid empty", anEvent({ uuid: "" })],
    ["uuid null", anEvent({ uuid: null })],
    ["properties left out", anEvent({ properties: undefined })],
    ["timestamp that is no time", anEvent({ timestamp: "not a time" })],
    ["timestamp null", anEvent({ timestamp: null })],
    ["offset", anEvent({ offset: 1500 })],
    ["a name of 1,000 characters", anEvent({ event: "n".repeat(1000) })],
    ["$set at the top", anEvent({ $set: { a: 1 }, $set_once: {} })],
    ["cookieless mode", anEvent({ properties: { $cookieless_mode: true } })],
    [
      "prototype keys",
      '{"event":"e","distinct_id":"d","__proto__":{"x":1},"properties":{"__proto__":{"a":1},"constructor":{"prototype":1}}}',
    ],
    ["huge numbers", '{"event":"e","distinct_id":"d","properties":{"a":1e999,"b":-1e-999,"c":123456789012345678901234567890}}'],
    ["NUL and half a surrogate pair", '{"event":"e\\u0000","distinct_id":"\\ud800\\u0000","properties":{"\\u0000":"\\udfff"}}'],
  ])("%s", async (_name, event) => {
    const text = typeof event === "string" ? event : JSON.stringify(event);
    const { status, body, platform } = await post(`{"api_key":"${TOKEN}","batch":[${text}]}`);
    expect({ status, body }).toEqual({ status: 200, body: '{"status":"Ok"}' });
    expect(platform.events()).toHaveLength(1);
  });

  it("keeps prototype keys as ordinary properties", async () => {
    const { platform } = await post(`{"api_key":"${TOKEN}","batch":[{"event":"e","distinct_id":"d","properties":{"__proto__":{"a":1}}}]}`);
    expect(JSON.stringify(platform.events()[0]?.event.properties)).toBe('{"__proto__":{"a":1}}');
  });

  it.each([
    [23, "23"],
    [{ b: [1, { d: 1, c: null }], a: "x" }, '{"a":"x","b":[1,{"c":null,"d":1}]}'],
    [true, "true"],
    ["a\0b", "a\uFFFDb"],
    ["x".repeat(201), "x".repeat(200)],
    ["😀".repeat(201), "😀".repeat(200)],
  ])("stores distinct_id %j as %j", (given, stored) => {
    expect(readDistinctId({ event: "e", distinct_id: given })).toBe(stored);
  });
});

describe("400, and nothing is stored", () => {
  it.each([
    ["an empty object", {}, NO_NAME],
    ["a batch without a key", { batch: [anEvent()] }, NO_NAME],
    ["a batch that is no list", { api_key: TOKEN, batch: {} }, NO_NAME],
    ["a key that is no text", { api_key: 5, batch: [anEvent()] }, NO_NAME],
    ["a flag that is text", aBatch([anEvent()], { historical_migration: "true" }), /historical_migration must be a boolean$/],
    ["a sent_at that is a number", aBatch([anEvent()], { sent_at: 1763636400 }), /sent_at must be a string$/],
    [
      "a flagged batch whose import has no name",
      aBatch([anEvent()], { historical_migration: true, import_id: "" }),
      /import_id must be a text of 1 to 200 characters$/,
    ],
    ["an empty batch", aBatch([]), "request holds no event"],
    ["an empty list", [], "request holds no event"],
    ["no JSON", '{"api_key":\n "secret" ]', "failed to parse request: the body is not valid JSON (line 2, column 11)"],
    [
      "JSON that ends too early",
      '{"api_key":',
      "failed to parse request: the body is not valid JSON, it ends too early (line 1, column 12)",
    ],
    [
      "JSON behind a byte order mark",
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(aBatch()))]),
      /^failed to parse request: /,
    ],
    ["two documents", `${JSON.stringify(aBatch())}{}`, /^failed to parse request: /],
    ["a number", "5 ", "failed to parse request: expected an object or a list of events"],
    ["null", "null ", "failed to parse request: expected an object or a list of events"],
    ["a person update elsewhere", { token: TOKEN, distinct_id: "x", $set: {} }, NO_NAME],
  ])("%s", async (_name, body, text) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(text);
    expect(answer.platform.queued).toEqual([]);
  });

  it.each([
    ["no name", anEvent({ event: undefined }), "failed to parse request: event must be a string (event 1)"],
    ["a name that is no text", anEvent({ event: 5 }), "failed to parse request: event must be a string (event 1)"],
    ["an empty name", anEvent({ event: "" }), "event submitted with an empty event name"],
    ["no distinct_id", anEvent({ distinct_id: undefined }), NO_ID],
    ["distinct_id null", anEvent({ distinct_id: null }), NO_ID],
    ["distinct_id empty in both places", anEvent({ distinct_id: "", properties: { distinct_id: "" } }), NO_ID],
    ["a uuid that is none", anEvent({ uuid: "not-a-uuid" }), "failed to parse request: uuid must be a UUID (event 1)"],
    ["a uuid that is a number", anEvent({ uuid: 7 }), "failed to parse request: uuid must be a UUID (event 1)"],
    ["properties null", anEvent({ properties: null }), "failed to parse request: properties must be an object (event 1)"],
    ["properties that are a list", anEvent({ properties: [] }), "failed to parse request: properties must be an object (event 1)"],
    ["a timestamp that is a number", anEvent({ timestamp: 1763636400 }), "failed to parse request: timestamp must be a string (event 1)"],
    ["an offset that is text", anEvent({ offset: "5" }), "failed to parse request: offset must be an integer of milliseconds (event 1)"],
    ["an offset with a fraction", anEvent({ offset: 1.5 }), "failed to parse request: offset must be an integer of milliseconds (event 1)"],
    ["a token that is a number", anEvent({ token: 5 }), "failed to parse request: token must be a string (event 1)"],
    ["a $token that is a number", anEvent({ $token: 5 }), "failed to parse request: token must be a string (event 1)"],
    ["an api_key that is a list", anEvent({ api_key: [] }), "failed to parse request: token must be a string (event 1)"],
    ["$set that is a list", anEvent({ $set: [] }), "failed to parse request: $set must be an object (event 1)"],
    ["$set_once that is text", anEvent({ $set_once: "x" }), "failed to parse request: $set_once must be an object (event 1)"],
    ["cookieless mode as text", anEvent({ properties: { $cookieless_mode: "yes" } }), "event submitted with invalid cookieless mode"],
    ["an event that is no object", "event", "failed to parse request: an event must be an object (event 1)"],
    ["an event that is null", null, "failed to parse request: an event must be an object (event 1)"],
  ])("one event among good ones: %s", async (_name, event, text) => {
    const answer = await post(aBatch([anEvent(), event, anEvent()]));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(text);
    expect(answer.body).not.toContain("\n");
    expect(answer.platform.queued).toEqual([]);
  });

  it("an event that is wrong in the first place of a list, which is said", async () => {
    const answer = await post([anEvent({ token: TOKEN, uuid: "x" }), anEvent({ token: TOKEN })]);
    expect(answer).toMatchObject({ status: 400, body: "failed to parse request: uuid must be a UUID (event 0)" });
  });

  it("nesting deeper than 128 levels", async () => {
    const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const nestedObjects = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
    const withProperty = (json: string, name = "a"): string =>
      `{"api_key":"${TOKEN}","batch":[{"event":"e","distinct_id":"d","properties":{"${name}":${json}}}]}`;
    const large = `"${"x".repeat(200_000)}"`;
    for (const beside of ["0", large])
      for (const name of ["a", "__proto__"]) {
        expect((await post(withProperty(`${nested(124)},"b":${beside}`, name))).status).toBe(200);
        expect(await post(withProperty(`${nested(125)},"b":${beside}`, name))).toMatchObject({ status: 400, body: TOO_DEEP });
        expect((await post(withProperty(`${nestedObjects(124)},"b":${beside}`, name))).status).toBe(200);
        expect(await post(withProperty(`${nestedObjects(125)},"b":${beside}`, name))).toMatchObject({ status: 400, body: TOO_DEEP });
      }
    for (const text of [withProperty(nested(10_000)), withProperty(nested(1_000_000)), `${'{"a":'.repeat(10_000)}1`, "[".repeat(5_000_000)])
      expect(await post(text)).toMatchObject({ status: 400, body: TOO_DEEP });
  });
});

const TOO_DEEP = "failed to parse request: nested deeper than 128 levels";

describe("413, and nothing is stored", () => {
  it.each([
    ["two million commas", `[${"1,".repeat(2_000_001)}1]`],
    ["two million empty lists", `[${"[],".repeat(1_000_001)}[]]`],
    ["two million empty objects", `[${"{},".repeat(1_000_001)}{}]`],
    ["an event over 1 MiB in an envelope", aBatch([anEvent(), anEvent({ properties: { a: "x".repeat(1_100_000) } })])],
    ["an event over 1 MiB in a list", [anEvent({ token: TOKEN, properties: { a: "x".repeat(1_100_000) } })]],
    ["an event of two large halves in a list", [anEvent({ token: TOKEN, properties: { a: HALF }, $set: { b: HALF } })]],
    ["more than 100,000 events", aBatch(Array.from({ length: 100_001 }, () => anEvent()))],
    ["a single event over 1 MiB", anEvent({ token: TOKEN, properties: { a: "x".repeat(1_100_000) } })],
  ])("%s", async (_name, body) => {
    const answer = await post(body);
    expect(answer.body).toMatch(/^maximum event size exceeded: /);
    expect(answer.status).toBe(413);
    expect(answer.platform.queued).toEqual([]);
  });

  it("objects of 150,000 different names, in one object or in many, but not of as many equal ones", async () => {
    const names = (count: number, name: (index: number) => string): string[] =>
      Array.from({ length: count }, (_, index) => `"${name(index)}":1`);
    const distinct = names(160_000, (index) => `k${index}`);
    const beside = (values: readonly string[]) =>
      post(`{"api_key":"${TOKEN}","batch":[${JSON.stringify(anEvent())}],"extra":[${values.join(",")}]}`);
    const tooMany = { status: 413, body: "maximum event size exceeded: the request holds too many different property names" };
    expect(await beside([`{${distinct.join(",")}}`])).toMatchObject(tooMany);
    expect(await beside(distinct.map((name) => `{${name}}`))).toMatchObject(tooMany);
    expect((await beside(names(400_000, () => "same").map((name) => `{${name}}`))).status).toBe(200);
    expect((await beside(Array.from({ length: 400_000 }, (_, index) => `"k${index}"`))).status).toBe(200);
  });

  it("but not commas and openers inside strings, nor an event of 900 KiB", async () => {
    expect((await post(aBatch([anEvent({ properties: { a: "[{,".repeat(300_000) } })]))).status).toBe(200);
    expect((await post(aBatch([anEvent({ properties: { a: '\\",'.repeat(200_000) } })]))).status).toBe(200);
  });
});

describe("the log line of a refusal", () => {
  it("says what a batch without a key lacks, where the answer is what SDKs know", async () => {
    const platform = captureWorld();
    const reply = await serve(aRequest({ batch: [anEvent()] }), platform.world);
    expect(seen(reply)).toEqual({ status: 400, body: NO_NAME });
    expect(platform.lines.at(-1)?.fields).toMatchObject({
      method: "POST",
      path: "/batch/",
      status: 400,
      reason: NO_NAME,
      hint: expect.stringContaining("api_key"),
    });
  });

  it("names a path that nobody answers, without what could be a key in it", async () => {
    const platform = captureWorld();
    await serve(aRequest("", { method: "GET", url: "/nowhere/phc_secret/me@example.test" }), platform.world);
    expect(platform.lines.at(-1)?.fields).toMatchObject({ status: 404, route: "none", path: "/nowhere/…/…" });
  });
});
