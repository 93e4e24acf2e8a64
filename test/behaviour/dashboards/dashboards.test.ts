import { beforeAll, describe, expect, it } from "vitest";
import { dashboards } from "../../../functions/dashboards/routes.ts";
import { MOST_DASHBOARDS } from "../../../lib/dashboards/dashboards.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let path = "";

const NOBODYS = "0190d0aa-0000-7000-8000-00000000000f";
const TILE = { endpoint: "daily", title: "Events a day", plot: "line", width: 12, height: 2, variables: { n: 2 } };

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/dashboards/`;
  for (const name of ["daily", "weekly"]) {
    const query = sqlQuery("SELECT {variables.n}", { n: 1 });
    expect((await api.post(`/api/projects/${tenant.projectId}/endpoints/`, { name, query })).status).toBe(201);
  }
});

const made = async (body: object = {}) => {
  const { status, body: dashboard } = await api.post(path, { name: "Shop", ...body });
  expect(status).toBe(201);
  return Object(dashboard);
};

/** A client of another tenant, or of this one with other scopes. */
const another = async (scopes: readonly string[] = ["*"]) => {
  const other = await aTenant(platform().world, { scopes: [...scopes] });
  return { client: apiClient(platform().baseUrl, other.personalKey), path: `/api/projects/${other.projectId}/dashboards/` };
};

describe("POST dashboards/", () => {
  it("201: a name is enough", async () => {
    expect(await made({ name: " Shop " })).toEqual({
      id: expect.any(String),
      name: "Shop",
      description: "",
      pinned: false,
      filters: { date_from: null, date_to: null, properties: null },
      tiles: [],
      revision: 1,
      is_shared: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      created_by: expect.objectContaining({ id: tenant.userId }),
    });
  });

  it("201: tiles keep their order, and what they leave out has a default", async () => {
    const filters = { date_from: "-30d", properties: [{ key: "plan", type: "person", value: ["free"], operator: "exact" }] };
    const dashboard = await made({ filters, pinned: true, description: "All of it", tiles: [TILE, { endpoint: "weekly", version: 1 }] });
    expect(dashboard).toMatchObject({ pinned: true, description: "All of it", filters: { ...filters, date_to: null } });
    expect(dashboard.tiles).toEqual([
      { id: expect.any(String), version: null, ...TILE },
      { id: expect.any(String), endpoint: "weekly", version: 1, title: null, plot: "auto", width: 6, height: 1, variables: {} },
    ]);
    expect((await api.get(`${path}${dashboard.id}/`)).body).toEqual(dashboard);
  });

  it.each([
    ["no name", {}, "name", "required"],
    ["an empty name", { name: " " }, "name", "blank"],
    ["a name that is too long", { name: "x".repeat(401) }, "name", "max_length"],
    ["an endpoint that does not exist", { tiles: [TILE, TILE, { endpoint: "none" }] }, "tiles__2__endpoint", "does_not_exist"],
    ["a version that does not exist", { tiles: [{ endpoint: "daily", version: 2 }] }, "tiles__0__version", "does_not_exist"],
    ["a width beyond the grid", { tiles: [{ ...TILE, width: 13 }] }, "tiles__0__width", "max_value"],
    ["a height of none", { tiles: [{ ...TILE, height: 0 }] }, "tiles__0__height", "min_value"],
    ["a plot that is none", { tiles: [{ ...TILE, plot: "pie" }] }, "tiles__0__plot", "invalid_choice"],
    ["two tiles of one id", { tiles: [TILE, TILE].map((tile) => ({ ...tile, id: NOBODYS })) }, "tiles__1__id", "unique"],
    ["more than 24 tiles", { tiles: Array.from({ length: 25 }, () => TILE) }, "tiles", "max_length"],
    ["more than an item holds", { tiles: [{ ...TILE, variables: { n: "x".repeat(50_000) } }] }, "tiles", "invalid_input"],
    ["a date that is none", { filters: { date_from: "soon" } }, "filters", "invalid_input"],
    ["dates in the wrong order", { filters: { date_from: "2026-02-01", date_to: "2026-01-01" } }, "filters", "invalid_input"],
    [
      "a pattern that does not compile",
      { filters: { properties: [{ key: "a", operator: "regex", value: "(" }] } },
      "filters",
      "invalid_input",
    ],
    [
      "one of several patterns",
      { filters: { properties: [{ key: "a", operator: "not_regex", value: ["b", "["] }] } },
      "filters",
      "invalid_input",
    ],
    ["a condition without a value", { filters: { properties: [{ key: "a", operator: "exact" }] } }, "filters", "invalid_input"],
    ["a condition by a cohort", { filters: { properties: [{ key: "id", type: "cohort", value: 1 }] } }, "filters", "invalid_input"],
    [
      "a condition by a date that is none",
      { filters: { properties: [{ key: "a", operator: "is_date_before", value: "soon" }] } },
      "filters",
      "invalid_input",
    ],
    ["a filter that is none", { filters: { interval: "day" } }, "filters__interval", "invalid_input"],
  ])("400: %s", async (_, body, attr, code) => {
    const sent = attr === "name" ? body : { name: "Shop", ...body };
    expect(await api.post(path, sent)).toMatchObject({ status: 400, body: { type: "validation_error", code, attr } });
  });

  it("201: fields that there are none of are ignored, as everywhere but on saved query endpoints", async () => {
    const sent = { name: "Shop", layout: 1, tiles: [{ ...TILE, color: "red" }] };
    const { status, body } = await api.post(path, sent);
    expect({ status, body }).toMatchObject({ status: 201, body: { name: "Shop", tiles: [TILE] } });
    const { id, tiles } = Object(body);
    expect([body, ...tiles].flatMap((each) => Object.keys(each)).filter((key) => key === "layout" || key === "color")).toEqual([]);
    expect(await api.patch(`${path}${id}/`, { id: NOBODYS, color: "red" })).toMatchObject({ status: 200, body: { id, name: "Shop" } });
  });

  it("400: an endpoint of another project is none here", async () => {
    const { client, path: theirs } = await another();
    expect(await client.post(theirs, { name: "Shop", tiles: [TILE] })).toMatchObject({ status: 400, body: { attr: "tiles__0__endpoint" } });
  });

  it("400: more dashboards than a project may have", async () => {
    const { world } = apiWorld();
    const { key } = await aHousehold(world, 1);
    const create = () => ask(dashboards, world, "POST", "/api/projects/1/dashboards/", { key, body: { name: "Shop" } });
    await world.table.put({ ...counterKey("dashboardCount", 1), count: MOST_DASHBOARDS - 1 });
    expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject({ status: 400, json: { attr: null, detail: expect.stringContaining("500") } });
  });

  it("403: reading is not writing", async () => {
    const { client, path: theirs } = await another(["dashboard:read"]);
    expect(await client.post(theirs, { name: "Shop" })).toMatchObject({
      status: 403,
      body: { detail: "API key missing required scope 'dashboard:write'" },
    });
    expect((await client.get(theirs)).status).toBe(200);
  });
});

describe("GET dashboards/", () => {
  it("200: in the order in which they were made, page by page", async () => {
    const { client, path: theirs } = await another();
    for (const name of ["b", "a", "c"]) await client.post(theirs, { name });
    const { body } = await client.get(`${theirs}?limit=2`);
    expect(body).toMatchObject({ count: 3, previous: null, results: [{ name: "b" }, { name: "a" }] });
    const next = new URL(Object(body).next);
    expect((await client.get(next.pathname + next.search)).body).toMatchObject({ count: 3, next: null, results: [{ name: "c" }] });
  });
});

describe("GET dashboards/{id}/", () => {
  it("404: another project's dashboard, one that was deleted, one that never was", async () => {
    const { id } = await made();
    const { client, path: theirs } = await another();
    expect((await client.get(`${theirs}${id}/`)).status).toBe(404);
    expect((await client.get(`${path}${id}/`)).status).toBe(403);
    expect((await api.get(`${path}${NOBODYS}/`)).status).toBe(404);
  });
});

describe("PATCH dashboards/{id}/", () => {
  it("200: what is left out stays, and every change moves the revision", async () => {
    const dashboard = await made({ tiles: [TILE], description: "All of it" });
    const [tile] = dashboard.tiles;
    const changed = await api.patch(`${path}${dashboard.id}/`, { name: "Store", tiles: [{ endpoint: "weekly" }, tile] });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: "Store", description: "All of it", revision: 2, tiles: [{ endpoint: "weekly" }, { id: tile.id }] },
    });
    expect((await api.patch(`${path}${dashboard.id}/`, { filters: { date_to: "-1d" } })).body).toMatchObject({
      revision: 3,
      filters: { date_from: null, date_to: "-1d" },
    });
    expect(Object((await api.get(`${path}${dashboard.id}/`)).body).tiles).toHaveLength(2);
  });

  it("400: what could not be made", async () => {
    const { id } = await made();
    expect(await api.patch(`${path}${id}/`, { tiles: [{ endpoint: "none" }] })).toMatchObject({
      status: 400,
      body: { attr: "tiles__0__endpoint" },
    });
  });

  it("409: somebody else's change is not overwritten by one that was made before it was seen", async () => {
    const { id, revision } = await made();
    expect((await api.patch(`${path}${id}/`, { name: "Hers", revision })).status).toBe(200);
    expect(await api.patch(`${path}${id}/`, { name: "His", revision })).toMatchObject({
      status: 409,
      body: { type: "server_error", code: "conflict", detail: expect.stringContaining("revision 2") },
    });
    expect((await api.get(`${path}${id}/`)).body).toMatchObject({ name: "Hers", revision: 2 });
  });

  it("404: another project's", async () => {
    const { id } = await made();
    const { client, path: theirs } = await another();
    expect((await client.patch(`${theirs}${id}/`, { name: "Mine" })).status).toBe(404);
  });
});

describe("DELETE dashboards/{id}/", () => {
  it("204, and then it is no more; the list is shorter", async () => {
    const { client, path: theirs } = await another();
    const { id } = Object((await client.post(theirs, { name: "Shop" })).body);
    expect((await client.remove(`${theirs}${id}/`)).status).toBe(204);
    expect((await client.remove(`${theirs}${id}/`)).status).toBe(404);
    expect((await client.get(`${theirs}${id}/`)).status).toBe(404);
    expect((await client.get(theirs)).body).toMatchObject({ count: 0, results: [] });
  });

  it("404: another project's", async () => {
    const { id } = await made();
    const { client, path: theirs } = await another();
    expect((await client.remove(`${theirs}${id}/`)).status).toBe(404);
    expect((await api.get(`${path}${id}/`)).status).toBe(200);
  });
});

describe("dashboards/{id}/sharing/", () => {
  it("says whether there is a link, shows it once, and replaces it", async () => {
    const { id } = await made();
    const sharing = `${path}${id}/sharing/`;
    expect(await api.get(sharing)).toMatchObject({ status: 200, body: { enabled: false, created_at: null, created_by: null } });
    const first = await api.post(sharing);
    expect(first).toMatchObject({
      status: 201,
      body: { enabled: true, created_at: expect.any(String), created_by: { id: tenant.userId }, url: expect.any(String) },
    });
    expect(Object(first.body).url).toMatch(new RegExp(`^${platform().baseUrl}/shared/[\\w-]{43}/$`));
    expect((await api.get(sharing)).body).toEqual({ ...Object(first.body), url: undefined });
    expect((await api.get(`${path}${id}/`)).body).toMatchObject({ is_shared: true, revision: 1 });
    expect(Object((await api.post(sharing)).body).url).not.toBe(Object(first.body).url);
    expect((await api.remove(sharing)).status).toBe(204);
    expect((await api.remove(sharing)).status).toBe(204);
    expect((await api.get(sharing)).body).toMatchObject({ enabled: false });
  });

  it("403: a key that may not read endpoints publishes no rows of them", async () => {
    const { client, path: theirs } = await another(["dashboard:write"]);
    const { id } = Object((await client.post(theirs, { name: "Shop" })).body);
    expect(await client.post(`${theirs}${id}/sharing/`)).toMatchObject({
      status: 403,
      body: { detail: "API key missing required scope 'endpoint:read'" },
    });
    expect((await client.get(`${theirs}${id}/`)).body).toMatchObject({ is_shared: false });
    for (const change of [{ tiles: [] }, { filters: { date_from: "-30d" } }])
      expect(await client.patch(`${theirs}${id}/`, change)).toMatchObject({
        status: 403,
        body: { detail: "API key missing required scope 'endpoint:read'" },
      });
    expect((await client.patch(`${theirs}${id}/`, { name: "Shops" })).status).toBe(200);
    expect((await client.remove(`${theirs}${id}/sharing/`)).status).toBe(204);
    const reader = await another(["dashboard:write", "endpoint:read"]);
    const { id: readable } = Object((await reader.client.post(reader.path, { name: "Shop" })).body);
    expect((await reader.client.post(`${reader.path}${readable}/sharing/`)).status).toBe(201);
  });

  it("403 without the scope to write, 404 for another project's dashboard", async () => {
    const { id } = await made();
    const reader = await another(["dashboard:read"]);
    const sharing = `${reader.path}${id}/sharing/`;
    expect((await reader.client.get(sharing)).status).toBe(404);
    expect((await reader.client.post(sharing)).status).toBe(403);
    expect((await reader.client.remove(sharing)).status).toBe(403);
    const writer = await another();
    for (const call of [writer.client.get, writer.client.post, writer.client.remove])
      expect((await call(`${writer.path}${id}/sharing/`)).status).toBe(404);
    expect((await api.get(`${path}${id}/`)).body).toMatchObject({ is_shared: false });
  });
});
