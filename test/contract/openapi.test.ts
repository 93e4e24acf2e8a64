import { expect, it } from "vitest";
import * as z from "zod";
import { describeGroups } from "../../functions/docs/description.ts";
import { docs } from "../../functions/docs/group.ts";
import { groups } from "../../functions/index.ts";
import { group, route } from "../../lib/app/routes.ts";
import { anyone } from "../../lib/auth/access.ts";
import { openapi } from "../../lib/http/openapi.ts";
import { json } from "../../lib/http/reply.ts";
import { lintOpenapi } from "../support/openapi-linter.ts";
import { apiWorld, ask } from "../support/worlds/api-world.ts";
import { sample } from "./sample.ts";

const FACTS = { title: "t", description: "d", baseUrl: "https://api.example.org", ingestUrl: "https://ingest.example.org", tags: {} };

it.each([
  ["what is served, with its examples", async () => JSON.parse(await describeGroups(() => groups)(FACTS))],
  ["every kind of operation", async () => openapi([sample], FACTS)],
])("a public linter finds nothing in the description of %s", async (_, describe) => {
  const { totals, problems } = await lintOpenapi(await describe(), "recommended");
  expect(problems).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});

it("the linter would find what is wrong", async () => {
  const { totals } = await lintOpenapi(
    { openapi: "3.1.0", info: { title: "t", version: "1.0.0" }, paths: { "/a/": { get: {} } } },
    "recommended",
  );
  expect(totals.errors).toBeGreaterThan(0);
});

it("is served without a key, with and without the final slash, to browsers too, under the addresses that were asked", async () => {
  const served = docs(describeGroups(() => groups));
  for (const path of ["/api/schema/", "/api/schema"]) {
    const reply = await ask(served, apiWorld().world, "GET", path, { headers: { accept: "text/html" } });
    expect([reply.status, reply.json]).toMatchObject([200, { info: { version: "1.0.0" }, servers: [{ url: "https://api.example.org" }] }]);
  }
});

it("says which paths may be written with `environments`: those of saved queries and of error tracking", async () => {
  const below = (place: string) =>
    groups.flatMap(({ routes }) => routes.map(({ path }) => path.split("/"))).flatMap(([, , at, , what]) => (at === place ? [what] : []));
  expect(new Set(below("environments"))).toEqual(new Set(["endpoints", "error_tracking"]));
  const { info } = JSON.parse(await describeGroups(() => groups)(FACTS));
  expect(info.description).toContain("those of saved queries and of error tracking with `environments` in the place of `projects`");
});

it("is made once, and says the addresses of each request", async () => {
  let made = 0;
  const describe = describeGroups(() => {
    made += 1;
    return [sample];
  });
  const hosts = [FACTS, { baseUrl: 'https://eu.example.org/"$&', ingestUrl: "https://eu.example.org" }];
  for (const { baseUrl, ingestUrl } of hosts) {
    const { servers } = JSON.parse(await describe({ baseUrl, ingestUrl }));
    expect(servers).toEqual([{ url: baseUrl }]);
  }
  expect(made).toBe(1);
});

it("describes capture on the ingest host, without a key", () => {
  const { paths } = openapi(groups, FACTS);
  expect(paths).toMatchObject({ "/batch": { post: { security: [], servers: [{ url: "https://ingest.example.org" }] } } });
});

it("names a schema once, or twice where what is sent and what is answered differ", () => {
  const Both = z
    .object({ at: z.codec(z.string(), z.number(), { decode: Number, encode: String }), of: z.object({ n: z.int() }).meta({ id: "Inner" }) })
    .meta({ id: "Both" });
  const of = (path: `/${string}/`) =>
    route({
      method: "POST",
      path,
      summary: "s",
      tags: ["t"],
      access: anyone,
      body: Both,
      reply: json(200, Both),
      handle: () => Promise.reject(new Error("never called")),
    });
  const document = openapi([group({ name: "g", gateway: "management", uses: {}, routes: [of("/api/a/"), of("/api/b/")] })], FACTS);
  expect(Object.keys(z.object({ schemas: z.record(z.string(), z.unknown()) }).parse(document.components).schemas)).toEqual([
    "Both",
    "BothRequest",
    "Error",
    "Inner",
  ]);
  expect(JSON.stringify(document)).not.toContain("$defs");
});

it("describes no object of constants that may have any other key, which client generators write as what does not compile", () => {
  const Named = z.record(z.string(), z.looseObject({ properties: z.record(z.string(), z.looseObject({})).optional() }));
  const { schemas } = z.object({ schemas: Named }).parse(JSON.parse(JSON.stringify(openapi(groups, FACTS).components)));
  const odd = Object.entries(schemas).filter(([, { properties = {}, additionalProperties }]) => {
    const fields = Object.values(properties);
    return fields.length > 0 && fields.every((field) => "const" in field) && typeof additionalProperties === "object";
  });
  expect(odd.map(([name]) => name)).toEqual([]);
});
