import { describe, expect, it } from "vitest";
import { billing } from "../../../functions/billing/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import type { Organization } from "../../../lib/organizations/organizations.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { put } from "../../../lib/table/store.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { storeUsage, storeUsages } from "../../support/samples/stored-usage.ts";
import { aHousehold, aMembership, anOrganization, aPersonalKey, aProject, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";

const EVENTS = "event_count_in_period";
const EXCEPTIONS = "exceptions_captured_in_period";

/** An organization with projects 1 and 3 of its own, project 2 of another, and use on some days of November. */
const aWorld = async (settings: Partial<Organization> = {}) => {
  const { world } = apiWorld({ objects: memoryObjects() });
  const organization = await anOrganization(world, settings);
  for (const id of [1, 3]) await aProject(world, organization, id);
  const stranger = await aHousehold(world, 2);
  const owner = await aUser(world, 1);
  await aMembership(world, owner, organization, "owner");
  const key = await aPersonalKey(world, owner, ["billing:read"]);
  await storeUsage(world, organization.id, 1, {
    "2026-10-31": { [EVENTS]: 1 },
    "2026-11-02": { [EVENTS]: 10, "historical:event_count_in_period": 500 },
    "2026-11-03": { [EVENTS]: 20, [EXCEPTIONS]: 2 },
  });
  await storeUsage(world, organization.id, 3, { "2026-11-03": { [EVENTS]: 100 } });
  return { world, organization, stranger, key };
};

/** A member of the organization and their key. */
const aMember = async (world: World, organization: Organization, teams: readonly number[] = []) => {
  const member = await aUser(world, 7);
  await aMembership(world, member, organization);
  return { member, key: await aPersonalKey(world, member, ["billing:read"], { teams }) };
};

const path = (parameters: Readonly<Record<string, string | number>> = {}): string =>
  `/api/billing/usage/?${new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]))}`;

const NOVEMBER = { start_date: "2026-11-02", end_date: "2026-11-03" };
const DATES = ["2026-11-02", "2026-11-03"];
const list = (...entries: readonly (string | number)[]): string => JSON.stringify(entries);

describe("GET /api/billing/usage/", () => {
  it("200: one series of everything, without imports", async () => {
    const { world, key, organization } = await aWorld();
    expect(await ask(billing, world, "GET", path(NOVEMBER), { key })).toMatchObject({
      status: 200,
      json: {
        status: "ok",
        type: "timeseries",
        customer_id: `cus_${organization.id.replaceAll("-", "")}`,
        team_id_options: [1, 3],
        results: [{ id: 1, label: "All usage", data: [10, 122], dates: DATES, breakdown_type: null, breakdown_value: null }],
      },
    });
  });

  it("200: by type, by project and by both, the largest first", async () => {
    const { world, key } = await aWorld();
    const series = async (...breakdowns: readonly string[]) =>
      (await ask(billing, world, "GET", path({ ...NOVEMBER, breakdowns: list(...breakdowns) }), { key })).json;
    expect(await series("type")).toMatchObject({
      results: [
        { id: 1, label: "Events", data: [10, 120], breakdown_type: "type", breakdown_value: EVENTS },
        { id: 2, label: "Exceptions", data: [0, 2], breakdown_type: "type", breakdown_value: EXCEPTIONS },
      ],
    });
    expect(await series("team")).toMatchObject({
      results: [
        { label: "Project 3", data: [0, 100], breakdown_type: "team", breakdown_value: "3" },
        { label: "Project 1", data: [10, 22], breakdown_type: "team", breakdown_value: "1" },
      ],
    });
    const both = {
      results: [
        { label: "Project 3::Events", breakdown_type: "multiple", breakdown_value: [EVENTS, "3"] },
        { label: "Project 1::Events", breakdown_value: [EVENTS, "1"], data: [10, 20] },
        { label: "Project 1::Exceptions", breakdown_value: [EXCEPTIONS, "1"] },
      ],
    };
    expect(await series("type", "team")).toMatchObject(both);
    expect(await series("team", "type")).toMatchObject(both);
  });

  it("200: weeks begin on Monday and months on their first day; days outside the range do not count", async () => {
    const { world, key } = await aWorld();
    const series = async (interval: string) =>
      (await ask(billing, world, "GET", path({ start_date: "2026-10-31", end_date: "2026-11-02", interval }), { key })).json;
    expect(await series("week")).toMatchObject({ results: [{ dates: ["2026-10-26", "2026-11-02"], data: [1, 10] }] });
    expect(await series("month")).toMatchObject({ results: [{ dates: ["2026-10-01", "2026-11-01"], data: [1, 10] }] });
  });

  it("200: the last thirty days up to today when no date is given, and nothing where nothing was used", async () => {
    const { world, key, stranger } = await aWorld();
    const { json } = await ask(billing, world, "GET", path({ start_date: "", usage_types: "" }), { key });
    expect(json).toMatchObject({ results: [{ data: { length: 31 }, dates: { 0: "2026-10-21", 30: "2026-11-20" } }] });
    const unused = await ask(billing, world, "GET", path({ usage_types: list("rows_exported_in_period") }), { key });
    expect(unused.json).toMatchObject({ results: [{ id: 1, label: "All usage", data: Array(31).fill(0), breakdown_value: null }] });
    const before = await ask(billing, world, "GET", path({ start_date: "2026-01-05", end_date: "2026-01-06" }), { key });
    expect(before.json).toMatchObject({ results: [{ data: [0, 0], dates: ["2026-01-05", "2026-01-06"] }], team_id_options: [] });
    const nothing = await ask(billing, world, "GET", path({ breakdowns: list("type") }), { key: stranger.key });
    expect((await ask(billing, world, "GET", path({}), { key: stranger.key })).json).toMatchObject({ results: [], team_id_options: [] });
    expect(nothing.json).toMatchObject({ results: [], team_id_options: [] });
    const page = await ask(billing, world, "GET", path({ breakdowns: list("team"), page_size: 5 }), { key: stranger.key });
    expect(page.json).toMatchObject({ results: [], total_count: 0, next: null });
  });

  it("200: a parameter that is blank is as if it were left out", async () => {
    const { world, key } = await aWorld();
    const names = ["start_date", "end_date", "usage_types", "team_ids", "breakdowns", "interval", "top_projects", "page_size", "after"];
    const { body } = await ask(billing, world, "GET", path(), { key });
    for (const blank of ["", " "]) {
      const reply = await ask(billing, world, "GET", path(Object.fromEntries(names.map((name) => [name, blank]))), { key });
      expect(reply).toMatchObject({ status: 200, body });
    }
  });

  it("200: only the asked types and projects; a project that is gone everywhere is history that may be asked for", async () => {
    const { world, key, organization } = await aWorld();
    await storeUsage(world, organization.id, 99, { "2026-11-02": { [EVENTS]: 5 } });
    const types = await ask(billing, world, "GET", path({ ...NOVEMBER, usage_types: list(EXCEPTIONS) }), { key });
    expect(types.json).toMatchObject({ results: [{ data: [0, 2] }], team_id_options: [1, 3, 99] });
    const gone = await ask(billing, world, "GET", path({ ...NOVEMBER, team_ids: list(99), breakdowns: list("team") }), { key });
    expect(gone.json).toMatchObject({ results: [{ label: "99", data: [5, 0] }] });
  });

  it("200: a project of another organization that is gone is no longer anybody's", async () => {
    const { world, key, stranger } = await aWorld();
    const asked = () => ask(billing, world, "GET", path({ team_ids: list(2) }), { key });
    expect((await asked()).status).toBe(403);
    await put(world.table, Projects, { ...stranger.project, state: "removed" });
    expect(await asked()).toMatchObject({ status: 200, json: { results: [], team_id_options: [] } });
  });

  it("200: the projects behind the first are one series, and everything still adds up", async () => {
    const { world, key, organization } = await aWorld();
    await storeUsage(world, organization.id, 4, { "2026-11-02": { [EVENTS]: 7, [EXCEPTIONS]: 1 } });
    const folded = await ask(billing, world, "GET", path({ ...NOVEMBER, breakdowns: list("team"), top_projects: 1 }), { key });
    expect(folded.json).toMatchObject({
      results: [
        { label: "Project 3", data: [0, 100] },
        { label: "All other projects", data: [18, 22], breakdown_value: "other" },
      ],
    });
    const both = await ask(billing, world, "GET", path({ ...NOVEMBER, breakdowns: list("team", "type"), top_projects: 1 }), { key });
    expect(both.json).toMatchObject({
      results: [
        { label: "Project 3::Events" },
        { label: "All other projects::Events", data: [17, 20], breakdown_value: [EVENTS, "other"] },
        { label: "All other projects::Exceptions", data: [1, 2] },
      ],
    });
    const enough = await ask(billing, world, "GET", path({ ...NOVEMBER, breakdowns: list("team"), top_projects: 3 }), { key });
    expect(enough.json).toMatchObject({ results: { length: 3 } });
    expect(JSON.stringify(enough.json)).not.toContain("other");
  });

  it("200: pages hold every series once, also those that are equally large", async () => {
    const { world, key, organization } = await aWorld();
    for (let project = 10; project < 30; project += 1)
      await storeUsage(world, organization.id, project, { "2026-11-02": { [EVENTS]: 10 } });
    const values: unknown[] = [];
    let after: string | null = "";
    while (after !== null) {
      const { status, json }: { status: number; json: unknown } = await ask(
        billing,
        world,
        "GET",
        path({ ...NOVEMBER, breakdowns: list("team"), page_size: 3, after }),
        { key },
      );
      expect([status, json]).toMatchObject([200, { total_count: 22 }]);
      expect(json).not.toHaveProperty("team_id_options");
      const page = json as { next: string | null; results: { breakdown_value: unknown }[] };
      values.push(...page.results.map(({ breakdown_value }) => breakdown_value));
      after = page.next;
    }
    expect(values.slice(0, 2)).toEqual(["3", "1"]);
    expect(new Set(values).size).toBe(22);
  });

  it.each([
    ["usage_types", "x", "invalid_input"],
    ["usage_types", list("unknown"), "invalid_choice"],
    ["usage_types", "[1]", "invalid_input"],
    ["team_ids", "1,2,3", "invalid_input"],
    ["team_ids", "[true]", "invalid_input"],
    ["team_ids", '["1"]', "invalid_input"],
    ["breakdowns", list("project"), "invalid_input"],
    ["breakdowns", "{}", "invalid_input"],
    ["interval", "hour", "invalid_choice"],
    ["top_projects", 0, "min_value"],
    ["top_projects", 201, "max_value"],
    ["page_size", 0, "min_value"],
    ["page_size", 1001, "max_value"],
    ["page_size", 10, "invalid_input"],
    ["after", "x".repeat(513), "max_length"],
    ["start_date", "soon", "invalid_input"],
    ["end_date", "2026-02-30", "invalid_input"],
    ["end_date", "2026-11-01", "invalid_input"],
  ])("400: %s of %s is %s", async (name, value, code) => {
    const { world, key } = await aWorld();
    const reply = await ask(billing, world, "GET", path({ ...NOVEMBER, [name]: value }), { key });
    expect(reply).toMatchObject({ status: 400, json: { type: "validation_error", code, attr: name } });
  });

  it("400: `all` is a beginning, and no end", async () => {
    const { world, key } = await aWorld();
    const reply = await ask(billing, world, "GET", path({ end_date: "all" }), { key });
    expect(reply).toMatchObject({ status: 400, json: { code: "invalid_input", attr: "end_date" } });
  });

  it("400: a cursor that is none, or that belongs to other parameters, counts only with paging", async () => {
    const { world, key } = await aWorld();
    const paged = { ...NOVEMBER, breakdowns: list("team"), page_size: 1 };
    expect(await ask(billing, world, "GET", path({ ...NOVEMBER, after: "nonsense" }), { key })).toMatchObject({ status: 200 });
    const refused = { status: 400, json: { code: "invalid_input", attr: "after" } };
    expect(await ask(billing, world, "GET", path({ ...paged, after: "nonsense" }), { key })).toMatchObject(refused);
    const { json } = await ask(billing, world, "GET", path(paged), { key });
    const { next } = json as { next: string };
    expect(await ask(billing, world, "GET", path({ ...paged, after: next, interval: "week" }), { key })).toMatchObject(refused);
    expect(await ask(billing, world, "GET", path({ ...paged, page_size: 2, after: next }), { key })).toMatchObject({ status: 200 });
  });

  it("200: a year before 100 is that year", async () => {
    const { world, key } = await aWorld();
    const year = { start_date: "-1960yStart", end_date: "0066-12-31" };
    expect(await ask(billing, world, "GET", path(year), { key })).toMatchObject({ status: 200 });
  });

  it("400: more than a year, or more series than fit into one answer", async () => {
    const { world, key, organization } = await aWorld();
    const long = await ask(billing, world, "GET", path({ start_date: "2025-11-01", end_date: "2026-11-03" }), { key });
    expect(long).toMatchObject({
      status: 400,
      json: {
        type: "invalid_request",
        code: "usage_date_range_too_long",
        detail: "The date range is longer than a year. Choose a range of at most a year.",
      },
    });
    expect(await ask(billing, world, "GET", path({ start_date: "all" }), { key })).toMatchObject({ status: 400 });
    expect(await ask(billing, world, "GET", path({ start_date: "all", end_date: "2020-12-31" }), { key })).toMatchObject({ status: 200 });
    const small = Array.from({ length: 1_000 }, (_, at) => 100 + at);
    await storeUsages(world, organization.id, small, { "2026-11-02": { [EVENTS]: 1 } });
    const many = { ...NOVEMBER, breakdowns: list("team") };
    expect(await ask(billing, world, "GET", path(many), { key })).toMatchObject({
      status: 400,
      json: { code: "usage_breakdown_too_large" },
    });
    const page = await ask(billing, world, "GET", path({ ...many, page_size: 1000 }), { key });
    expect(page).toMatchObject({ status: 200, json: { results: { length: 1000 }, total_count: 1002 } });
    const top = await ask(billing, world, "GET", path({ ...many, top_projects: 200 }), { key });
    expect(top).toMatchObject({ status: 200, json: { results: { length: 201 } } });
  });

  it("401 and 403: without a key, the scope, or any access to usage", async () => {
    const { world, organization } = await aWorld();
    expect(await ask(billing, world, "GET", path())).toMatchObject({ status: 401 });
    const { member, key } = await aMember(world, organization);
    expect(await ask(billing, world, "GET", path(), { key })).toMatchObject({ status: 403, json: { code: "permission_denied" } });
    const unscoped = await aPersonalKey(world, member, ["project:read"]);
    expect(await ask(billing, world, "GET", path(), { key: unscoped })).toMatchObject({ status: 403 });
  });

  it("403: a project of another organization, asked for by whomever", async () => {
    const { world, key } = await aWorld();
    expect(await ask(billing, world, "GET", path({ team_ids: list(1, 2) }), { key })).toMatchObject({
      status: 403,
      json: { code: "permission_denied", detail: "One or more requested projects are not in this organization." },
    });
  });

  it("200 and 403: a member who may look sees the projects that they see everywhere, and no name of another", async () => {
    const { world, organization } = await aWorld({ member_billing_usage_spend_read_access: true });
    const { member, key } = await aMember(world, organization);
    const hide = (project_id: number, visible: boolean) =>
      put(world.table, AccessGrants, { project_id, user_id: member.id, organization_id: organization.id, visible, export: null });
    await hide(3, false);
    const own = await ask(billing, world, "GET", path({ ...NOVEMBER, breakdowns: list("team") }), { key });
    expect(own.json).toMatchObject({ results: [{ label: "Project 1" }], team_id_options: [1] });
    expect(JSON.stringify(own.json)).not.toContain("Project 3");
    const asked = await ask(billing, world, "GET", path({ ...NOVEMBER, team_ids: list(1, 3) }), { key });
    expect(asked.json).toMatchObject({ results: [{ data: [10, 22] }], team_id_options: [1] });
    expect(await ask(billing, world, "GET", path({ team_ids: list(3) }), { key })).toMatchObject({ status: 403 });
    await hide(1, false);
    expect(await ask(billing, world, "GET", path(), { key })).toMatchObject({ status: 403 });
  });

  it("a key's projects bind a member who may only look, and not an owner", async () => {
    const { world, organization } = await aWorld({ member_billing_usage_spend_read_access: true });
    const { key } = await aMember(world, organization, [3]);
    const member = await ask(billing, world, "GET", path(NOVEMBER), { key });
    expect(member.json).toMatchObject({ results: [{ data: [0, 100] }] });
    const owner = await aUser(world, 8);
    await aMembership(world, owner, organization, "owner");
    const restricted = await aPersonalKey(world, owner, ["billing:read"], { teams: [3] });
    const full = await ask(billing, world, "GET", path({ ...NOVEMBER, team_ids: list(1) }), { key: restricted });
    expect(full.json).toMatchObject({ results: [{ data: [10, 22] }] });
  });
});
