import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { errorTracking } from "../../../functions/error-tracking/routes.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { overtakenTable } from "../../support/overtaken-table.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";
import { ask } from "../../support/worlds/api-world.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let stranger: ApiClient;
let elsewhere: ATenant;

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  elsewhere = await aTenant(platform().world);
  stranger = apiClient(platform().baseUrl, elsewhere.personalKey);
});

const at = (suffix = "", of = tenant): string => `/api/projects/${of.projectId}/error_tracking/releases/${suffix}`;

const Release = z.strictObject({
  id: z.guid(),
  hash_id: z.string(),
  team_id: z.int(),
  created_at: z.string().regex(/Z$/),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  version: z.string(),
  project: z.string(),
});

const made = async (body: object): Promise<z.output<typeof Release>> => {
  const answer = await api.post(at(), body);
  expect(answer.status).toBe(201);
  return Release.parse(answer.body);
};
const shown = async (id: string): Promise<z.output<typeof Release>> => Release.parse((await api.get(at(`${id}/`))).body);

const UNKNOWN = "01957a70-1b8c-7d3e-9d5f-1c2b3a4d5e6f";

describe("POST releases/", () => {
  it("201: makes a release that is then found by its id and by its hash id", async () => {
    const metadata = { git: { commit_id: "0123abc", remote_url: "https://u:p@github.com/acme/shop.git?t=1#x" }, n: [1, null] };
    const release = await made({ version: "1.4.2", project: "shop", hash_id: "shop-142", metadata });
    const kept = { ...metadata, git: { ...metadata.git, remote_url: "https://github.com/acme/shop.git" } };
    expect(release).toMatchObject({
      version: "1.4.2",
      project: "shop",
      hash_id: "shop-142",
      metadata: kept,
      team_id: tenant.projectId,
    });
    expect(await shown(release.id)).toEqual(release);
    expect(await api.get(at("hash/shop-142/"))).toMatchObject({ status: 200, body: release });
  });

  it.each([null, "", undefined, 0])("201: without a hash id, here %j, its own id is one", async (hash_id) => {
    const release = await made({ version: 2, project: "shop", hash_id });
    expect(release).toMatchObject({ version: "2", hash_id: release.id, metadata: null });
  });

  it("201: another project may use the same hash id", async () => {
    await made({ version: "1", project: "a", hash_id: "same-in-two" });
    const other = await stranger.post(at("", elsewhere), { version: "1", project: "a", hash_id: "same-in-two" });
    expect(other.status).toBe(201);
  });

  it.each([
    ["version", { project: "shop" }],
    ["version", { version: "", project: "shop" }],
    ["version", { version: null, project: "shop" }],
    ["project", { version: "1" }],
    ["project", { version: "1", project: false }],
    ["project", { version: "1", project: {} }],
  ])("400: a %s is needed", async (field, body) => {
    const answer = await api.post(at(), body);
    expect(answer).toMatchObject({ status: 400, body: { type: "validation_error", attr: null } });
    expect(JSON.stringify(answer.body)).toContain(field);
  });

  it("400: a hash id that another release has, naming it", async () => {
    await made({ version: "1", project: "shop", hash_id: "taken" });
    const again = await api.post(at(), { version: "2", project: "shop", hash_id: "taken" });
    expect(again).toMatchObject({ status: 400, body: { type: "validation_error", code: "invalid_input", attr: null } });
    expect(again.body).toMatchObject({ detail: expect.stringContaining("taken") });
  });

  it("400: a hash id of more than 128 characters, but not one of 128", async () => {
    expect((await api.post(at(), { version: "1", project: "p", hash_id: "h".repeat(129) })).status).toBe(400);
    await made({ version: "1", project: "p", hash_id: "é".repeat(128) });
  });

  it("400: metadata that is no object, or too much of it", async () => {
    for (const metadata of ["text", [1], 5, { a: "x".repeat(200_000) }]) {
      const answer = await api.post(at(), { version: "1", project: "p", metadata });
      expect(answer).toMatchObject({ status: 400, body: { attr: "metadata" } });
    }
  });

  it("201, soon: an address of many colons and no user", { timeout: 10_000 }, async () => {
    const metadata = { git: { remote_url: ":".repeat(100_000) } };
    expect(await made({ version: "1", project: "p", metadata })).toMatchObject({ metadata });
  });
});

describe("GET releases/", () => {
  it("200: the newest first, a page at a time", async () => {
    const third = await aTenant(platform().world);
    const client = apiClient(platform().baseUrl, third.personalKey);
    for (const version of ["1", "2", "3"]) {
      await client.post(at("", third), { version, project: "p" });
    }
    const Page = z.object({ count: z.int(), next: z.string().nullable(), previous: z.null(), results: z.array(Release) });
    const first = Page.parse((await client.get(at("?limit=2", third))).body);
    expect(first.count).toBe(3);
    const created = first.results.map((release) => release.created_at);
    expect(created).toEqual(created.toSorted().toReversed());
    const rest = await client.get((first.next ?? "").replace(platform().baseUrl, ""));
    expect(rest.body).toMatchObject({ next: null, count: 3, results: [{ project: "p" }] });
  });
});

describe("GET releases/{id}/ and releases/hash/{hash_id}/", () => {
  it("404: what does not exist, is malformed or belongs to another project", async () => {
    const release = await made({ version: "1", project: "p", hash_id: "mine" });
    for (const path of [`${UNKNOWN}/`, "not-an-id/", "hash/nothing/", "hash/with.dot/", "hash/with%2Fslash/"]) {
      expect(await api.get(at(path)), path).toMatchObject({ status: 404, body: { code: "not_found", attr: null } });
    }
    for (const path of [`${release.id}/`, "hash/mine/"]) expect((await stranger.get(at(path, elsewhere))).status).toBe(404);
    expect((await stranger.get(at(`${release.id}/`))).status).toBe(403);
  });
});

describe("PATCH releases/{id}/", () => {
  it("204: changes what is sent and leaves what is empty", async () => {
    const release = await made({ version: "1", project: "p", hash_id: "before", metadata: { a: 1 } });
    const answer = await api.patch(at(`${release.id}/`), { version: "2", project: "", hash_id: null, metadata: {} });
    expect(answer).toMatchObject({ status: 204, body: "" });
    expect(await shown(release.id)).toEqual({ ...release, version: "2" });
    for (const empty of [{}, []]) {
      expect((await api.patch(at(`${release.id}/`), { version: empty, project: empty, hash_id: empty })).status).toBe(204);
    }
    expect(await shown(release.id)).toEqual({ ...release, version: "2" });
    expect((await api.put(at(`${release.id}/`), { metadata: { git: { remote_url: "https://t@h/r" } } })).status).toBe(204);
    expect(await shown(release.id)).toMatchObject({ version: "2", metadata: { git: { remote_url: "https://h/r" } } });
  });

  it("204: a new hash id leads to the release, and the old one is free again", async () => {
    const release = await made({ version: "1", project: "p", hash_id: "old-hash" });
    expect((await api.patch(at(`${release.id}/`), { hash_id: "new-hash" })).status).toBe(204);
    expect((await api.patch(at(`${release.id}/`), { hash_id: "new-hash" })).status).toBe(204);
    expect(await api.get(at("hash/new-hash/"))).toMatchObject({ body: { id: release.id } });
    expect((await api.get(at("hash/old-hash/"))).status).toBe(404);
    await made({ version: "1", project: "p", hash_id: "old-hash" });
  });

  it("204: fields that several change at the same moment are all changed", async () => {
    const { world } = platform();
    const { id } = await made({ version: "1", project: "p" });
    const rename = () => api.patch(at(`${id}/`), { hash_id: `renamed-${id}` });
    const late = { ...world, table: overtakenTable(world.table, rename) };
    const body = { version: "2" };
    expect((await ask(errorTracking, late, "PATCH", at(`${id}/`), { key: tenant.personalKey, body })).status).toBe(204);
    expect((await api.get(at(`${id}/`))).body).toMatchObject({ version: "2", hash_id: `renamed-${id}` });
  });

  it("400: a hash id that another release has; nothing is changed", async () => {
    await made({ version: "1", project: "p", hash_id: "others" });
    const release = await made({ version: "1", project: "p" });
    expect((await api.patch(at(`${release.id}/`), { version: "9", hash_id: "others" })).status).toBe(400);
    expect(await shown(release.id)).toEqual(release);
  });

  it("404: an unknown release, or another project's", async () => {
    const release = await made({ version: "1", project: "p" });
    expect((await api.patch(at(`${UNKNOWN}/`), { version: "2" })).status).toBe(404);
    expect((await stranger.patch(at(`${release.id}/`, elsewhere), { version: "2" })).status).toBe(404);
  });
});

describe("DELETE releases/{id}/", () => {
  it("204: the release is gone from every look-up and its hash id is free; 404 the second time", async () => {
    const release = await made({ version: "1", project: "p", hash_id: "gone" });
    expect((await stranger.remove(at(`${release.id}/`, elsewhere))).status).toBe(404);
    expect(await api.remove(at(`${release.id}/`))).toMatchObject({ status: 204, body: "" });
    expect((await api.remove(at(`${release.id}/`))).status).toBe(404);
    expect((await api.get(at("hash/gone/"))).status).toBe(404);
    await made({ version: "1", project: "p", hash_id: "gone" });
  });
});

describe("scopes", () => {
  it("403: reading opens nothing that writes; writing opens both", async () => {
    const reader = await aTenant(platform().world, { scopes: ["error_tracking:read"] });
    const asReader = apiClient(platform().baseUrl, reader.personalKey);
    expect((await asReader.get(at("", reader))).status).toBe(200);
    const refused = await asReader.post(at("", reader), { version: "1", project: "p" });
    expect(refused).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    const writer = await aTenant(platform().world, { scopes: ["error_tracking:write"] });
    expect((await apiClient(platform().baseUrl, writer.personalKey).get(at("", writer))).status).toBe(200);
  });
});
