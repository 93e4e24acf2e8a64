import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { billing } from "../../../functions/billing/routes.ts";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import type { Organization } from "../../../lib/organizations/organizations.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { put, update } from "../../../lib/table/store.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { storeUsage, storeUsages } from "../../support/samples/stored-usage.ts";
import { aMembership, anOrganization, aPersonalKey, aProject, apiWorld, ask, aUser, NOON } from "../../support/worlds/api-world.ts";

const EVENTS = "event_count_in_period";

/** Projects 1 and 3 with events, and an owner. */
const aWorld = async (settings: Partial<Organization> = {}) => {
  const objects = memoryObjects();
  const { world } = apiWorld({ objects });
  const organization = await anOrganization(world, settings);
  for (const id of [1, 3]) await aProject(world, organization, id);
  const owner = await aUser(world, 1);
  await aMembership(world, owner, organization, "owner");
  const key = await aPersonalKey(world, owner, ["billing:read"]);
  await storeUsage(world, organization.id, 1, { "2026-11-02": { [EVENTS]: 10 }, "2026-11-03": { [EVENTS]: 20 } });
  await storeUsage(world, organization.id, 3, { "2026-11-03": { [EVENTS]: 100, exceptions_captured_in_period: 4 } });
  return { world, objects, organization, owner, key };
};

const NOVEMBER = { start_date: "2026-11-02", end_date: "2026-11-03" };
const path = (parameters: Readonly<Record<string, string>> = {}, of = "usage"): string =>
  `/api/billing/${of}/export/?${new URLSearchParams({ ...NOVEMBER, ...parameters })}`;
const BOTH = { breakdowns: '["type","team"]' };

describe("GET /api/billing/usage/export/", () => {
  it("200: a CSV file with a row for each series and a column for each day", async () => {
    const { world, key } = await aWorld();
    const reply = await ask(billing, world, "GET", path(BOTH), { key });
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        "content-type": "text/csv",
        "content-disposition": 'attachment; filename="usage_2026-11-02_2026-11-03.csv"',
        vary: "Accept-Encoding",
      },
    });
    expect(String(reply.body).split("\r\n")).toEqual([
      "Product,Project,Project ID,Total,2026-11-02,2026-11-03",
      "Events,Project 3,3,100,0,100",
      "Events,Project 1,1,30,10,20",
      "Exceptions,Project 3,3,4,0,4",
      "",
    ]);
  });

  it("200: the file's name has no days where none were asked for, and one row of nothing stands for what was not used", async () => {
    const { world, key } = await aWorld();
    for (const measure of ["usage", "spend"]) {
      const reply = await ask(billing, world, "GET", `/api/billing/${measure}/export/`, { key });
      expect(reply.headers["content-disposition"]).toBe(`attachment; filename="${measure}.csv"`);
    }
    const spend = await ask(billing, world, "GET", path({}, "spend"), { key });
    expect(String(spend.body).split("\r\n").slice(1, -1)).toEqual(["All spend,,,0,0,0"]);
    const since = await ask(billing, world, "GET", `/api/billing/usage/export/?start_date=2026-11-02`, { key });
    expect(since.headers["content-disposition"]).toBe('attachment; filename="usage_2026-11-02_2026-11-20.csv"');
  });

  it("200: projects stay empty without a breakdown by project, and those that are folded have no id", async () => {
    const { world, key } = await aWorld();
    const rows = async (parameters: Readonly<Record<string, string>>) =>
      String((await ask(billing, world, "GET", path(parameters), { key })).body)
        .split("\r\n")
        .slice(1, -1);
    expect(await rows({})).toEqual(["All usage,,,134,10,124"]);
    expect(await rows({ breakdowns: '["type"]', usage_types: `["${EVENTS}"]` })).toEqual(["Events,,,130,10,120"]);
    expect(await rows({ breakdowns: '["team"]', top_projects: "1" })).toEqual([
      "All usage,Project 3,3,104,0,104",
      "All usage,All other projects,,30,10,20",
    ]);
  });

  it.each([
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    ["\tx", "'\tx"],
    ["\rx", `"'\rx"`],
    ["a, b", '"a, b"'],
    ["a=b", "a=b"],
  ])("200: a project called %s is text in a spreadsheet", async (name, cell) => {
    const { world, key } = await aWorld();
    await update(world.table, Projects, { id: 3 }, { set: { name } });
    const { body } = await ask(billing, world, "GET", path({ breakdowns: '["team"]', team_ids: "[3]" }), { key });
    expect(String(body)).toContain(`\r\nAll usage,${cell},3,104,0,104\r\n`);
  });

  it("200: a removed project is shown by its id", async () => {
    const { world, key } = await aWorld();
    await update(world.table, Projects, { id: 3 }, { set: { state: "removed" } });
    const { body } = await ask(billing, world, "GET", path({ breakdowns: '["team"]', team_ids: "[3]" }), { key });
    expect(String(body)).toContain("All usage,3,3,104,0,104");
  });

  it("200: one stream of gzip for those who take it", async () => {
    const { world, key } = await aWorld();
    const plain = await ask(billing, world, "GET", path(BOTH), { key, headers: { "accept-encoding": "br, gzip;q=0" } });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    const zipped = await ask(billing, world, "GET", path(BOTH), { key, headers: { "accept-encoding": "br, gzip;q=0.5" } });
    expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(gunzipSync(zipped.body).toString()).toBe(String(plain.body));
  });

  it.each([
    ["text/html", 406],
    ["application/xml", 406],
    ["text/csv;q=0, text/html", 406],
    ["text/csv", 200],
    ["text/*", 200],
    ["application/json", 200],
    ["text/html, */*;q=0.8", 200],
  ])("Accept %s: %i", async (accept, status) => {
    const { world, key } = await aWorld();
    const reply = await ask(billing, world, "GET", path(BOTH), { key, headers: { accept } });
    expect(reply).toMatchObject(status === 200 ? { status } : { status, json: { type: "invalid_request", code: "not_acceptable" } });
  });

  it("200, soon: what a client takes is read in linear time", { timeout: 10_000 }, async () => {
    const { world, key } = await aWorld();
    const headers = { "accept-encoding": `br${" ".repeat(100_000)}x, gzip ; q=0.5` };
    const zipped = await ask(billing, world, "GET", path(BOTH), { key, headers });
    expect(zipped.headers).toMatchObject({ "content-encoding": "gzip" });
  });

  it("302: what the gateway cannot carry is one file elsewhere; 200: its address, for those who cannot be led there", async () => {
    const { world, objects, organization, key } = await aWorld();
    const types = { event_count_in_period: 1e15, exceptions_captured_in_period: 1e15, recording_count_in_period: 1e15 };
    const days = Array.from({ length: 30 }, (_, at) => [`2026-10-${String(at + 1).padStart(2, "0")}`, types]);
    const busy = Array.from({ length: 2_000 }, (_, at) => 1_000 + at);
    await storeUsages(world, organization.id, busy, Object.fromEntries(days));
    const year = { start_date: "2025-11-20", end_date: "2026-11-20" };
    const reply = await ask(billing, world, "GET", path({ ...year, ...BOTH }), { key });
    expect(reply).toMatchObject({ status: 302, body: "", headers: { vary: "Accept-Encoding" } });
    const offered = objects.offered.get(reply.headers.location ?? "");
    expect(offered?.download).toEqual({ name: "usage_2025-11-20_2026-11-20.csv", mediaType: "text/csv" });
    const rows = Buffer.from(offered?.bytes ?? [])
      .toString()
      .split("\r\n");
    expect([rows.length, rows[0]?.startsWith("Product,Project,"), rows.at(-1)]).toEqual([1 + 3 + 3 * 2_000 + 1, true, ""]);
    const told = await ask(billing, world, "GET", path({ ...year, ...BOTH, redirect: "false" }), { key });
    expect(told).toMatchObject({ status: 200, headers: { "content-type": "application/json" }, json: { url: expect.any(String) } });
    expect(objects.offered.get(Object(told.json).url)?.bytes).toEqual(offered?.bytes);
    expect(await ask(billing, world, "GET", path({ redirect: "false" }), { key })).toMatchObject({
      headers: { "content-type": "text/csv" },
    });
  });

  it("400: the same refusals as the series, but none for its size", async () => {
    const { world, key } = await aWorld();
    const refused = async (parameters: Readonly<Record<string, string>>) =>
      (await ask(billing, world, "GET", path(parameters), { key })).json;
    expect(await refused({ interval: "hour" })).toMatchObject({ code: "invalid_choice", attr: "interval" });
    expect(await refused({ start_date: "2025-01-01" })).toMatchObject({ code: "usage_date_range_too_long" });
    expect(await refused({ page_size: "5" })).toMatchObject({ code: "invalid_input", attr: "page_size" });
    expect(await ask(billing, world, "GET", path({ ...BOTH, page_size: "1" }), { key })).toMatchObject({ status: 200 });
    expect(await ask(billing, world, "GET", path({ team_ids: "[1]" }))).toMatchObject({ status: 401 });
  });

  it("403: a member who may look exports only from projects that they were given the right to export from", async () => {
    const { world, organization } = await aWorld({ member_billing_usage_spend_read_access: true });
    const member = await aUser(world, 7);
    await aMembership(world, member, organization);
    const key = await aPersonalKey(world, member, ["billing:read"]);
    expect(await ask(billing, world, "GET", path(BOTH), { key })).toMatchObject({ status: 403 });
    const give = (project_id: number, level: "viewer" | "editor") =>
      put(world.table, AccessGrants, { project_id, user_id: 7, organization_id: organization.id, visible: true, export: level });
    await give(1, "editor");
    await give(3, "viewer");
    const { status, body } = await ask(billing, world, "GET", path(BOTH), { key });
    expect([status, String(body).split("\r\n").length]).toEqual([200, 3]);
    expect(String(body)).toContain("Events,Project 1,1,30,10,20");
  });

  it("429: an eleventh export within a minute", async () => {
    const { world, key } = await aWorld();
    for (let count = 0; count < 10; count += 1) expect(await ask(billing, world, "GET", path(), { key })).toMatchObject({ status: 200 });
    expect(await ask(billing, world, "GET", path({}, "spend"), { key })).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
  });

  it("429: an eleventh export of one person, whichever of their keys it is by; 200: the first of somebody else", async () => {
    const { world, organization, owner, key } = await aWorld();
    const second = await aPersonalKey(world, owner, ["billing:read"]);
    for (let count = 0; count < 10; count += 1)
      expect(await ask(billing, world, "GET", path(), { key: count % 2 === 0 ? key : second })).toMatchObject({ status: 200 });
    for (const each of [key, second]) expect(await ask(billing, world, "GET", path(), { key: each })).toMatchObject({ status: 429 });
    const admin = await aUser(world, 7);
    await aMembership(world, admin, organization, "admin");
    const other = await aPersonalKey(world, admin, ["billing:read"]);
    expect(await ask(billing, world, "GET", path(), { key: other })).toMatchObject({ status: 200 });
  });
});

describe("the making of files", () => {
  const held = async (count: number) => {
    const made = await aWorld();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { get } = made.objects;
    made.objects.get = async (name) => {
      await gate;
      return get(name);
    };
    const asked = Array.from({ length: count }, () => ask(billing, made.world, "GET", path(), { key: made.key }));
    return { ...made, asked, open };
  };

  it("429: a fourth file at once; 200: as soon as one of three is made, or was cut off a minute ago", async () => {
    const { world, key, asked, open } = await held(3);
    const fourth = async () => (await ask(billing, world, "GET", path(), { key })).status;
    // The three have their places as soon as the fourth, which came later, is refused.
    expect(await fourth()).toBe(429);
    open();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await fourth()).toBe(200);
  });

  it("200: a place whose holder was cut off is free after a minute", async () => {
    const { world, key } = await aWorld();
    const places = Object.fromEntries([0, 1, 2].map((at) => [`place_${at}`, NOON - 1]));
    await world.table.put({ pk: "throttle#user#1#downloads", sk: "throttle", ...places, place_1: NOON + 30_000, place_2: NOON + 30_000 });
    expect((await ask(billing, world, "GET", path(), { key })).status).toBe(200);
  });

  it("400: what takes too long is told so, of series and files", async () => {
    const { world, key, objects } = await aWorld();
    objects.get = () => new Promise(() => undefined);
    const hasty = { ...world, table: world.table, config: readConfig((field) => (field === "queryTimeMs" ? "20" : undefined)) };
    for (const target of [path(), path({}, "spend"), "/api/billing/usage/", "/api/billing/spend/"]) {
      const refused = { status: 400, json: { type: "invalid_request", code: "usage_query_timeout", attr: null } };
      expect(await ask(billing, hasty, "GET", target, { key })).toMatchObject(refused);
    }
  });
});

describe("GET /api/billing/usage/team_options/", () => {
  const OPTIONS = "/api/billing/usage/team_options/";

  it("200: the projects that ever used something, those that are gone too, and none that only imported", async () => {
    const { world, organization, key } = await aWorld();
    await storeUsage(world, organization.id, 99, { "2024-01-01": { [EVENTS]: 1 } });
    await storeUsage(world, organization.id, 98, { "2024-01-01": { "historical:event_count_in_period": 1 } });
    expect(await ask(billing, world, "GET", OPTIONS, { key })).toMatchObject({ status: 200, json: { team_id_options: [1, 3, 99] } });
  });

  it("200 and 403: only what a member sees", async () => {
    const { world, organization } = await aWorld({ member_billing_usage_spend_read_access: true });
    const member = await aUser(world, 7);
    await aMembership(world, member, organization);
    const restricted = await aPersonalKey(world, member, ["billing:read"], { teams: [3] });
    expect((await ask(billing, world, "GET", OPTIONS, { key: restricted })).json).toEqual({ team_id_options: [3] });
    const nowhere = await aPersonalKey(world, member, ["billing:read"], { teams: [2] });
    expect(await ask(billing, world, "GET", OPTIONS, { key: nowhere })).toMatchObject({ status: 403 });
  });

  it("200: no choices where they cannot be read", async () => {
    const objects = memoryObjects();
    const { world } = apiWorld({ objects: { ...objects, get: () => Promise.reject(new Error("the store does not answer")) } });
    const organization = await anOrganization(world);
    const owner = await aUser(world, 1);
    await aMembership(world, owner, organization, "owner");
    await world.table.put({ pk: `usage#${organization.id}`, sk: "2026-11", current: "x" });
    const key = await aPersonalKey(world, owner, ["billing:read"]);
    expect(await ask(billing, world, "GET", OPTIONS, { key })).toMatchObject({ status: 200, json: { team_id_options: [] } });
  });
});
