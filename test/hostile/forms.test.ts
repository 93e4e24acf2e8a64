import { describe, expect, it } from "vitest";
import * as z from "zod";
import { serve } from "../../functions/capture/serve.ts";
import { group, route } from "../../lib/app/routes.ts";
import { anyone, projectKey } from "../../lib/auth/access.ts";
import { json } from "../../lib/http/reply.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { partitionNames } from "../../lib/table/partitions.ts";
import { aBatch, anEvent, aRequest } from "../support/samples/capture-requests.ts";
import { apiWorld } from "../support/worlds/api-world.ts";
import { captureWorld } from "../support/worlds/capture-world.ts";
import { freeMs, processorCostOf, withinReason } from "./cost.ts";

const MIB = 1024 * 1024;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe("a form at capture costs what its bytes cost", () => {
  const harmless = (): Promise<number> => {
    const body = aBatch(Array.from({ length: 4_096 }, () => anEvent({ properties: { distinct_id: "a", note: "x".repeat(900) } })));
    return processorCostOf(() => serve(aRequest(body), captureWorld().world));
  };
  it.each([
    ["four megabytes of separators", `data=1${"&".repeat(4 * MIB)}`, 413],
    ["two million names without a value", `data=1&${"a&".repeat(2 * MIB)}`, 400],
    ["one long name", `data=1&${"a".repeat(4 * MIB)}`, 413],
    ["a million empty values", `data=1&${"a=&".repeat(MIB)}`, 400],
  ])("%s", async (_name, body, status) => {
    const { world } = captureWorld();
    const cost = await processorCostOf(async () => {
      const reply = await serve(aRequest(body, { headers: FORM }), world);
      expect(reply.status).toBe(status);
    });
    expect(await withinReason(cost, await harmless())).toBe(true);
  });
});

const things = group({
  name: "things",
  gateway: "management",
  uses: { table: { read: partitionNames, write: partitionNames } },
  routes: [
    route({
      method: "POST",
      path: "/api/things/",
      summary: "Anybody",
      tags: ["things"],
      access: anyone,
      body: z.object({ name: z.string().optional() }),
      reply: json(200, z.object({ name: z.string().nullable() })),
      handle: async ({ body }) => ({ name: body.name ?? null }),
    }),
    route({
      method: "POST",
      path: "/api/projects/{project_id}/things/",
      summary: "With a key",
      tags: ["things"],
      access: projectKey("endpoint:read"),
      body: z.object({ name: z.string().optional() }),
      reply: json(200, z.object({})),
      handle: async () => ({}),
    }),
  ],
});

const posted = (path: string, body: string | Uint8Array, type: string): HttpRequest => ({
  id: "r",
  method: "POST",
  path,
  query: [],
  headers: { "content-type": type },
  body: Buffer.from(body),
  origin: "http://localhost",
  ip: "127.0.0.1",
});

const parts = (count: number): string =>
  `${Array.from({ length: count }, (_, at) => `--limit\r\ncontent-disposition: form-data; name="n${at}"\r\n\r\n1\r\n`).join("")}--limit--\r\n`;

const URLENCODED = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=limit";
const ATTACKS: readonly (readonly [string, string, string, number])[] = [
  ["two million names without a value", "a&".repeat(2 * MIB - 1), URLENCODED, 413],
  ["half a million different names", Array.from({ length: 500_000 }, (_, at) => `n${at.toString(36)}`).join("&"), URLENCODED, 413],
  ["as many different names as are taken", Array.from({ length: 20_000 }, (_, at) => `n${at.toString(36)}`).join("&"), URLENCODED, 200],
  ["separators alone", "&".repeat(4 * MIB), URLENCODED, 200],
  ["escapes that are none", `name=${"%zz".repeat(MIB)}`, URLENCODED, 200],
  ["as many fields as are taken, each with a bad escape", `a=${"%41%zz".repeat(30)}&`.repeat(20_000), URLENCODED, 200],
  ["a hundred thousand parts", parts(60_000), MULTIPART, 413],
];

describe("a form at the API costs what its bytes cost", () => {
  const harmless = async (): Promise<number> => {
    const { world } = apiWorld();
    const body = JSON.stringify({ name: "n", list: Array.from({ length: 100_000 }, (_, at) => `text number ${at} of them`) });
    return processorCostOf(() => things.serve(posted("/api/things/", body, "application/json"), world));
  };
  it.each(ATTACKS)("%s", async (_name, body, type, status) => {
    const { world } = apiWorld();
    const cost = await processorCostOf(async () =>
      expect((await things.serve(posted("/api/things/", body, type), world)).status).toBe(status),
    );
    expect(await withinReason(cost, await harmless())).toBe(true);
  });

  it.each(ATTACKS)("%s, before anybody is let in", async (_name, body, type) => {
    const { world } = apiWorld();
    const path = "/api/projects/1/things/";
    const cost = await processorCostOf(async () => expect((await things.serve(posted(path, body, type), world)).status).toBe(401));
    expect(await withinReason(cost, 0)).toBe(true);
  });

  it("half a million different names take no more than a list of JSON that is read", async () => {
    const { world } = apiWorld();
    const cost = await processorCostOf(() => things.serve(posted("/api/things/", ATTACKS[1]?.[1] ?? "", URLENCODED), world));
    expect(cost).toBeLessThan(await harmless());
  });

  it("JSON that names a key is not parsed before anybody is let in", async () => {
    const { world } = apiWorld();
    const list = Array.from({ length: 140_000 }, (_, at) => ({ at }));
    const body = JSON.stringify({ list, personal_api_key: "phx_nobody" });
    const cost = await processorCostOf(() => things.serve(posted("/api/projects/1/things/", body, "application/json"), world));
    const read = await processorCostOf(() => things.serve(posted("/api/things/", body, "application/json"), world));
    expect(cost).toBeLessThan((await freeMs()) / 4 + read / 3);
  });

  it("and a key is still found in each kind of body", async () => {
    const { world } = apiWorld();
    const key = "phx_nobody";
    for (const [body, type] of [
      [`a=1&personal_api_key=${key}&b`, URLENCODED],
      [JSON.stringify({ personal_api_key: key }), "application/json"],
      [`--limit\r\ncontent-disposition: form-data; name="personal_api_key"\r\n\r\n${key}\r\n--limit--\r\n`, MULTIPART],
    ] as const) {
      const reply = await things.serve(posted("/api/projects/1/things/", body, type), world);
      expect(String(reply.body)).toContain("body");
    }
  });
});
