import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { endpoints } from "../../functions/endpoints/routes.ts";
import { groups } from "../../functions/index.ts";
import type { Group } from "../../lib/app/routes.ts";
import { MAX_BODY_BYTES } from "../../lib/http/input/body.ts";
import type { DeclaredRoute } from "../../lib/http/route.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { anEngine } from "../support/engine.ts";
import { memoryObjects } from "../support/memory-objects.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { type Asked, aHousehold, apiWorld, aSecretKey, ask } from "../support/worlds/api-world.ts";

const declared = groups.flatMap((of) => of.routes.map((route) => ({ id: route.id, of, route })));
const guarded = declared.filter(({ route }) => route.access.level !== "anyone");
const reading = declared.filter(({ route }) => route.body !== undefined);

const Refusal = z.union([
  z.strictObject({ type: z.string(), code: z.string(), detail: z.string(), attr: z.string().nullable() }),
  z.looseObject({ error: z.union([z.string(), z.record(z.string(), z.array(z.string()))]) }),
  z.strictObject({ detail: z.string() }),
  // What billing refuses, as a billing service would.
  z.looseObject({ statusText: z.string(), detail: z.string(), code: z.string() }),
  z.strictObject({ license: z.tuple([z.string()]) }),
]);

/** So many calls in one moment are not what is tested here. */
const unthrottled = readConfig((field) => (field === "throttleScale" ? "100000" : undefined));

/** The name of an endpoint that is there, so that what is odd about a call is its body. */
const SAVED = "saved";
const objects = memoryObjects();
const engine = anEngine(objects);

const setup = async () => {
  const { world } = apiWorld({ objects, engine: engine(), config: unthrottled });
  const home = await aHousehold(world, 1);
  const secret = await aSecretKey(world, home.project, ["account:write"]);
  await aHousehold(world, 2);
  const call = async (of: Group, route: DeclaredRoute, path: string, asked: Asked = {}, method: string = route.method) => {
    const key = route.access.level === "account" ? secret : home.key;
    const reply = await ask(of, world, method, path, { key, ...asked });
    const sent = JSON.stringify(asked.body)?.slice(0, 100);
    expect(reply.status, `${method} ${path.slice(0, 100)} ${sent}`).toBeLessThan(500);
    if (reply.status >= 400 && reply.body !== "" && method !== "HEAD") Refusal.parse(reply.json);
    return reply;
  };
  /** Saves the endpoint, should a call before have deleted it. */
  const save = async (): Promise<void> => {
    const body = { name: SAVED, query: sqlQuery("SELECT {variables.v} AS v", { v: 1 }) };
    const { status } = await ask(endpoints, world, "POST", "/api/projects/1/endpoints/", { key: home.key, body });
    expect([201, 400]).toContain(status);
    expect(await ask(endpoints, world, "GET", `/api/projects/1/endpoints/${SAVED}/`, { key: home.key })).toMatchObject({ status: 200 });
  };
  return { home, call, save };
};

let built: Awaited<ReturnType<typeof setup>>;
beforeAll(async () => {
  built = await setup();
});

/** The path with every hole filled; those that name a place with the caller's own unless given. */
const pathOf = (route: DeclaredRoute, odd: string, place: { project_id?: string; organization_id?: string } = {}): string =>
  route.path.replace(/\{(\w+)\+?\}/g, (_, hole: string) => {
    if (hole === "project_id") return place.project_id ?? "1";
    if (hole === "organization_id") return place.organization_id ?? built.home.organization.id;
    if (odd === SAVED && route.access.level === "organization" && hole === "id") return built.home.organization.id;
    return odd;
  });

const ODD_SEGMENTS = [
  ...["%", "%zz", "%c0%af", "%ff", "..", "%2e%2e", ".", "%2F", "a%2F..%2Fb", "%00", "%0d%0aset-cookie:x", "%ED%A0%80", "%E2%80%AE", " "],
  ...[
    "null",
    "undefined",
    "__proto__",
    "constructor",
    "-0",
    "1e400",
    "9".repeat(400),
    "é".repeat(2_000),
    "x".repeat(20_000),
    "#",
    "#x#y",
    "*",
  ],
];

describe.each(guarded)("$id", ({ of, route }) => {
  it.each(ODD_SEGMENTS.map((odd) => [odd.slice(0, 20), odd]))("answers in the contract's shape to %s in its path", async (_, odd) => {
    await built.call(of, route, pathOf(route, odd));
    if (route.path.includes("{project_id}")) {
      const reply = await built.call(of, route, pathOf(route, "x", { project_id: odd }));
      expect([403, 404]).toContain(reply.status);
    }
  });
  it("does not tell another tenant's things from none", async () => {
    if (!route.path.includes("{project_id}")) return;
    const reply = await built.call(of, route, pathOf(route, "total", { project_id: "2" }));
    expect([403, 404]).toContain(reply.status);
  });
  it("answers every odd query string and method", async () => {
    const path = pathOf(route, "x");
    for (const query of [
      "?",
      "?=&&=",
      "?limit=%00&offset=1e99",
      "?version=99999999999999999999",
      "?__proto__=1&constructor=2",
      `?a=${"x".repeat(8_000)}`,
      "?limit=1&limit=-1",
    ])
      await built.call(of, route, path + query);
    for (const method of ["TRACE", "get", "", "X".repeat(5_000), "__proto__", "HEAD"]) await built.call(of, route, path, {}, method);
  });
});

const nested = (open: string, close: string): string => open.repeat(10_000) + close.repeat(10_000);
const multipart = "multipart/form-data; boundary=b";

/** What is wrong with a body, how it is sent, and the status and code that it gets. */
const BODIES: readonly (readonly [string, string | Uint8Array, Readonly<Record<string, string>>, number, string])[] = [
  ["no JSON", "nothing", {}, 400, "parse_error"],
  ["cut off", '{"name":"a', {}, 400, "parse_error"],
  ["a byte order mark", "\ufeff{}", {}, 400, "parse_error"],
  ["half a letter", new Uint8Array([0x22, 0xc3, 0x22]), {}, 400, "parse_error"],
  ["lone numbers", "1e", {}, 400, "parse_error"],
  ["a NUL outside of texts", '{"a":\u0000}', {}, 400, "parse_error"],
  ["NaN", '{"version":NaN}', {}, 400, "parse_error"],
  ["a prototype", '{"__proto__":{"is_active":true}}', {}, 400, "parse_error"],
  ["a constructor's prototype", '{"constructor":{"prototype":{}}}', {}, 400, "parse_error"],
  ["10,000 lists", nested("[", "]"), {}, 400, "parse_error"],
  ["10,000 objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, {}, 400, "parse_error"],
  ["gzip", gzipSync("{}"), { "content-encoding": "gzip" }, 400, "parse_error"],
  ["more than 4 MiB", `"${"x".repeat(MAX_BODY_BYTES)}"`, {}, 413, "payload_too_large"],
  ["more than 4 MiB of gzip's", gzipSync(Buffer.alloc(1), { level: 0 }), { "content-encoding": "gzip" }, 400, "parse_error"],
  ["over 300,000 values", `[${"1,".repeat(300_001)}1]`, {}, 413, "payload_too_large"],
  ["plain text", "{}", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
  ["a type of no sense", "{}", { "content-type": ";;;/" }, 415, "unsupported_media_type"],
  ["XML", "<a/>", { "content-type": "application/xml" }, 415, "unsupported_media_type"],
  ["a form without a boundary", "--b\r\n", { "content-type": "multipart/form-data" }, 400, "parse_error"],
  ["a form cut off", '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nv', { "content-type": multipart }, 400, "parse_error"],
  ["a form that is none", "{}", { "content-type": multipart }, 400, "parse_error"],
];

const ODD_VALUES = [
  null,
  true,
  0,
  -1,
  -(2 ** 53) + 1,
  0.5,
  1e308,
  2 ** 53 + 2,
  "",
  "\u0000",
  "x".repeat(50_000),
  "\ud800",
  [],
  [[[]]],
  [null, 1, "x"],
  {},
  { a: {} },
];

describe.each(reading)("the body of $id", ({ of, route }) => {
  it.each(BODIES)("is refused: %s", async (_, body, headers, status, code) => {
    const reply = await built.call(of, route, pathOf(route, SAVED), { body, headers });
    expect([reply.status, z.object({ code: z.string() }).parse(reply.json).code]).toEqual([status, code]);
  });
  it("is answered with values of every wrong kind in every field", async () => {
    const fields = route.body instanceof z.ZodObject ? Object.keys(route.body.shape) : [];
    for (const field of [...fields, "unknown", "toString"]) {
      await built.save();
      for (const value of ODD_VALUES) await built.call(of, route, pathOf(route, SAVED), { body: JSON.stringify({ [field]: value }) });
    }
    for (const value of ODD_VALUES) await built.call(of, route, pathOf(route, SAVED), { body: JSON.stringify(value) });
  });
  it("holds no field that is not known, where the contract says so", async () => {
    if (!(route.body instanceof z.ZodObject) || route.bodyErrors === undefined) return;
    await built.save();
    const reply = await built.call(of, route, pathOf(route, SAVED), { body: { surely_unknown: 1 } });
    expect(reply.status).toBe(400);
  });
});
