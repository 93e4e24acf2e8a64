import { beforeAll, describe, expect, it } from "vitest";
import { findExport } from "../../../functions/endpoint-runs/exports/kept-export.ts";
import { readParquet } from "../../../lib/lake/parquet.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
/** A key may have ten files made a minute, so what is refused is asked for with another one. */
let withSecret: ApiClient;
let place = "";

const VARIABLE = "0190d0aa-0000-7000-8000-000000000001";
const LONG = "12345678901234567890";

const save = async (name: string, query: string, variables: object = {}) => {
  const { status } = await api.post(`${place}/endpoints/`, { name, query: { kind: "HogQLQuery", query, variables } });
  expect(status).toBe(201);
};

interface Export {
  readonly id: string;
  readonly rows: number;
  readonly bytes: number;
  readonly download_url: string;
  readonly created_at: string;
}

const exported = async (body: object): Promise<Export> => {
  const { status, body: made } = await api.post(`${place}/exports/`, body);
  expect({ status, made: status === 201 ? {} : made }).toEqual({ status: 201, made: {} });
  return made as Export;
};
const fetched = async ({ download_url }: Pick<Export, "download_url">) => fetch(download_url);
const textOf = async (made: Export) => (await fetched(made)).text();

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  withSecret = apiClient(platform().baseUrl, tenant.secretKey);
  place = `/api/projects/${tenant.projectId}`;
  const batch = Array.from({ length: 4 }, (_, index) => ({
    event: "sold",
    distinct_id: `buyer-${index}`,
    properties: { index, note: index === 0 ? '=cmd, "x"\nnext' : "plain", account: "LONG" },
  }));
  const body = JSON.stringify({ api_key: tenant.projectToken, batch }).replaceAll('"LONG"', LONG);
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  await save(
    "sold",
    "SELECT distinct_id, properties.index AS n, properties.note AS note, toUInt64(1) AS one FROM events WHERE event = {variables.event} ORDER BY n",
    {
      [VARIABLE]: { variableId: VARIABLE, code_name: "event", value: "sold" },
    },
  );
  await save("many", "SELECT number AS n, toString(number) AS text FROM numbers(60000)");
  await eventually(async () => {
    const { body: run } = await api.post(`${place}/endpoints/sold/run/`, { refresh: "force" });
    expect(run).toMatchObject({ results: expect.arrayContaining([["buyer-3", 3, "plain", 1]]) });
  });
});

describe("POST exports/", () => {
  describe("201", () => {
    it("makes a file of CSV, which opens without a key and begins with the names", async () => {
      const made = await exported({ endpoint: "sold" });
      expect(made).toEqual({
        id: expect.any(String),
        state: "completed",
        endpoint: "sold",
        version: 1,
        format: "csv",
        rows: 4,
        bytes: expect.any(Number),
        created_at: expect.any(String),
        expires_at: new Date(Date.parse(made.created_at) + 86_400_000).toISOString(),
        download_url: expect.stringMatching(/^http/),
      });
      const answer = await fetched(made);
      expect(answer.headers.get("content-disposition")).toBe('attachment; filename="sold.csv"');
      const text = await answer.text();
      expect(Buffer.byteLength(text)).toBe(made.bytes);
      expect(text.split("\r\n")).toEqual([
        "distinct_id,n,note,one",
        'buyer-0,0,"\'=cmd, ""x""\nnext",1',
        ...[1, 2, 3].map((n) => `buyer-${n},${n},plain,1`),
        "",
      ]);
    });

    it("makes a file of lines, and one of Parquet, with values for variables", async () => {
      const lines = (await textOf(await exported({ endpoint: "sold", format: "jsonl" }))).trimEnd().split("\n");
      expect(JSON.parse(lines[3] ?? "")).toEqual({ distinct_id: "buyer-3", n: 3, note: "plain", one: 1 });
      expect(await textOf(await exported({ endpoint: "sold", format: "jsonl", variables: { event: "nothing" } }))).toBe("");
      const parquet = await fetched(await exported({ endpoint: "sold", format: "parquet", version: 1 }));
      const rows = await readParquet(new Uint8Array(await parquet.arrayBuffer()));
      expect(rows[3]).toEqual({ distinct_id: "buyer-3", n: 3, note: "plain", one: 1 });
    });

    it("holds all rows of a query without a LIMIT, more than a run answers", async () => {
      const made = await exported({ endpoint: "many" });
      expect(made.rows).toBe(60_000);
      expect((await textOf(made)).split("\r\n").at(-2)).toBe("59999,59999");
    });

    it("is told in the endpoint's log as a run is", async () => {
      const { body } = await api.get(`${place}/endpoints/many/logs/`);
      expect(JSON.stringify(body)).toContain("rows=60000");
    });
  });

  describe("400", () => {
    it.each([
      ["no endpoint", {}, "endpoint"],
      ["an unknown version", { endpoint: "sold", version: 7 }, "version"],
      ["a variable that it has not", { endpoint: "sold", variables: { other: 1 } }, "variables"],
      ["an unknown format", { endpoint: "sold", format: "xlsx" }, "format"],
      ["an unknown field", { endpoint: "sold", limit: 1 }, "limit"],
    ])("refuses %s by the field", async (_, body, attr) => {
      expect(await withSecret.post(`${place}/exports/`, body)).toMatchObject({ status: 400, body: { attr } });
    });

    it("refuses an insight, and what is more than a file may hold", async () => {
      const query = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "sold" }] };
      expect((await api.post(`${place}/endpoints/`, { name: "trend", query })).status).toBe(201);
      expect(await withSecret.post(`${place}/exports/`, { endpoint: "trend" })).toMatchObject({ status: 400, body: { attr: "endpoint" } });
      await save("endless", "SELECT number FROM numbers(600000)");
      expect(await withSecret.post(`${place}/exports/`, { endpoint: "endless" })).toMatchObject({
        status: 400,
        body: { code: "query_too_large", detail: expect.stringContaining("500,000") },
      });
    });
  });

  it("404: knows no such endpoint", async () => {
    expect(await withSecret.post(`${place}/exports/`, { endpoint: "none" })).toMatchObject({
      status: 404,
      body: { attr: null, detail: "Not found." },
    });
  });
});

describe("GET exports/{id}/", () => {
  it("200: gives another address of the file", async () => {
    const made = await exported({ endpoint: "sold" });
    const again = await api.get(`${place}/exports/${made.id}/`);
    expect(again).toMatchObject({ status: 200, body: { ...made, download_url: expect.any(String) } });
    expect(await textOf(Object(again.body))).toBe(await textOf(made));
  });

  it("404: knows none of another project or id, nor one whose time is over", async () => {
    const made = await exported({ endpoint: "sold" });
    const other = await aTenant(platform().world);
    const theirs = apiClient(platform().baseUrl, other.personalKey);
    expect((await theirs.get(`/api/projects/${other.projectId}/exports/${made.id}/`)).status).toBe(404);
    for (const id of [VARIABLE, "none", "..%2Fsold"])
      expect(await api.get(`${place}/exports/${id}/`)).toMatchObject({ status: 404, body: { detail: "Not found." } });
    const { objects } = platform().world;
    const created = Date.parse(made.created_at);
    expect(await findExport(objects, tenant.projectId, made.id, created)).toMatchObject({ id: made.id });
    expect(await findExport(objects, tenant.projectId, made.id, created + 86_400_000)).toBeUndefined();
  });
});

describe("who may have files made", () => {
  const ask = (key: string, project = tenant.projectId) =>
    apiClient(platform().baseUrl, key).post(`/api/projects/${project}/exports/`, { endpoint: "sold" });

  it("201 for a secret key of the project, as runs are", async () => {
    expect((await ask(tenant.secretKey)).status).toBe(201);
  });

  it("401 without a key that is known, 403 without the scope and in the project of others", async () => {
    const without = await aTenant(platform().world, { scopes: ["query:read"] });
    expect((await ask("phx_nobody")).status).toBe(401);
    expect(await ask(without.personalKey, without.projectId)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("endpoint:read") },
    });
    expect((await ask(without.personalKey)).status).toBe(403);
  });

  it("429 above the rate of exports", async () => {
    const busy = await aTenant(platform().world);
    const statuses: number[] = [];
    for (let sent = 0; sent < 12; sent += 1) statuses.push((await ask(busy.personalKey, busy.projectId)).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 404));
    expect(statuses.at(-1)).toBe(429);
  });
});
