import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { errorTracking } from "../../../functions/error-tracking/routes.ts";
import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { Issues } from "../../../lib/error-tracking/issues.ts";
import { anyRules, GroupingRules, SeverityRules } from "../../../lib/error-tracking/rules.ts";
import { put, update } from "../../../lib/table/store.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { overtakenTable } from "../../support/overtaken-table.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";
import { aRole } from "../../support/samples/roles.ts";
import { ask } from "../../support/worlds/api-world.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let elsewhere: ATenant;
let stranger: ApiClient;

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  elsewhere = await aTenant(platform().world);
  stranger = apiClient(platform().baseUrl, elsewhere.personalKey);
});

const KINDS = ["severity_rules", "grouping_rules", "assignment_rules"] as const;
type Kind = (typeof KINDS)[number];

const at = (kind: Kind, suffix = "", of = tenant): string => `/api/projects/${of.projectId}/error_tracking/${kind}/${suffix}`;

const leaf = (value = "TypeError") => ({ key: "$exception_types", type: "event", operator: "exact", value: [value], label: "l" });
const filters = (...values: readonly unknown[]) => ({ type: "AND", values });
const UNKNOWN = "01957a50-0c0e-7b52-8a3e-2f6f8a6f1a11";

const Rule = z.looseObject({ id: z.guid(), filters: z.unknown(), order_key: z.int(), created_at: z.string(), updated_at: z.string() });
type Rule = z.output<typeof Rule>;

/** What rules of a kind need beside their filters. */
const needed = (kind: Kind, of = tenant): object => {
  switch (kind) {
    case "severity_rules":
      return { severity: "low" };
    case "grouping_rules":
      return {};
    case "assignment_rules":
      return { assignee: { type: "user", id: of.userId } };
  }
};

const made = async (kind: Kind, body: object = {}, client = api, of = tenant): Promise<Rule> => {
  const answer = await client.post(at(kind, "", of), { filters: filters(leaf()), ...needed(kind, of), ...body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return Rule.parse(answer.body);
};
const shown = async (kind: Kind, id: string): Promise<Rule> => Rule.parse((await api.get(at(kind, `${id}/`))).body);
const inProject = async () => {
  const of = await aTenant(platform().world);
  return { of, client: apiClient(platform().baseUrl, of.personalKey) };
};

describe("POST severity_rules/", () => {
  it("201: returns the rule, its filters as they were sent, in force and asked first", async () => {
    const sent = filters(leaf(), { type: "OR", values: [] });
    const answer = await api.post(at("severity_rules"), { filters: sent, severity: "high", disabled_data: {}, id: UNKNOWN });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({
      id: expect.not.stringMatching(UNKNOWN),
      filters: sent,
      severity: "high",
      order_key: 0,
      disabled_data: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const { id } = Rule.parse(answer.body);
    expect((await api.get(at("severity_rules", `${id}/`))).body).toEqual(answer.body);
  });

  it("201: a rule without conditions, which every exception fulfils, at a place of its own", async () => {
    expect(await made("severity_rules", { filters: filters(), order_key: "7" })).toMatchObject({ order_key: 7 });
  });

  it.each([
    [{ severity: "urgent" }, "severity", "invalid_choice"],
    [{ severity: undefined }, "severity", "required"],
    [{ severity: null }, "severity", "null"],
    [{ order_key: "first" }, "order_key", "invalid_input"],
    [{ order_key: true }, "order_key", "invalid_input"],
  ])("400: %j", async (body, attr, code) => {
    const answer = await api.post(at("severity_rules"), { filters: filters(), severity: "low", ...body });
    expect(answer).toMatchObject({ status: 400, body: { type: "validation_error", attr, code } });
  });

  it("400: a project has at most 100, and deleting one makes room", async () => {
    const { of, client } = await inProject();
    const create = () => client.post(at("severity_rules", "", of), { filters: filters(), severity: "low" });
    const answers = await Promise.all(Array.from({ length: 110 }, create));
    const rules = answers.filter(({ status }) => status === 201);
    expect(rules).toHaveLength(100);
    expect(await create()).toMatchObject({ status: 400, body: { attr: null } });
    await client.remove(at("severity_rules", `${Rule.parse(rules[0]?.body).id}/`, of));
    expect(await create()).toMatchObject({ status: 201 });
  });
});

describe("POST grouping_rules/", () => {
  it("201: returns the rule with its assignee and description, always at the first place", async () => {
    const body = { filters: filters(leaf()), assignee: { type: "user", id: String(tenant.userId) }, description: "", order_key: 5 };
    const answer = await api.post(at("grouping_rules"), body);
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({
      id: expect.any(String),
      filters: body.filters,
      assignee: { type: "user", id: tenant.userId },
      description: "",
      issue: null,
      order_key: 0,
      disabled_data: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const role = { type: "role", id: await aRole(platform().world, tenant.organizationId) };
    expect(await made("grouping_rules", { assignee: role })).toMatchObject({ assignee: role, description: null });
    expect(await made("grouping_rules", { assignee: null, description: null })).toMatchObject({ assignee: null });
  });

  it.each([
    [{ type: "team", id: 1 }, "assignee__type", "invalid_choice"],
    [{ id: 1 }, "assignee__type", "required"],
    [{ type: "user" }, "assignee__id", "required"],
    [{ type: "user", id: UNKNOWN }, "assignee__id", "invalid_input"],
    [{ type: "user", id: true }, "assignee__id", "invalid_input"],
    [{ type: "user", id: 1.5 }, "assignee__id", "invalid_input"],
    [{ type: "user", id: -1 }, "assignee__id", "invalid_input"],
    [{ type: "user", id: 999_999 }, "assignee__id", "invalid_input"],
    [{ type: "role", id: 5 }, "assignee__id", "invalid_input"],
    [{ type: "role", id: "boss" }, "assignee__id", "invalid_input"],
    [{ type: "role", id: UNKNOWN }, "assignee__id", "invalid_input"],
  ])("400: nobody is %j", async (assignee, attr, code) => {
    const answer = await api.post(at("grouping_rules"), { filters: filters(leaf()), assignee });
    expect(answer).toMatchObject({ status: 400, body: { type: "validation_error", attr, code } });
  });

  it("400: neither a member nor a role of another organization can be an assignee", async () => {
    const role = { type: "role", id: await aRole(platform().world, elsewhere.organizationId) };
    for (const assignee of [{ type: "user", id: elsewhere.userId }, role]) {
      const answer = await api.post(at("grouping_rules"), { filters: filters(leaf()), assignee });
      expect(answer).toMatchObject({ status: 400, body: { attr: "assignee__id" } });
    }
  });

  it("400: filters without any condition", async () => {
    for (const empty of [filters(), filters(filters(), { type: "OR", values: [] })]) {
      const answer = await api.post(at("grouping_rules"), { filters: empty });
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input", attr: "filters" } });
    }
  });
});

describe("assignment_rules/", () => {
  it("201: returns the rule with its assignee, switched on, at a place of its own", async () => {
    const body = { filters: filters(), assignee: { type: "user", id: String(tenant.userId) }, order_key: 5 };
    const answer = await api.post(at("assignment_rules"), body);
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({
      id: expect.any(String),
      filters: body.filters,
      assignee: { type: "user", id: tenant.userId },
      enabled: true,
      order_key: 5,
      disabled_data: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  it.each([
    [{}, "assignee", "required"],
    [{ assignee: null }, "assignee", "null"],
    [{ assignee: { type: "user", id: 999_999 } }, "assignee__id", "invalid_input"],
    [{ assignee: { type: "role", id: "boss" } }, "assignee__id", "invalid_input"],
    [{ assignee: { type: "role", id: UNKNOWN } }, "assignee__id", "invalid_input"],
  ])("400: %j", async (body, attr, code) => {
    expect(await api.post(at("assignment_rules"), { filters: filters(leaf()), ...body })).toMatchObject({
      status: 400,
      body: { attr, code },
    });
  });

  it("204: a change says who else looks after what it matches; 400 for nobody", async () => {
    const other = await aTenant(platform().world);
    const rule = await made("assignment_rules");
    const path = at("assignment_rules", `${rule.id}/`);
    for (const assignee of [null, { type: "user", id: other.userId }]) {
      expect(await api.patch(path, { assignee })).toMatchObject({ status: 400 });
    }
    expect((await api.patch(path, { assignee: { type: "user", id: tenant.userId }, order_key: 3 })).status).toBe(204);
    expect(await shown("assignment_rules", rule.id)).toEqual({ ...rule, updated_at: expect.any(String) });
  });

  it("400: a project has at most 100", async () => {
    const { of, client } = await inProject();
    const create = () => client.post(at("assignment_rules", "", of), { filters: filters(), ...needed("assignment_rules", of) });
    const answers = await Promise.all(Array.from({ length: 101 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(100).fill(201), 400]);
  });
});

describe.each(KINDS)("a rule of %s that is switched off", (kind) => {
  it("204: says so and stays off until it is switched on, whatever else is changed", async () => {
    const rule = await made(kind);
    const path = at(kind, `${rule.id}/`);
    expect((await api.patch(path, { enabled: false })).status).toBe(204);
    expect((await api.patch(path, { filters: filters(leaf("b")) })).status).toBe(204);
    const off = await shown(kind, rule.id);
    expect(Object.keys(off)).toEqual(Object.keys(rule));
    expect(off).toMatchObject(
      kind === "assignment_rules" ? { enabled: false, disabled_data: null } : { disabled_data: { message: expect.any(String) } },
    );
    expect((await api.patch(path, { enabled: true })).status).toBe(204);
    expect(await shown(kind, rule.id)).toEqual({ ...rule, filters: filters(leaf("b")), updated_at: expect.any(String) });
    expect(await api.patch(path, { enabled: "perhaps" })).toMatchObject({ status: 400, body: { attr: "enabled" } });
  });

  it("201: is made switched off; switching it on puts it in force where it failed, too", async () => {
    const { id } = await made(kind, { enabled: false });
    const { table } = platform().world;
    const rules = anyRules(({ severity_rules: "severity", grouping_rules: "grouping", assignment_rules: "assignment" } as const)[kind]);
    await update(table, rules, { project: tenant.projectId, id }, { set: { disabled_data: '{"message":"broken"}' } });
    expect(await shown(kind, id)).toMatchObject({ disabled_data: { message: "broken" } });
    expect((await api.patch(at(kind, `${id}/`), { enabled: true })).status).toBe(204);
    expect(await shown(kind, id)).toMatchObject({ disabled_data: null });
  });
});

describe.each(KINDS)("filters of %s", (kind) => {
  const post = (sent: unknown) => api.post(at(kind), { ...needed(kind), filters: sent });

  it("400: are needed, and an object", async () => {
    expect(await api.post(at(kind), needed(kind))).toMatchObject({ status: 400, body: { attr: "filters", code: "required" } });
    expect(await post(null)).toMatchObject({ status: 400, body: { attr: "filters", code: "null" } });
    for (const odd of ["text", 5, true, [leaf()]]) {
      expect(await post(odd)).toMatchObject({ status: 400, body: { attr: "filters", code: "invalid_input" } });
    }
  });

  it.each([
    {},
    { type: "AND" },
    { type: "XOR", values: [] },
    { type: "AND", values: {} },
    { type: "AND", values: [leaf()], more: 1 },
    filters(null),
    filters({ key: "a", type: "event" }),
    filters({ ...leaf(), key: 5 }),
    filters({ ...leaf(), value: {} }),
    filters({ ...leaf(), odd: 1 }),
  ])("400: %j is no property group", async (sent) => {
    expect(await post(sent)).toMatchObject({
      status: 400,
      body: { type: "validation_error", code: "invalid_input", attr: "filters", detail: "Invalid filters payload." },
    });
  });

  it.each(["1e400", "[1, -1e400]"])("400: %s is no value that could be kept", async (value) => {
    const body = JSON.stringify({ ...needed(kind), filters: filters({ ...leaf(), value: 0.5 }) });
    expect(await api.post(at(kind), body.replace("0.5", value))).toMatchObject({
      status: 400,
      body: { code: "invalid_input", attr: "filters", detail: "Invalid filters payload." },
    });
  });

  it("400: ask for nothing that does not exist, and for no more than a rule can be", async () => {
    const unknown = filters({ ...leaf(), operator: "sounds_like" });
    const many = filters(...Array.from({ length: 10_001 }, () => leaf("x")));
    const long = filters(leaf("x".repeat(20_000)));
    for (const sent of [unknown, many, long]) {
      expect(await post(sent)).toMatchObject({ status: 400, body: { code: "invalid_input", attr: null } });
    }
    const broken = filters({ ...leaf(), operator: "regex", value: "(" });
    const heavy = filters({ ...leaf(), operator: "regex", value: Array.from({ length: 100 }, (_, at) => `[ab]{900}${at}`) });
    for (const sent of [broken, heavy]) {
      expect(await post(sent)).toMatchObject({ status: 400, body: { code: "invalid_input", attr: "filters" } });
    }
  });

  it.each(["person", "cohort", "group", "session", "hogql", "error_tracking_issue"])(
    "201: may ask for what an exception knows nothing of, as of a %s",
    async (type) => {
      const unknown = { ...leaf(), type, key: "email", operator: "is_not", value: "ana@example.com" };
      for (const sent of [filters(unknown), filters(leaf(), { type: "OR", values: [leaf(), unknown] })]) {
        expect(await post(sent)).toMatchObject({ status: 201, body: { filters: sent } });
      }
    },
  );

  it("201: nest, and may leave out a value where none is asked", async () => {
    const deep = filters(filters({ type: "OR", values: [leaf(), { key: "a", type: "event", operator: "is_set" }] }));
    expect(await made(kind, { filters: deep })).toMatchObject({ filters: deep });
  });
});

describe.each(KINDS)("GET %s/", (kind) => {
  it("200: all rules in the order in which they are asked, and nothing else", async () => {
    const { of, client } = await inProject();
    const rules: Rule[] = [];
    for (const value of ["a", "b", "c"]) rules.push(await made(kind, { filters: filters(leaf(value)) }, client, of));
    const [first, second, third] = rules.map(({ id }) => id);
    expect((await client.patch(at(kind, "reorder/", of), { orders: { [first ?? ""]: 2, [third ?? ""]: -1 } })).status).toBe(204);
    const answer = await client.get(at(kind, "?limit=1&offset=1", of));
    expect(answer.status).toBe(200);
    const body = z.strictObject({ results: z.array(Rule) }).parse(answer.body);
    expect(body.results.map(({ id }) => id)).toEqual([third, second, first]);
  });
});

describe.each(KINDS)("PATCH %s/reorder/", (kind) => {
  it("204: moves the rules that are named; others, and those of other projects, keep their place", async () => {
    const [one, two] = [await made(kind), await made(kind)];
    const theirs = await made(kind, {}, stranger, elsewhere);
    const orders = { [one.id.toUpperCase()]: "3", [theirs.id]: 9, [UNKNOWN]: 1, "no-id": 1 };
    expect(await api.patch(at(kind, "reorder/"), { orders })).toMatchObject({ status: 204, body: "" });
    expect(await shown(kind, one.id)).toEqual({ ...one, order_key: 3 });
    expect(await shown(kind, two.id)).toEqual(two);
    expect((await stranger.get(at(kind, `${theirs.id}/`, elsewhere))).body).toMatchObject({ order_key: 0 });
    expect((await api.patch(at(kind, "reorder/"), { orders: {} })).status).toBe(204);
  });

  it("204: of two at once one comes after the other, also where a rule has its place already", async () => {
    const { world } = platform();
    const [one, two] = [await made(kind), await made(kind)];
    const orders = (first: number, second: number) => ({ orders: { [one.id]: first, [two.id]: second } });
    expect((await api.patch(at(kind, "reorder/"), orders(1, 2))).status).toBe(204);
    const table = overtakenTable(world.table, () => api.patch(at(kind, "reorder/"), orders(8, 9)));
    const body = orders(1, 3);
    const late = await ask(errorTracking, { ...world, table }, "PATCH", at(kind, "reorder/"), { key: tenant.personalKey, body });
    expect(late.status).toBe(204);
    expect([await shown(kind, one.id), await shown(kind, two.id)]).toMatchObject([{ order_key: 1 }, { order_key: 3 }]);
  });

  it("400: orders are an object of whole numbers", async () => {
    const { id } = await made(kind);
    const answers = [
      [{}, "orders", "required"],
      [{ orders: [id] }, "orders", "not_a_dict"],
      [{ orders: "x" }, "orders", "not_a_dict"],
      [{ orders: { [id]: 1.5 } }, `orders__${id}`, "invalid_input"],
      [{ orders: { [id]: null } }, `orders__${id}`, "null"],
    ] as const;
    for (const [body, attr, code] of answers) {
      expect(await api.patch(at(kind, "reorder/"), body)).toMatchObject({ status: 400, body: { attr, code } });
    }
  });
});

describe.each(KINDS)("PATCH %s/{id}/", (kind) => {
  it("204: changes the filters and the moment of the last change", async () => {
    const rule = await made(kind);
    const changed = filters(leaf("RangeError"));
    // The clock counts milliseconds, and two requests may fall into one.
    await sleep(2);
    expect(await api.patch(at(kind, `${rule.id}/`), { filters: changed, order_key: 9 })).toMatchObject({ status: 204, body: "" });
    const after = await shown(kind, rule.id);
    expect(after).toEqual({ ...rule, filters: changed, updated_at: expect.any(String) });
    expect(after.updated_at > rule.updated_at).toBe(true);
  });

  it("400: filters that are none", async () => {
    const rule = await made(kind);
    expect(await api.patch(at(kind, `${rule.id}/`), { filters: [] })).toMatchObject({ status: 400, body: { attr: "filters" } });
    expect(await shown(kind, rule.id)).toEqual(rule);
  });
});

describe("a disabled rule", () => {
  it("of severity shows why, and only new filters put it back in force", async () => {
    const { id } = await made("severity_rules");
    const why = { message: "broken", issue: { status: "active", name: null, description: null }, properties: { a: 1 } };
    await update(platform().world.table, SeverityRules, { project: tenant.projectId, id }, { set: { disabled_data: JSON.stringify(why) } });
    expect((await api.patch(at("severity_rules", `${id}/`), { severity: "critical" })).status).toBe(204);
    expect(await shown("severity_rules", id)).toMatchObject({ severity: "critical", disabled_data: why });
    expect(await api.patch(at("severity_rules", `${id}/`), { filters: null })).toMatchObject({ status: 400, body: { code: "null" } });
    expect((await api.patch(at("severity_rules", `${id}/`), { filters: filters() })).status).toBe(204);
    expect(await shown("severity_rules", id)).toMatchObject({ severity: "critical", disabled_data: null, filters: filters() });
  });

  it("of grouping is put back in force by any change, and changes nothing but its filters", async () => {
    const rule = await made("grouping_rules", { description: "d" });
    const disabled = JSON.stringify({ message: "broken", props: { text: "x".repeat(50_000) } });
    await update(platform().world.table, GroupingRules, { project: tenant.projectId, id: rule.id }, { set: { disabled_data: disabled } });
    expect((await shown("grouping_rules", rule.id)).disabled_data).toEqual(JSON.parse(disabled));
    const listed = z.object({ results: z.array(Rule) }).parse((await api.get(at("grouping_rules"))).body);
    expect(listed.results.find(({ id }) => id === rule.id)?.disabled_data).toEqual({ message: "broken", props: {} });
    const change = { description: "other", assignee: { type: "user", id: tenant.userId }, filters: null };
    expect((await api.patch(at("grouping_rules", `${rule.id}/`), change)).status).toBe(204);
    expect(await shown("grouping_rules", rule.id)).toEqual({ ...rule, updated_at: expect.any(String) });
  });
});

describe("the issue of a grouping rule", () => {
  it("is the one that its fingerprint leads to now", async () => {
    const { table } = platform().world;
    const rule = await made("grouping_rules");
    const now = "2026-03-01T10:00:00.000000Z";
    const project = tenant.projectId;
    await put(table, Issues, {
      project,
      id: UNKNOWN,
      status: "active",
      severity: null,
      name: "TimeoutError",
      description: null,
      first_seen: now,
      assignee: null,
      created_at: now,
    });
    await put(table, Fingerprints, {
      project,
      fingerprint: `custom-rule:${rule.id}`,
      id: UNKNOWN,
      issue_id: UNKNOWN,
      created_at: now,
      first_seen: now,
      version: 0,
      visibility: "shown",
      record: null,
    });
    const issue = { id: UNKNOWN, name: "TimeoutError" };
    expect(await shown("grouping_rules", rule.id)).toMatchObject({ issue });
    const listed = z.object({ results: z.array(Rule) }).parse((await api.get(at("grouping_rules"))).body);
    expect(listed.results.find(({ id }) => id === rule.id)).toMatchObject({ issue });
  });
});

describe.each(KINDS)("a rule of %s that is not the caller's", (kind) => {
  it("404: unknown, malformed, deleted or another project's", async () => {
    const rule = await made(kind);
    const gone = await made(kind);
    expect(await api.remove(at(kind, `${gone.id}/`))).toMatchObject({ status: 204, body: "" });
    for (const id of [UNKNOWN, "not-an-id", gone.id]) {
      expect((await api.get(at(kind, `${id}/`))).status).toBe(404);
      expect((await api.patch(at(kind, `${id}/`), {})).status).toBe(404);
      expect((await api.remove(at(kind, `${id}/`))).status).toBe(404);
    }
    expect((await stranger.get(at(kind, `${rule.id}/`, elsewhere))).status).toBe(404);
    expect((await stranger.patch(at(kind, `${rule.id}/`, elsewhere), { filters: filters() })).status).toBe(404);
    expect((await stranger.remove(at(kind, `${rule.id}/`, elsewhere))).status).toBe(404);
    expect(await shown(kind, rule.id)).toEqual(rule);
  });
});

describe("scopes", () => {
  it.each(KINDS)("403: reading %s opens nothing that writes", async (kind) => {
    const of = await aTenant(platform().world, { scopes: ["error_tracking:read"] });
    const reader = apiClient(platform().baseUrl, of.personalKey);
    expect((await reader.get(at(kind, "", of))).status).toBe(200);
    for (const answer of [
      await reader.post(at(kind, "", of), { filters: filters(leaf()), ...needed(kind, of) }),
      await reader.patch(at(kind, "reorder/", of), { orders: {} }),
      await reader.remove(at(kind, `${UNKNOWN}/`, of)),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    }
  });
});
