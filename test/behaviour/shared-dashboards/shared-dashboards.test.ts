import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let place = "";

const HOUR_MS = 3_600_000;
const NOBODYS = "0190d0aa-0000-7000-8000-00000000000f";

const TREND = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "viewed" }], dateRange: { date_from: "-7d" } };
const NAMED = sqlQuery("SELECT {variables.name} AS name, count() AS times FROM events WHERE event = {variables.name}", { name: "viewed" });
const SINCE = sqlQuery("SELECT {variables.date_from}", { date_from: "-1d" });

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  place = `/api/projects/${tenant.projectId}`;
  const now = Date.now();
  const batch = ["viewed", "viewed", "bought"].map((event, index) => ({
    event,
    distinct_id: "ana",
    timestamp: new Date(now - index * HOUR_MS).toISOString(),
    properties: { price: index },
  }));
  const body = JSON.stringify({ api_key: tenant.projectToken, batch });
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  await eventually(async () =>
    expect(await api.post(`${place}/query/`, { query: { kind: "HogQLQuery", query: "SELECT count() FROM events" } })).toMatchObject({
      body: { results: [[3]] },
    }),
  );
  for (const [name, query] of Object.entries({ trend: TREND, named: NAMED, since: SINCE }))
    expect((await api.post(`${place}/endpoints/`, { name, query })).status).toBe(201);
});

interface MadePage {
  readonly id: string;
  readonly tiles: readonly string[];
  readonly link: string;
}

/** A dashboard with these tiles and its public link. */
const shared = async (tiles: readonly object[], more: object = {}): Promise<MadePage> => {
  const { body } = await api.post(`${place}/dashboards/`, { name: "Shop", tiles, ...more });
  const { id, tiles: kept } = Object(body);
  return { id, tiles: kept.map((tile: { readonly id: string }) => tile.id), link: await link(id) };
};

const link = async (id: string): Promise<string> => Object((await api.post(`${place}/dashboards/${id}/sharing/`)).body).url;

/** Whoever has the address, and no key. */
const visit = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
};

const NOT_FOUND = { type: "invalid_request", code: "not_found", detail: "Not found.", attr: null };

describe("GET /shared/{token}/", () => {
  it("200: the page, and nothing that names people, keys or the project", async () => {
    const { tiles, link } = await shared([{ endpoint: "trend", title: "Views", plot: "line" }, { endpoint: "named" }], {
      description: "All of it",
      filters: { date_from: "-30d" },
    });
    const { status, headers, body } = await visit(link);
    expect(status).toBe(200);
    expect(body).toEqual({
      name: "Shop",
      description: "All of it",
      timezone: "UTC",
      filters: { date_from: "-30d", date_to: null, properties: null },
      tiles: [
        { id: tiles[0], title: "Views", plot: "line", width: 6, height: 1 },
        { id: tiles[1], title: "named", plot: "auto", width: 6, height: 1 },
      ],
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
  });

  it("404, alike: a token that never was, one that was revoked, replaced, or whose dashboard is gone", async () => {
    const revoked = await shared([]);
    expect((await api.remove(`${place}/dashboards/${revoked.id}/sharing/`)).status).toBe(204);
    const replaced = await shared([]);
    const newer = await link(replaced.id);
    const gone = await shared([]);
    expect((await api.remove(`${place}/dashboards/${gone.id}/`)).status).toBe(204);
    for (const url of [`${platform().baseUrl}/shared/${"a".repeat(43)}/`, revoked.link, replaced.link, gone.link])
      expect(await visit(url)).toMatchObject({ status: 404, body: NOT_FOUND });
    expect((await visit(newer)).status).toBe(200);
  });

  it("404: nobody sees the page of an organization that was removed", async () => {
    const { world } = platform();
    const other = await aTenant(world);
    const client = apiClient(platform().baseUrl, other.personalKey);
    const theirs = `/api/projects/${other.projectId}/dashboards/`;
    const { id } = Object((await client.post(theirs, { name: "Shop" })).body);
    const { url } = Object((await client.post(`${theirs}${id}/sharing/`)).body);
    expect((await visit(url)).status).toBe(200);
    expect((await client.remove(`/api/organizations/${other.organizationId}/`)).status).toBe(204);
    expect((await visit(url)).status).toBe(404);
  });

  it("404 while the organization does not allow public links, and none is made then", async () => {
    const other = await aTenant(platform().world);
    const client = apiClient(platform().baseUrl, other.personalKey);
    const theirs = `/api/projects/${other.projectId}/dashboards/`;
    const { id } = Object((await client.post(theirs, { name: "Shop" })).body);
    const { url } = Object((await client.post(`${theirs}${id}/sharing/`)).body);
    const allow = (allow_publicly_shared_resources: boolean) =>
      client.patch(`/api/organizations/${other.organizationId}/`, { allow_publicly_shared_resources });
    expect((await allow(false)).status).toBe(200);
    expect(await visit(url)).toMatchObject({ status: 404, body: NOT_FOUND });
    expect(await client.post(`${theirs}${id}/sharing/`)).toMatchObject({
      status: 403,
      body: { code: "permission_denied", detail: expect.stringContaining("does not allow public links") },
    });
    expect((await allow(true)).status).toBe(200);
    expect((await visit(url)).status).toBe(200);
  });

  it("405: it is only read", async () => {
    const { link } = await shared([]);
    expect((await visit(link, { method: "POST" })).status).toBe(405);
  });
});

describe("GET /shared/{token}/ as a page", () => {
  const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

  const visitPage = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { ...init, headers: BROWSER });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };

  const PAGE_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    "x-frame-options": "DENY",
    "cache-control": "private, no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
    vary: "accept",
  };

  it("200: the console's page, with nothing of the dashboard in it", async () => {
    const { link } = await shared([{ endpoint: "trend", title: "Views of the shop" }]);
    const { status, headers, text } = await visitPage(link);
    expect({ status, headers }).toMatchObject({ status: 200, headers: PAGE_HEADERS });
    expect(text).toContain('<base href="../../">');
    expect(text).not.toContain("Shop");
    expect(text).not.toContain("Views of the shop");
    expect(await visitPage(link, { method: "HEAD" })).toMatchObject({ status: 200, headers: PAGE_HEADERS, text: "" });
    expect(await visitPage(link.replace(/\/$/, ""))).toMatchObject({ status: 200, text: expect.stringContaining('<base href="../">') });
  });

  it("404: the same page for a token that never was, and for one that was revoked", async () => {
    const { id, link } = await shared([]);
    expect((await api.remove(`${place}/dashboards/${id}/sharing/`)).status).toBe(204);
    for (const url of [link, `${platform().baseUrl}/shared/${"a".repeat(43)}/`])
      expect(await visitPage(url)).toMatchObject({ status: 404, headers: PAGE_HEADERS, text: expect.stringMatching(/^<!doctype html>/) });
  });

  it("405, and JSON for its tiles: nothing else is a page", async () => {
    const { link, tiles } = await shared([{ endpoint: "trend" }]);
    expect((await visitPage(link, { method: "POST" })).status).toBe(405);
    const tile = await visitPage(`${link}tiles/${tiles[0]}/`);
    expect(tile).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  });
});

describe("GET /shared/{token}/tiles/{tile_id}/", () => {
  const rows = async ({ link, tiles }: MadePage, at = 0) => visit(`${link}tiles/${tiles[at]}/`);

  it("200: the rows of SQL with the tile's own values, without the text of the query", async () => {
    const page = await shared([{ endpoint: "named" }, { endpoint: "named", variables: { name: "bought" } }]);
    const { status, headers, body } = await rows(page);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        kind: "HogQLQuery",
        results: [["viewed", 2]],
        columns: ["name", "times"],
        types: expect.any(Array),
        hasMore: false,
        is_cached: false,
        last_refresh: expect.any(String),
        timezone: "UTC",
      },
    });
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect((await rows(page, 1)).body.results).toEqual([["bought", 1]]);
  });

  it("200: the dashboard's filters narrow an insight, and its dates reach the variables of SQL that are called so", async () => {
    const filters = { date_from: "-2d", properties: [{ key: "price", type: "event", operator: "gt", value: 0 }] };
    const tiles = [
      { endpoint: "trend" },
      { endpoint: "since" },
      { endpoint: "since", variables: { date_from: "-5d" } },
      { endpoint: "named" },
    ];
    const page = await shared(tiles, { filters });
    const trend = await rows(page);
    expect(trend).toMatchObject({ status: 200, body: { kind: "TrendsQuery", results: [{ count: 1 }] } });
    expect(trend.body.results[0].days).toHaveLength(3);
    expect((await rows(page, 1)).body.results).toEqual([["-2d"]]);
    expect((await rows(page, 2)).body.results).toEqual([["-5d"]]);
    expect((await rows(page, 3)).body.results).toEqual([["viewed", 2]]);
    const unfiltered = await rows(await shared([{ endpoint: "trend" }]));
    expect(unfiltered.body.results[0]).toMatchObject({ count: 2 });
    expect(unfiltered.body.results[0].days).toHaveLength(8);
  });

  it("200: nothing that a visitor sends changes the rows", async () => {
    const page = await shared([{ endpoint: "named" }]);
    const address = `${page.link}tiles/${page.tiles[0]}/?variables={"name":"bought"}&name=bought&limit=0&version=9&date_from=-1d&refresh=force`;
    expect((await visit(address)).body.results).toEqual([["viewed", 2]]);
  });

  it("200: a visit is no run of a key's: the endpoint says nothing of it", async () => {
    const query = sqlQuery("SELECT 1");
    expect((await api.post(`${place}/endpoints/`, { name: "unseen", query })).status).toBe(201);
    expect((await rows(await shared([{ endpoint: "unseen" }]))).status).toBe(200);
    expect((await api.get(`${place}/endpoints/unseen/`)).body).toMatchObject({ last_executed_at: null });
    expect((await api.get(`${place}/endpoints/unseen/logs/`)).body).toMatchObject({ results: [] });
  });

  it("404: a tile of another dashboard, of another project, an endpoint's name, and what is no tile", async () => {
    const page = await shared([{ endpoint: "named" }]);
    const other = await shared([{ endpoint: "trend" }]);
    for (const tile of [other.tiles[0], NOBODYS, "named", "%00"])
      expect(await visit(`${page.link}tiles/${tile}/`)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it("404: a tile whose endpoint was switched off, or deleted", async () => {
    const query = sqlQuery("SELECT 1");
    expect((await api.post(`${place}/endpoints/`, { name: "brief", query })).status).toBe(201);
    const page = await shared([{ endpoint: "brief" }]);
    expect((await rows(page)).status).toBe(200);
    expect((await api.patch(`${place}/endpoints/brief/`, { is_active: false })).status).toBe(200);
    expect(await rows(page)).toMatchObject({ status: 404, body: NOT_FOUND });
    expect((await api.remove(`${place}/endpoints/brief/`)).status).toBe(204);
    expect(await rows(page)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it("400: what cannot be run says so, and does not quote the query", async () => {
    const page = await shared([{ endpoint: "named", variables: { none: 1 } }]);
    expect(await rows(page)).toMatchObject({
      status: 400,
      body: { type: "validation_error", attr: null, detail: expect.stringMatching(/^This tile cannot be computed as it is saved\./) },
    });
  });
});
