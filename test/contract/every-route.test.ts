import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { groups } from "../../functions/index.ts";
import { type Group, group } from "../../lib/app/routes.ts";
import { fill } from "../../lib/core/template.ts";
import { isAlias, openapi } from "../../lib/http/openapi.ts";
import { takesAnyClient } from "../../lib/http/reply.ts";
import type { DeclaredRoute } from "../../lib/http/route.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { anEngine } from "../support/engine.ts";
import { memoryObjects } from "../support/memory-objects.ts";
import { type Asked, aHousehold, aPersonalKey, apiWorld, aSecretKey, ask } from "../support/worlds/api-world.ts";
import { sample } from "./sample.ts";

/** A declared group of each kind of access stands beside the registry, so that these tests are tested whatever is registered. */
const all: readonly Group[] = [...groups, sample];

const declared = all.flatMap((of) => of.routes.map((route) => ({ id: route.id, of, route })));
const guarded = declared.filter(({ route }) => route.access.level !== "anyone");
/** The key that opens an operation of the first household. */
const keyOf = ({ access }: DeclaredRoute, { all, secret }: { readonly all: string; readonly secret: string }): string =>
  access.level === "account" ? secret : all;

const readingBodies = declared.filter(({ route }) => route.body !== undefined);

const Envelope = z.strictObject({
  type: z.enum(["validation_error", "invalid_request", "authentication_error", "throttled_error", "server_error"]),
  code: z.string().min(1),
  detail: z.string().min(1),
  attr: z.string().nullable(),
});

/** The bodies of their own that the contract gives some errors. */
const Own = z.union([
  z.looseObject({ error: z.string().min(1) }),
  z.strictObject({ detail: z.string().min(1) }),
  z.looseObject({ statusText: z.string().min(1), detail: z.string().min(1), code: z.string().min(1) }),
  z.strictObject({ license: z.tuple([z.string().min(1)]) }),
]);

/** So many calls in one moment are not what is tested here. */
const unthrottled = readConfig((field) => (field === "throttleScale" ? "1000" : undefined));

const objects = memoryObjects();
const engine = anEngine(objects);

const setup = async () => {
  const { world } = apiWorld({ objects, engine: engine(), config: unthrottled });
  const home = await aHousehold(world, 1);
  const away = await aHousehold(world, 2);
  const keys = {
    all: home.key,
    stranger: away.key,
    powerless: await aPersonalKey(world, home.user, []),
    elsewhere: await aPersonalKey(world, home.user, ["*"], { teams: [2] }),
    secret: await aSecretKey(world, home.project, ["endpoint:read", "account:read", "account:write"]),
  };
  const values: Readonly<Record<string, string>> = { project_id: "1", organization_id: home.organization.id };
  const pathOf = (route: DeclaredRoute): string =>
    fill(route.path, new Proxy({}, { get: (_, name) => holeValue(route, String(name), values) }), encodeURIComponent);
  const readingKey = ({ access }: DeclaredRoute) =>
    aPersonalKey(
      world,
      home.user,
      access.scopes.map((scope) => scope.replace(":write", ":read")),
    );
  const call = (of: Group, route: DeclaredRoute, asked: Asked = {}, method: string = route.method) =>
    ask(of, world, method, pathOf(route), asked);
  return { world, keys, readingKey, pathOf, call };
};

/** The organization's own path names it by `id`; everything else that a path names does not exist here. */
const holeValue = (route: DeclaredRoute, hole: string, values: Readonly<Record<string, string>>): string => {
  if (hole === "id" && route.access.level === "organization" && !route.path.includes("{organization_id}"))
    return values.organization_id ?? "";
  return values[hole] ?? "0190d0aa-0000-7000-8000-00000000000f";
};

let built: Awaited<ReturnType<typeof setup>>;
beforeAll(async () => {
  built = await setup();
});

describe.each(guarded)("$id", ({ of, route }) => {
  it("is closed without a key, and with a key that nobody has", async () => {
    for (const asked of [{}, { key: "phx_nobody" }]) {
      const reply = await built.call(of, route, asked);
      expect(reply.status).toBe(401);
      if (route.access.level === "account") Own.parse(reply.json);
      else expect(Envelope.parse(reply.json).type).toBe("authentication_error");
    }
  });
  it("is closed to a key without its scope", async () => {
    if (route.access.level === "account") return;
    const reply = await built.call(of, route, { key: built.keys.powerless });
    const [needed] = route.access.scopes;
    if (needed !== undefined) expect(Envelope.parse(reply.json).detail).toBe(`API key missing required scope '${needed}'`);
  });
  it("tells a key that may only read there what lies at its path", async () => {
    if (route.access.level === "account") return;
    const reply = await built.call(of, route, { key: await built.readingKey(route) }, "OPTIONS");
    expect(reply.status).toBe(200);
    expect(reply.headers.allow?.split(", ")).toContain(route.method);
  });
  it("is closed to another organization's key", async () => {
    if (route.access.level === "user" || route.access.level === "account") return;
    const reply = await built.call(of, route, { key: built.keys.stranger });
    expect([403, 404]).toContain(reply.status);
    Envelope.parse(reply.json);
  });
  it("is closed to a key that is restricted to another project", async () => {
    if (route.access.level !== "project") return;
    const reply = await built.call(of, route, { key: built.keys.elsewhere });
    expect([reply.status, Envelope.parse(reply.json).detail]).toEqual([
      403,
      "API key does not have access to the requested project: ID 1.",
    ]);
  });
  it("takes a project's secret key only where it says so", async () => {
    if (route.access.secretKeys) return;
    const reply = await built.call(of, route, { key: built.keys.secret });
    expect([reply.status, Envelope.parse(reply.json).detail]).toEqual([403, "This action does not support project secret API key access"]);
  });
});

describe.each(declared)("$id", ({ of, route }) => {
  it("refuses an unknown method, naming those it has", async () => {
    const reply = await built.call(of, route, { key: keyOf(route, built.keys) }, "PROPFIND");
    expect([reply.status, Envelope.parse(reply.json).code]).toEqual([405, "method_not_allowed"]);
    expect(reply.headers.allow?.split(", ")).toContain(route.method);
  });
  it("answers alike with and without the final slash", async () => {
    const path = built.pathOf(route);
    const reply = async (asked: string) => {
      const { world, keys } = await setup();
      return ask(of, world, route.method === "GET" ? "GET" : "OPTIONS", asked, { key: keyOf(route, keys) });
    };
    // One after the other: both have one engine, and of two queries of a project at once the second is 429 where the first takes two seconds.
    const withSlash = await reply(path);
    const without = await reply(path.slice(0, -1));
    expect(without.status).toBe(withSlash.status);
    expect(withSlash.status).toBeLessThan(500);
  });
  it("sends nothing but JSON to whoever wants something else", async () => {
    if (takesAnyClient(route.reply)) return;
    const reply = await built.call(of, route, { key: keyOf(route, built.keys), headers: { accept: "application/xml" } });
    expect([reply.status, Envelope.parse(reply.json).code]).toEqual([406, "not_acceptable"]);
  });
  it("never fails on a path's values, and answers errors in the contract's shape", async () => {
    for (const odd of ["%00", "a%2Fb", "%F0%9F%92%A9", "1e9", "-1", "' or 1=1", "x".repeat(300)]) {
      const path = route.path.replace(/\{(\w+)\}/g, (_, hole: string) =>
        hole === "project_id" || hole === "organization_id" ? (hole === "project_id" ? "1" : "x") : odd,
      );
      const reply = await ask(of, built.world, route.method, path, { key: keyOf(route, built.keys) });
      expect(reply.status, path).toBeLessThan(500);
      if (reply.status >= 400 && reply.body !== "") z.union([Envelope, Own]).parse(reply.json);
    }
  });
});

const NESTED = "[".repeat(10_000);

describe.each(readingBodies)("the body of $id", ({ of, route }) => {
  const send = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    built.call(of, route, { key: keyOf(route, built.keys), body, headers });
  it.each([
    ["malformed JSON", "{", 400, "parse_error"],
    ["10,000 levels", NESTED, 400, "parse_error"],
    ["bad UTF-8", new Uint8Array([0xff, 0xfe]), 400, "parse_error"],
    ["gzip", new Uint8Array([0x1f, 0x8b, 0x08, 0x00]), 400, "parse_error"],
    ["more than 4 MiB", " ".repeat(4 * 1024 * 1024 + 1), 413, "payload_too_large"],
    ["too many values", `[${"{},".repeat(300_000)}{}]`, 413, "payload_too_large"],
  ])("is refused: %s", async (_, body, status, code) => {
    const reply = await send(body);
    expect([reply.status, Envelope.parse(reply.json).code]).toEqual([status, code]);
  });
  it("is refused with a media type that nobody reads", async () => {
    expect(Envelope.parse((await send("x", { "content-type": "text/plain" })).json).code).toBe("unsupported_media_type");
  });
  it("never fails on values of the wrong kind", async () => {
    const keys = Object.keys(
      z
        .record(z.string(), z.unknown())
        .catch({})
        .parse(route.body instanceof z.ZodObject ? route.body.shape : {}),
    );
    const odd = [null, true, -1, 1e300, "", "x", "\u0000", [], [null], {}, { a: { b: [] } }];
    const bodies = [...odd, { unknown: 1 }, ...keys.flatMap((key) => odd.map((value) => ({ [key]: value })))];
    for (const body of bodies) {
      const reply = await send(JSON.stringify(body));
      expect(reply.status, JSON.stringify(body)).toBeLessThan(500);
      if (reply.status >= 400 && reply.body !== "") z.union([Envelope, Own]).parse(reply.json);
    }
  });
});

describe("the description of the API", () => {
  const document = openapi(all, { title: "t", description: "d", baseUrl: "https://a.example", ingestUrl: "https://b.example", tags: {} });
  const paths = z
    .record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })))
    .parse(document.paths);
  it.each(declared.filter(({ route }) => route.reply.status < 400 && !isAlias(route)))("lists $id with its errors", ({ route }) => {
    const told = paths[route.path.replace(/(.)\/$/, "$1")]?.[route.method.toLowerCase()];
    const statuses = Object.keys(told?.responses ?? {});
    expect(statuses).toContain(String(route.reply.status));
    if (route.access.level !== "anyone") expect(statuses).toEqual(expect.arrayContaining(["401", "403"]));
    if (route.body) expect(statuses).toEqual(expect.arrayContaining(["400", "413", "415"]));
  });
});

it("no two groups declare one path, but for the root, where pages and SDKs meet", () => {
  const paths = groups.flatMap((of) => of.paths.map((path) => path.replace(/\{[^}]+\}/g, "{}")));
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual(["/"]);
});

it("a group without operations of its own is none", () => {
  expect(() =>
    group({ name: "g", gateway: "management", uses: {}, routes: declared.slice(0, 1).flatMap(({ route }) => [route, route]) }),
  ).toThrow("twice");
});
