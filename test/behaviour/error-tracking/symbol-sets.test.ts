import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";
import { contentHash, hermesMap } from "../../support/symbols/symbol-file.ts";
import { putFile, Started, uploadSets } from "../../support/symbols/upload.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let stranger: ApiClient;
let reader: ApiClient;

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  stranger = apiClient(platform().baseUrl, (await aTenant(platform().world)).personalKey);
  reader = apiClient(platform().baseUrl, (await aTenant(platform().world, { scopes: ["error_tracking:read"] })).personalKey);
});

const errors = (suffix: string): string => `/api/projects/${tenant.projectId}/error_tracking/${suffix}`;
const at = (suffix = ""): string => errors(`symbol_sets/${suffix}`);

const SymbolSet = z.strictObject({
  id: z.guid(),
  ref: z.string(),
  team_id: z.int(),
  created_at: z.string(),
  last_used: z.string().nullable(),
  failure_reason: z.null(),
  has_uploaded_file: z.boolean(),
  size: z.int(),
  release: z.looseObject({ id: z.guid() }).nullable(),
});
const List = z.object({ count: z.int(), results: z.array(SymbolSet) });

const FILE = hermesMap('{"version":3,"sources":[],"names":[],"mappings":""}');
const OTHER = hermesMap('{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}');

const sent = (chunk_id: string, file = FILE, more: object = {}) => ({
  symbol_sets: [{ chunk_id, release_id: null, content_hash: contentHash(file), content_length: file.length, ...more }],
});
const refused = (code: string) => ({ status: 400, body: { type: "validation_error", code, attr: null } });

const aRelease = async (): Promise<string> => {
  const { body } = await api.post(errors("releases/"), { version: "1", project: "shop" });
  return z.looseObject({ id: z.string() }).parse(body).id;
};

const started = async (body: object) => {
  const answer = await api.post(at("bulk_start_upload"), body);
  expect(answer.status).toBe(201);
  return Object.values(Started.parse(answer.body).id_map)[0];
};

describe("an upload", () => {
  it("201: is begun, put and ended; then the set is listed, found by its ref, and fetched", async () => {
    const { whole = "" } = await uploadSets(api, tenant.projectId, { whole: FILE });
    const set = SymbolSet.parse((await api.get(at(`${whole}/`))).body);
    expect(set).toMatchObject({
      id: whole,
      ref: "whole",
      team_id: tenant.projectId,
      has_uploaded_file: true,
      size: FILE.length,
      release: null,
    });
    expect(List.parse((await api.get(at("?ref=whole&limit=1"))).body)).toEqual({ count: 1, results: [set] });
    expect(List.parse((await api.get(at("?ref=nothing"))).body)).toEqual({ count: 0, results: [] });
    expect(List.parse((await api.get(at())).body).results.map(({ id }) => id)).toContain(whole);
    const { url } = z.object({ url: z.url() }).parse((await api.get(at(`${whole}/download/`))).body);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(FILE);
  });

  it("201: goes by a form for whom does not say how many bytes, as older tools do", async () => {
    const address = await started(sent("by-form", FILE, { content_length: undefined }));
    expect(address?.presigned_put_url).toBeUndefined();
    expect(await putFile(address ?? Object(null), FILE)).toBe(204);
    const finish = () => api.post(at("bulk_finish_upload"), { content_hashes: { [address?.symbol_set_id ?? ""]: contentHash(FILE) } });
    expect(await finish()).toMatchObject({ status: 201, body: { success: true } });
    // Its answer was lost, so it is asked again.
    expect(await finish()).toMatchObject({ status: 201, body: { success: true } });
  });

  it("201: one at a time, as the oldest tools do", async () => {
    const release = await aRelease();
    const { body } = await api.post(at(`start_upload?chunk_id=single&release_id=${release}`));
    const address = Started.shape.id_map.valueType.parse(body);
    await putFile(address, FILE);
    expect(await api.put(at(`${address.symbol_set_id}/finish_upload`), { content_hash: contentHash(FILE) })).toMatchObject({ status: 200 });
    expect((await api.get(at(`${address.symbol_set_id}/`))).body).toMatchObject({ has_uploaded_file: true, release: { id: release } });
  });

  it("needs nothing where the content is there already, and is refused where it is another, unless that is wanted", async () => {
    const { same = "" } = await uploadSets(api, tenant.projectId, { same: FILE });
    expect(await started(sent("same"))).toBeUndefined();
    const check = (body: object) => api.post(at("bulk_check_upload"), body);
    expect(await check(sent("same"))).toMatchObject({ status: 200, body: { chunk_ids_to_upload: [] } });
    for (const path of ["bulk_check_upload", "bulk_start_upload"]) {
      expect(await api.post(at(path), sent("same", OTHER))).toMatchObject(refused("content_hash_mismatch"));
    }
    expect(await api.post(at("bulk_start_upload"), { chunk_ids: ["same"] })).toMatchObject(refused("content_hash_required"));
    expect(await started({ ...sent("same", OTHER), skip_on_conflict: true })).toBeUndefined();
    expect(await check({ ...sent("same", OTHER), force: true })).toMatchObject({ body: { chunk_ids_to_upload: ["same"] } });
    const before = z.object({ url: z.url() }).parse((await api.get(at(`${same}/download/`))).body).url;
    expect(await uploadSets(api, tenant.projectId, { same: OTHER }, { force: true })).toEqual({ same });
    expect((await fetch(before)).status).toBe(404);
  });

  it("joins a set without a release to one, and never to another", async () => {
    const [first, second] = [await aRelease(), await aRelease()];
    const { bound = "" } = await uploadSets(api, tenant.projectId, { bound: FILE });
    expect(await started(sent("bound", FILE, { release_id: first }))).toBeUndefined();
    expect((await api.get(at(`${bound}/`))).body).toMatchObject({ release: { id: first } });
    expect(await api.post(at("bulk_start_upload"), sent("bound", FILE, { release_id: second }))).toMatchObject(
      refused("release_id_mismatch"),
    );
  });

  it.each([
    ["twice the same chunk", { chunk_ids: ["a", "a"] }, "invalid_chunk_ids"],
    ["a release that there is not", sent("a", FILE, { release_id: "01957a70-1b8c-7d3e-9d5f-1c2b3a4d5e6f" }), "invalid_release_id"],
    ["a release that is no UUID", sent("a", FILE, { release_id: "1.4.2" }), "invalid_release_id"],
    ["more than 100 MiB", sent("a", FILE, { content_length: 100 * 1024 * 1024 + 1 }), "file_too_large"],
    ["both ways of treating a conflict", { ...sent("a"), force: true, skip_on_conflict: true }, "invalid_conflict_handling"],
  ])("400: with %s", async (_, body, code) => {
    expect(await api.post(at("bulk_start_upload"), body)).toMatchObject(refused(code));
    expect(await api.post(at("bulk_check_upload"), body)).toMatchObject(refused(code));
  });

  it("400: has no chunk whose id is longer than a key, of which there is no set to be found", async () => {
    const body = { attr: "symbol_sets__0__chunk_id", code: "invalid_input" };
    for (const long of ["あ".repeat(400), "#".repeat(500), "%".repeat(500)]) {
      expect(await api.post(at("bulk_start_upload"), sent(long))).toMatchObject({ status: 400, body });
      expect(await api.get(at(`?ref=${encodeURIComponent(long)}`))).toMatchObject({ status: 200, body: { count: 0 } });
    }
  });

  it("400: is not ended where nothing was put, or of a set that there is not", async () => {
    const { symbol_set_id = "" } = (await started(sent("empty"))) ?? {};
    const finish = (id: string) => api.post(at("bulk_finish_upload"), { content_hashes: { [id]: "x" } });
    expect(await finish(symbol_set_id)).toMatchObject(refused("file_not_found"));
    expect(await finish("01957a70-1b8c-7d3e-9d5f-1c2b3a4d5e6f")).toMatchObject(refused("symbol_set_not_found"));
    expect(await api.get(at(`${symbol_set_id}/download/`))).toMatchObject({ status: 404 });
    expect(await api.post(at("bulk_finish_upload"), { content_hashes: {} })).toMatchObject({ status: 201 });
  });
});

it("204: a set is deleted with its file, once", async () => {
  const { gone = "" } = await uploadSets(api, tenant.projectId, { gone: FILE });
  const { url } = z.object({ url: z.url() }).parse((await api.get(at(`${gone}/download/`))).body);
  expect((await api.remove(at(`${gone}/`))).status).toBe(204);
  expect([(await api.remove(at(`${gone}/`))).status, (await fetch(url)).status]).toEqual([404, 404]);
  expect(await started(sent("gone"))).toBeDefined();
});

it("403: neither a stranger uploads nor whoever may only read", async () => {
  for (const who of [stranger, reader]) expect((await who.post(at("bulk_start_upload"), sent("b"))).status).toBe(403);
});

it("the same operations answer under the environment's name", async () => {
  const path = at("bulk_start_upload").replace("/projects/", "/environments/");
  expect((await api.post(path, sent("environment"))).status).toBe(201);
});
