import { beforeAll, describe, expect, it } from "vitest";
import { customerAnalytics } from "../../../functions/customer-analytics/routes.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { AccountRelationshipDefinitions } from "../../../lib/customers/account-definitions.ts";
import { externalIdMarker } from "../../../lib/customers/group-accounts.ts";
import type { LevelName } from "../../../lib/organizations/organizations.ts";
import { put } from "../../../lib/table/store.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { aPlatform, eventually } from "../../support/processes/platform.ts";
import { aHousehold, apiWorld, aSecretKey, ask } from "../../support/worlds/api-world.ts";

const platform = aPlatform();

const ONE = "/api/customer_analytics/external/account";
const ALL = "/api/customer_analytics/external/accounts";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const document = (key: string) => ({
  organizations: [
    {
      key,
      name: key,
      members: (
        [
          ["ana", "owner", "Ana", "Exec"],
          ["aaa", "member", "", ""],
        ] as readonly [string, LevelName, string, string][]
      ).map(([name, level, first_name, last_name]) => ({
        email: `${name}@${key}.test`,
        level,
        first_name,
        last_name,
        ...(name === "ana" && { personal_api_keys: [{ label: "all", scopes: ["*"] }] }),
      })),
      projects: [
        {
          key: "web",
          name: "Web",
          account_group_type: "company",
          secret_api_keys: [
            { label: "read", scopes: ["account:read"] },
            { label: "write", scopes: ["account:write"] },
            { label: "none", scopes: ["endpoint:read"] },
          ],
          account_relationships: ["CSM", "Account executive", "Unused"],
          account_custom_properties: [
            { name: "Plan", type: "string" },
            { name: "Seats", type: "number" },
            { name: "Renewal", type: "datetime" },
          ],
          accounts: [
            {
              external_id: "acme-1",
              name: "Acme Corp",
              properties: { stripe_customer_id: "cus_123" },
              tags: ["priority", "enterprise"],
              relationships: { CSM: [`ana@${key}.test`], "Account executive": [`ana@${key}.test`, `aaa@${key}.test`] },
              custom_properties: { Plan: "enterprise", Renewal: "2026-07-01T12:00:00Z" },
            },
            { external_id: "gone-1", name: "Gone", ignored_at: "2026-08-01T12:30:00Z", churned_at: "2026-08-01T12:30:00.250Z" },
            { external_id: "plain-1" },
          ],
        },
      ],
    },
  ],
});

const aShop = async (key: string) => {
  const tree = await applyDocument(platform().world, document(key));
  const [organization] = tree.organizations;
  const [project] = organization?.projects ?? [];
  if (organization === undefined || project === undefined) throw new Error("the document made no project");
  const client = (value: string | null | undefined): ApiClient => apiClient(platform().baseUrl, value ?? "");
  const [read, write, none] = project.secret_api_keys.map(({ value }) => client(value));
  if (read === undefined || write === undefined || none === undefined) throw new Error("the document made too few keys");
  return {
    project,
    members: organization.members,
    read,
    write,
    none,
    team: client(project.secret_token),
    person: client(organization.members[0]?.personal_api_keys[0]?.value),
    token: client(project.token),
  };
};

let shop: Awaited<ReturnType<typeof aShop>>;
let other: Awaited<ReturnType<typeof aShop>>;
beforeAll(async () => {
  shop = await aShop("shop");
  other = await aShop("other");
});

const bare = (path: string, authorization?: string) =>
  fetch(platform().baseUrl + path, { headers: authorization === undefined ? {} : { authorization } }).then(async (response) => ({
    status: response.status,
    body: (await response.json()) as unknown,
  }));

describe("GET /customer_analytics/external/account", () => {
  it("answers one account with all that is known of it, to secret keys and to the team secret token", async () => {
    const [ana, aaa] = shop.members.map(({ user_id, email }) => ({ user_id, email }));
    for (const client of [shop.read, shop.write, shop.team]) {
      expect(await client.get(`${ONE}?external_id=%20acme-1%20`)).toMatchObject({ status: 200 });
    }
    expect((await shop.team.get(`${ONE}/?external_id=acme-1`)).body).toEqual({
      id: expect.stringMatching(UUID),
      external_id: "acme-1",
      name: "Acme Corp",
      churned_at: null,
      ignored_at: null,
      properties: {
        stripe_customer_id: "cus_123",
        hubspot_deal_id: null,
        billing_id: null,
        sfdc_id: null,
        zendesk_id: null,
        slack_channel_id: null,
        usage_dashboard_link: null,
      },
      tags: ["enterprise", "priority"],
      relationships: { CSM: [ana], "Account executive": [aaa, ana] },
      custom_properties: { Plan: "enterprise", Seats: null, Renewal: "2026-07-01T12:00:00+00:00" },
    });
    expect((await shop.read.get(`${ONE}?external_id=gone-1`)).body).toMatchObject({
      ignored_at: "2026-08-01T12:30:00Z",
      churned_at: "2026-08-01T12:30:00.250000Z",
      relationships: {},
    });
  });

  it("says what is wrong with the call in a body of its own, and never whose a key is", async () => {
    const path = `${ONE}?external_id=acme-1`;
    expect(await shop.read.get(ONE)).toMatchObject({ status: 400, body: { error: "external_id is required" } });
    expect(await shop.read.get(`${ONE}?external_id=%20`)).toMatchObject({ status: 400, body: { error: "external_id is required" } });
    for (const id of ["unknown", "x".repeat(401), "%00"])
      expect(await shop.read.get(`${ONE}?external_id=${id}`)).toMatchObject({ status: 404, body: { error: "Account not found" } });
    expect(await shop.none.get(ONE)).toMatchObject({ status: 403, body: { error: "API key missing required scope 'account:read'" } });
    const invalid = { status: 401, body: { error: "Invalid API key" } };
    for (const client of [shop.person, shop.token, apiClient(platform().baseUrl, "phs_unknown")])
      expect(await client.get(path)).toMatchObject(invalid);
    const missing = { status: 401, body: { error: "Missing or invalid Authorization header" } };
    expect(await bare(ONE)).toEqual(missing);
    expect(await bare(path, "Basic abc")).toEqual(missing);
    expect(await bare(path, "Bearer ")).toEqual({ status: 401, body: { error: "Empty API key" } });
  });

  it("finds nothing of another project", async () => {
    const created = await other.team.post(ONE, { external_id: "theirs" });
    expect(created.status).toBe(201);
    expect((await shop.read.get(`${ONE}?external_id=theirs`)).status).toBe(404);
  });
});

describe("GET /customer_analytics/external/accounts", () => {
  it("answers the rows that are not ignored, in the order of their ids, with the members at each", async () => {
    const [ana, aaa] = shop.members.map(({ user_id, email }) => ({ user_id, email }));
    const relationships = {
      "Account executive": [
        { ...aaa, name: null },
        { ...ana, name: "Ana Exec" },
      ],
      CSM: [{ ...ana, name: "Ana Exec" }],
    };
    expect((await shop.read.get(ALL)).body).toEqual({
      results: [
        { external_id: "acme-1", name: "Acme Corp", churned_at: null, ignored_at: null, relationships },
        { external_id: "plain-1", name: "plain-1", churned_at: null, ignored_at: null, relationships: {} },
      ],
      next_cursor: null,
    });
    expect((await shop.read.get(`${ALL}?include_ignored=1`)).body).toMatchObject({ results: { length: 3 } });
    expect((await shop.read.get(`${ALL}?assigned_only=TRUE&include_ignored=true`)).body).toMatchObject({ results: { length: 1 } });
  });

  it("goes on behind the cursor until there is none", async () => {
    const seen: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body } = await shop.read.get(`${ALL}?limit=0&include_ignored=true&cursor=${cursor}`);
      const page = body as { results: { external_id: string }[]; next_cursor: string | null };
      seen.push(...page.results.map(({ external_id }) => external_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(["acme-1", "gone-1", "plain-1"]);
  });

  it("names no place to go on where only accounts follow that are not listed", async () => {
    const pages = async (query: string): Promise<readonly (readonly string[])[]> => {
      const seen: string[][] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { body } = await shop.read.get(`${ALL}?${query}&cursor=${cursor}`);
        const page = body as { results: { external_id: string }[]; next_cursor: string | null };
        seen.push(page.results.map(({ external_id }) => external_id));
        cursor = page.next_cursor;
      }
      return seen;
    };
    expect(await pages("limit=1&assigned_only=true")).toEqual([["acme-1"]]);
    expect(await pages("limit=1")).toEqual([["acme-1"], ["plain-1"]]);
    expect(await pages("limit=2")).toEqual([["acme-1", "plain-1"]]);
  });

  it("names what is wrong with each parameter, and brings the limit into its range", async () => {
    expect(await shop.read.get(`${ALL}?cursor=x&limit=1.5&assigned_only=maybe&include_ignored=`)).toMatchObject({
      status: 400,
      body: {
        error: {
          cursor: ["Must be a valid account id."],
          limit: ["A valid integer is required."],
          assigned_only: ["Must be a valid boolean."],
          include_ignored: ["Must be a valid boolean."],
        },
      },
    });
    for (const limit of ["-5", "0", "1000", "99999999999999999999"])
      expect((await shop.read.get(`${ALL}?limit=${limit}`)).status).toBe(200);
  });

  it("is closed to everything but secret keys with the scope", async () => {
    const invalid = { status: 401, body: { error: "Missing or invalid API key" } };
    for (const client of [shop.team, shop.person, shop.token]) expect(await client.get(ALL)).toMatchObject(invalid);
    expect(await bare(ALL)).toEqual(invalid);
    expect(await shop.none.get(ALL)).toMatchObject({ status: 403, body: { error: "API key missing required scope 'account:read'" } });
    expect((await other.read.get(ALL)).body).toMatchObject({ results: expect.not.arrayContaining([{ external_id: "theirs" }]) });
  });
});

describe("POST and PATCH /customer_analytics/external/account", () => {
  it("makes an account once", async () => {
    expect(await shop.team.post(ONE, { external_id: "new-1" })).toMatchObject({ status: 201, body: { name: "new-1", tags: [] } });
    expect(await shop.write.post(ONE, { external_id: " new-1 " })).toMatchObject({ status: 200, body: { external_id: "new-1" } });
    expect(await shop.read.post(ONE, { external_id: "new-2" })).toMatchObject({
      status: 403,
      body: { error: "API key missing required scope 'account:write'" },
    });
    expect(await shop.write.post(ONE, {})).toMatchObject({ status: 400, body: { error: "external_id: This field is required." } });
    expect(await shop.write.post(ONE, { external_id: "" })).toMatchObject({ status: 400, body: { error: "external_id is required" } });
  });

  it("changes tags, relationships and the end of an account, or nothing of them", async () => {
    const account = { external_id: "plain-1" };
    const csm = shop.project.account_relationship_ids.CSM ?? "";
    const ana = { type: "user", id: shop.members[0]?.user_id };
    const change = { tags: ["b", "a"], relationships: { [csm]: ana }, churned_at: "2026-09-01T10:00+02:00" };
    expect(await shop.team.patch(ONE, { ...account, ...change })).toMatchObject({
      status: 200,
      body: { tags: ["a", "b"], churned_at: "2026-09-01T08:00:00Z", relationships: { CSM: [{ user_id: ana.id }] } },
    });
    expect((await shop.team.patch(ONE, { ...account, tags: ["c"] })).body).toMatchObject({ tags: ["a", "b", "c"] });
    expect((await shop.team.patch(ONE, { ...account, tags: ["a", "x"], tags_mode: "remove" })).body).toMatchObject({ tags: ["b", "c"] });
    const undone = { tags: ["z"], tags_mode: "set", relationships: { [csm]: { type: "user", id: 999_999 } } };
    expect(await shop.team.patch(ONE, { ...account, ...undone })).toMatchObject({
      status: 400,
      body: { error: "User 999999 is no member of this project's organization." },
    });
    const cleared = { tags_mode: "set", tags: [], relationships: { [csm]: null }, churned_at: null };
    expect((await shop.team.patch(ONE, { ...account, ...cleared })).body).toMatchObject({ tags: [], relationships: {}, churned_at: null });
    expect((await shop.team.patch(ONE, { external_id: "nobody" })).status).toBe(404);
    const half = "tags.0: This text holds half of a surrogate pair, which is no character: send well-formed Unicode.";
    expect(await shop.team.patch(ONE, { ...account, tags: ["\ud800"] })).toMatchObject({ status: 400, body: { error: half } });
  });

  it("sets custom properties of their types", async () => {
    const [plan = "", seats = "", renewal = ""] = shop.project.account_custom_properties.map(({ id }) => id);
    const path = `${ONE}/custom_property_values`;
    const set = (properties: object) => shop.write.patch(path, { external_id: "plain-1", properties });
    expect(await set({ [plan]: "team", [seats]: 7 })).toMatchObject({
      status: 200,
      body: {
        external_id: "plain-1",
        values: [
          { definition_id: plan, value: "team" },
          { definition_id: seats, value: 7 },
        ],
      },
    });
    expect((await set({ [plan]: null })).body).toMatchObject({ values: [{ definition_id: plan, value: null }] });
    expect(await set({ [seats]: "many" })).toMatchObject({ status: 400, body: { error: "Seats takes a number." } });
    for (const unkept of [1e300, -(2 ** 53), 1e-300]) {
      const error = `properties.${seats}: this number is too large or too small to be kept: send it as text`;
      expect(await set({ [seats]: unkept })).toMatchObject({ status: 400, body: { error } });
    }
    expect((await set({ "0190c1f2-8b7e-7000-8000-9c1d2e3f4a5b": 1 })).status).toBe(400);
    const Renewal = "2026-12-31T22:00:00+00:00";
    expect((await set({ [renewal]: "2027-01-01T00:00:00+02:00" })).body).toMatchObject({ values: [{ value: Renewal }] });
    expect((await shop.read.get(`${ONE}?external_id=plain-1`)).body).toMatchObject({
      custom_properties: { Plan: null, Seats: 7, Renewal },
    });
  });
});

describe("groups of the type that a project makes accounts of", () => {
  const identify = (company: string, name: string | undefined, timestamp: string, type = "company") => ({
    event: "$group_identify",
    distinct_id: "me",
    timestamp,
    properties: { $group_type: type, $group_key: company, $group_set: name === undefined ? {} : { name } },
  });
  const send = async (batch: readonly object[], historical_migration = false) => {
    const body = JSON.stringify({ api_key: other.project.token, batch, historical_migration });
    const reply = await fetch(`${platform().baseUrl}/batch/`, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(reply.status).toBe(200);
  };
  // The key may ask for one account sixty times a minute.
  const seldom = { everyMs: 1_000 };
  const nameOf = async (id: string) => ((await other.read.get(`${ONE}?external_id=${id}`)).body as { name?: string }).name;

  it("are accounts, named by the newest event and not by the one that came last", async () => {
    await send([
      identify("group-1", "Old name", "2026-11-01T00:00:00Z"),
      identify("group-1", "New name", "2026-11-02T00:00:00Z"),
      identify("group-2", undefined, "2026-11-02T00:00:00Z"),
      identify("group-3", "No account", "2026-11-02T00:00:00Z", "team"),
    ]);
    await eventually(async () => expect([await nameOf("group-1"), await nameOf("group-2")]).toEqual(["New name", "group-2"]), seldom);
    await send(
      [identify("group-1", "Very old name", "2026-01-01T00:00:00Z"), identify("group-4", "Imported", "2026-01-01T00:00:00Z")],
      true,
    );
    await eventually(async () => expect(await nameOf("group-4")).toBe("Imported"), seldom);
    await send([identify("group-1", "Newest name", "2026-11-03T00:00:00Z"), identify("group-2", "Second", "2026-11-03T00:00:00Z")]);
    await eventually(async () => expect([await nameOf("group-1"), await nameOf("group-2")]).toEqual(["Newest name", "Second"]), seldom);
    expect(await nameOf("group-3")).toBeUndefined();
    // The same name again, and then one from in between.
    await send([identify("group-1", "Newest name", "2026-11-05T00:00:00Z"), identify("group-5", "Fifth", "2026-11-05T00:00:00Z")]);
    await eventually(async () => expect(await nameOf("group-5")).toBe("Fifth"), seldom);
    await send([identify("group-1", "Name in between", "2026-11-04T00:00:00Z"), identify("group-6", "Sixth", "2026-11-05T00:00:00Z")]);
    await eventually(async () => expect(await nameOf("group-6")).toBe("Sixth"), seldom);
    expect(await nameOf("group-1")).toBe("Newest name");
  });

  it("are found by the key that the list shows, also one with spaces around it", async () => {
    await send([identify(" wide ", "Wide", "2026-11-02T00:00:00Z"), identify("narrow", "Narrow", "2026-11-02T00:00:00Z")]);
    await eventually(async () => expect(await nameOf("narrow")).toBe("Narrow"), seldom);
    await eventually(async () => expect(await nameOf("%20wide%20")).toBe("Wide"), seldom);
    expect([await nameOf("%20narrow%20"), await nameOf("wide")]).toEqual(["Narrow", undefined]);
  });
});

it("an organization that has this turned off tells no more than of a key that nobody has", async () => {
  const closed = await aShop("closed");
  const off = { key: "closed", settings: { customer_analytics: false } };
  await applyDocument(platform().world, { organizations: [off] });
  const nobody = apiClient(platform().baseUrl, "phs_nobody");
  for (const path of [`${ONE}?external_id=acme-1`, ALL]) {
    const { status, body } = await nobody.get(path);
    expect(status).toBe(401);
    for (const client of [closed.read, closed.none, closed.team])
      await eventually(async () => expect(await client.get(path)).toMatchObject({ status, body }));
  }
});

it("single accounts are counted by key, lists by project", async () => {
  const { world } = apiWorld();
  const { project } = await aHousehold(world, 1);
  const [one, two] = [await aSecretKey(world, project, ["account:read"]), await aSecretKey(world, project, ["account:read"])];
  const statusOf = async (path: string, key: string) => (await ask(customerAnalytics, world, "GET", path, { key })).status;
  for (let call = 0; call < 60; call += 1) {
    expect(await statusOf(`${ONE}?external_id=x`, one)).toBe(404);
    expect(await statusOf(ALL, one)).toBe(200);
  }
  expect([await statusOf(`${ONE}?external_id=x`, one), await statusOf(`${ONE}?external_id=x`, two)]).toEqual([429, 404]);
  expect([await statusOf(ALL, one), await statusOf(ALL, two)]).toEqual([429, 429]);
});

it("sixty calls a minute pass with one token; what is not taken is counted by where it comes from", async () => {
  const busy = await aShop("busy");
  const statuses = async (client: ApiClient, path: string, times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, () => client.get(path)));
    return answers.map(({ status }) => status).filter((status) => status === 429).length;
  };
  expect(await statuses(busy.team, `${ONE}?external_id=acme-1`, 61)).toBeGreaterThanOrEqual(1);
  expect((await busy.read.get(ALL)).status).toBe(200);
  expect(await statuses(busy.person, ALL, 61)).toBeGreaterThanOrEqual(1);
  expect((await busy.read.get(ALL)).status).toBe(200);
});

it("an external id whose account was just removed with its project is 409, as one sentence", async () => {
  const { world } = apiWorld();
  const { project } = await aHousehold(world, 1);
  const key = await aSecretKey(world, project, ["account:write"]);
  await world.table.put({
    ...externalIdMarker(project.id, "acme-1"),
    entity: "unique",
    v: 1,
    owner: "0190d0aa-0000-7000-8000-000000000001",
  });
  expect(await ask(customerAnalytics, world, "POST", ONE, { key, body: { external_id: "acme-1" } })).toMatchObject({
    status: 409,
    json: { error: "The account is being removed. Try again." },
  });
});

it("the people of many relationships are looked for in one read", async () => {
  const { world, calls } = apiWorld();
  const { project, user } = await aHousehold(world, 1);
  const key = await aSecretKey(world, project, ["account:write"]);
  const ids = Array.from({ length: 50 }, () => world.ids.uuid());
  for (const [at, id] of ids.entries())
    await put(world.table, AccountRelationshipDefinitions, { id, project_id: project.id, name: `Role ${at}` });
  await ask(customerAnalytics, world, "POST", ONE, { key, body: { external_id: "acme-1" } });
  const relationships = Object.fromEntries(ids.map((id) => [id, { type: "user", id: user.id }]));
  calls.length = 0;
  const changed = await ask(customerAnalytics, world, "PATCH", ONE, { key, body: { external_id: "acme-1", relationships } });
  expect([changed.status, Object.keys(Object(changed.json).relationships).length]).toEqual([200, ids.length]);
  expect(calls.length).toBeLessThan(15);
});
