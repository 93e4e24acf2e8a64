import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { publicationItem } from "../../../lib/lake/published.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";

const platform = aPlatform();

const METADATA = '{"format-version":2,"current-snapshot-id":7341998217283645519}';

let tenant: ATenant;
let key = "";
beforeAll(async () => {
  const { world } = platform();
  tenant = await aTenant(world);
  key = `iceberg/project=${tenant.projectId}/events/metadata/1.metadata.json`;
  await world.objects.put(key, Buffer.from(METADATA));
  await world.table.put(publicationItem(tenant.projectId, { table: "events", metadata: key, snapshot: 1, at: 0, state: "", reads: [] }));
});

const call = (path: string, init: RequestInit = {}) => {
  const authorization = `Bearer ${tenant.personalKey}`;
  return fetch(`${platform().baseUrl}/iceberg/v1/${path}`, { ...init, headers: { authorization, ...init.headers } });
};

const Loaded = z.object({ "metadata-location": z.string(), config: z.record(z.string(), z.string()) });

it("a laptop says where its store is and vends credentials that every S3 client can use, and the files that are named are there", async () => {
  const reply = await call(`namespaces/project_${tenant.projectId}/tables/events`, {
    headers: { "x-iceberg-access-delegation": "vended-credentials" },
  });
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.stringContaining(`"metadata":${METADATA}`)]);
  const { config, "metadata-location": location } = Loaded.parse(JSON.parse(text));
  expect(Object.keys(config).sort()).toEqual([
    "client.region",
    "s3.access-key-id",
    "s3.endpoint",
    "s3.path-style-access",
    "s3.secret-access-key",
    "s3.session-token",
  ]);
  expect(location).toBe(`s3://lake/${key}`);
  const file = await fetch(new URL(location.slice("s3://".length), config["s3.endpoint"]));
  expect(await file.text()).toBe(METADATA);
});

it.each([
  ["HEAD", "namespaces/project_{id}", 204],
  ["HEAD", "namespaces/project_{id}/tables/persons", 404],
  ["POST", "namespaces/project_{id}/tables/events/metrics", 204],
  ["POST", "namespaces/project_{id}/tables", 406],
  ["GET", "nowhere/at/all", 404],
] as const)("%s %s is %d over HTTP", async (method, path, status) => {
  const body = method === "POST" ? JSON.stringify({ any: "thing" }) : undefined;
  const reply = await call(path.replace("{id}", String(tenant.projectId)), { method, ...(body !== undefined && { body }) });
  expect([reply.status, await reply.text()]).toEqual([
    status,
    status === 204 || method === "HEAD" ? "" : expect.stringContaining('"error"'),
  ]);
});
