import { beforeAll, describe, expect, it } from "vitest";
import { keys } from "../../../functions/keys/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import { Domains } from "../../../lib/organizations/domains.ts";
import { type Organization, Organizations } from "../../../lib/organizations/organizations.ts";
import { type Project, Projects } from "../../../lib/projects/projects.ts";
import { put, update } from "../../../lib/table/store.ts";
import { apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";
import { aHousehold, aMembership, anOrganization, aPersonalKey, aProject, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";

const PATH = "/api/personal_api_keys/@current/";

const platform = aPlatform();
let tenant: ATenant;
beforeAll(async () => {
  tenant = await aTenant(platform().world, { timezone: "Europe/Berlin" });
});

describe("GET /personal_api_keys/@current/", () => {
  it("200: says what the key may do, as whom, where, and where SDKs post", async () => {
    const { status, body, headers } = await apiClient(platform().baseUrl, tenant.personalKey).get(PATH);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        label: "test",
        description: "",
        value: null,
        mask_value: expect.stringMatching(/^phx_\.\.\..{4}$/),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        last_used_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        last_rolled_at: null,
        user_id: tenant.userId,
        is_legacy_hashing: false,
        scopes: ["*"],
        scoped_teams: [],
        scoped_organizations: [],
        local_dev_value: null,
        user: {
          id: tenant.userId,
          uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          first_name: "Ana",
          last_name: "",
          email: expect.stringMatching(/@example\.test$/),
        },
        organizations: [
          {
            id: tenant.organizationId,
            name: expect.any(String),
            slug: expect.any(String),
            membership_level: 15,
            level: "owner",
          },
        ],
        projects: [
          {
            id: tenant.projectId,
            name: "Web",
            organization_id: tenant.organizationId,
            api_token: tenant.projectToken,
            timezone: "Europe/Berlin",
          },
        ],
        ingest_url: platform().ingestUrl,
      },
    ]);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
  });

  it("200: is taken without the final slash, and with a key of no scope at all", async () => {
    const { world } = apiWorld();
    const { user } = await aHousehold(world, 1);
    const key = await aPersonalKey(world, user, []);
    for (const path of [PATH, PATH.slice(0, -1)])
      expect(await ask(keys, world, "GET", path, { key })).toMatchObject({ status: 200, json: { scopes: [], projects: [{ id: 1 }] } });
  });

  it("401, 403, 405: is for a person's own key, and for reading", async () => {
    expect((await fetch(platform().baseUrl + PATH)).status).toBe(401);
    expect(await apiClient(platform().baseUrl, "phx_nobody").get(PATH)).toMatchObject({
      status: 401,
      body: { code: "authentication_failed" },
    });
    expect(await apiClient(platform().baseUrl, tenant.secretKey).get(PATH)).toMatchObject({
      status: 403,
      body: { detail: "This action does not support project secret API key access" },
    });
    const mine = apiClient(platform().baseUrl, tenant.personalKey);
    for (const refused of [await mine.remove(PATH), await mine.post(PATH, {}), await mine.patch(PATH, {})])
      expect(refused).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect((await mine.get(PATH)).status).toBe(200);
  });

  it("404 as before for a key's own address, which is nothing to read", async () => {
    const mine = apiClient(platform().baseUrl, tenant.personalKey);
    expect((await mine.get("/api/personal_api_keys/0190c1f2-8b7e-7000-8000-9c1d2e3f4a5b/")).status).toBe(405);
    expect((await mine.post(`${PATH}roll/`)).status).toBe(404);
  });
});

interface Reached {
  readonly organizations: readonly { readonly id: string; readonly membership_level: number; readonly level: string }[];
  readonly projects: readonly { readonly id: number }[];
}

/** A member of two organizations with two projects each: 1 and 2 in the first, 3 and 4 in the second. */
const aPerson = async (level: "owner" | "admin" | "member" = "member") => {
  const { world, time, calls } = apiWorld();
  const user = await aUser(world, 7);
  const found: { readonly organization: Organization; readonly projects: readonly Project[] }[] = [];
  for (const [at, name] of ["first", "second"].entries()) {
    time.now += 1_000;
    const organization = await anOrganization(world, { name, slug: name });
    await aMembership(world, user, organization, level);
    found.push({
      organization,
      projects: [await aProject(world, organization, 2 * at + 1), await aProject(world, organization, 2 * at + 2)],
    });
  }
  const [first, second] = found;
  if (first === undefined || second === undefined) throw new Error("there are two organizations");
  return { world, user, calls, first, second };
};

const reach = async (world: World, key: string) => {
  const { status, json } = await ask(keys, world, "GET", PATH, { key });
  expect(status).toBe(200);
  const { organizations, projects } = json as Reached;
  return { organizations: organizations.map(({ id }) => id), projects: projects.map(({ id }) => id) };
};

describe("what a key reaches", () => {
  it("is everything of its user where it is not restricted, in the order in which they joined", async () => {
    const { world, user, first, second } = await aPerson();
    await aHousehold(world, 9);
    const ids = [first.organization.id, second.organization.id];
    expect(await reach(world, await aPersonalKey(world, user, ["*"]))).toEqual({ organizations: ids, projects: [1, 2, 3, 4] });
  });

  it.each([
    ["member", 1],
    ["admin", 8],
    ["owner", 15],
  ] as const)("says that its user is %s", async (level, membership_level) => {
    const { world, user } = await aPerson(level);
    const { json } = await ask(keys, world, "GET", PATH, { key: await aPersonalKey(world, user, []) });
    expect((json as Reached).organizations).toMatchObject([
      { level, membership_level },
      { level, membership_level },
    ]);
  });

  it("is bounded by the key's organizations and projects, and by both", async () => {
    const { world, user, first, second } = await aPerson();
    const away = await aHousehold(world, 9);
    const organizations = [second.organization.id, away.organization.id];
    const key = (limits: Parameters<typeof aPersonalKey>[3]) => aPersonalKey(world, user, ["*"], limits);
    expect(await reach(world, await key({ organizations }))).toEqual({ organizations: [second.organization.id], projects: [3, 4] });
    expect(await reach(world, await key({ teams: [2, 9, 999] }))).toEqual({ organizations: [first.organization.id], projects: [2] });
    expect(await reach(world, await key({ teams: [2, 4], organizations }))).toEqual({
      organizations: [second.organization.id],
      projects: [4],
    });
    expect(await reach(world, await key({ teams: [9] }))).toEqual({ organizations: [], projects: [] });
  });

  it("leaves out projects that are hidden from a member, and shows them to admins", async () => {
    for (const [level, projects] of [
      ["member", [1, 3, 4]],
      ["admin", [1, 2, 3, 4]],
    ] as const) {
      const { world, user, first } = await aPerson(level);
      const hidden = { project_id: 2, user_id: user.id, organization_id: first.organization.id, visible: false, export: null };
      await put(world.table, AccessGrants, hidden);
      expect((await reach(world, await aPersonalKey(world, user, ["*"]))).projects).toEqual(projects);
    }
  });

  it.each<[string, Partial<Organization>, "owner" | "admin" | "member", number, readonly number[]]>([
    ["deactivated", { is_active: false }, "owner", 1, [3, 4]],
    ["removed", { state: "removed" }, "owner", 1, [3, 4]],
    ["closed to members' keys", { members_can_use_personal_api_keys: false }, "member", 1, [3, 4]],
    ["closed to members' keys, for an admin", { members_can_use_personal_api_keys: false }, "admin", 2, [1, 2, 3, 4]],
    ["closed to the user's domain", { enforce_verified_domains: true }, "admin", 1, [3, 4]],
    ["closed to the user's domain, for an owner", { enforce_verified_domains: true }, "owner", 2, [3, 4]],
    ["removing the user", { removal_id: "0190c1f2-8b7e-7000-8000-9c1d2e3f4a5b" }, "admin", 1, [3, 4]],
  ])("in an organization that is %s", async (_, set, level, organizations, projects) => {
    const { world, user, first } = await aPerson(level);
    await update(world.table, Organizations, { id: first.organization.id }, { set });
    const reached = await reach(world, await aPersonalKey(world, user, ["*"]));
    expect([reached.organizations.length, reached.projects]).toEqual([organizations, projects]);
  });

  it("is whole in an organization whose verified domains hold the user's address", async () => {
    const { world, user, first } = await aPerson();
    await update(world.table, Organizations, { id: first.organization.id }, { set: { enforce_verified_domains: true } });
    const now = new Date(world.clock.now()).toISOString();
    const domain = { organization_id: first.organization.id, domain: "example.com", id: world.ids.uuid(), created_at: now };
    await put(world.table, Domains, Domains.schema.parse({ ...domain, verified_at: now, verification_challenge: "x" }));
    expect((await reach(world, await aPersonalKey(world, user, ["*"]))).projects).toEqual([1, 2, 3, 4]);
  });

  it("leaves out removed projects", async () => {
    const { world, user } = await aPerson();
    await update(world.table, Projects, { id: 3 }, { set: { state: "removed" } });
    expect((await reach(world, await aPersonalKey(world, user, ["*"]))).projects).toEqual([1, 2, 4]);
  });

  it("is nothing for a person without an organization", async () => {
    const { world } = apiWorld();
    expect(await reach(world, await aPersonalKey(world, await aUser(world, 1), ["*"]))).toEqual({ organizations: [], projects: [] });
  });

  it("costs as many reads with ten projects as with two", async () => {
    const { world, user, calls, first } = await aPerson();
    const key = await aPersonalKey(world, user, ["*"]);
    const readsOf = async (): Promise<Readonly<Record<string, number>>> => {
      calls.length = 0;
      await reach(world, key);
      return Object.fromEntries(["get", "getMany", "query"].map((kind) => [kind, calls.filter(({ name }) => name === kind).length]));
    };
    await reach(world, key);
    const few = await readsOf();
    for (let id = 11; id <= 18; id += 1) await aProject(world, first.organization, id);
    // The key itself; the memberships and their organizations; of each of the two its projects and what is hidden of them.
    expect([few, await readsOf()]).toEqual([
      { get: 1, getMany: 1, query: 5 },
      { get: 1, getMany: 1, query: 5 },
    ]);
  });

  it("names a hundred organizations at most", async () => {
    const { world } = apiWorld();
    const user = await aUser(world, 1);
    for (let at = 0; at < 103; at += 1) await aMembership(world, user, await anOrganization(world, { name: `o${at}`, slug: `o${at}` }));
    expect((await reach(world, await aPersonalKey(world, user, ["*"]))).organizations.length).toBe(100);
  });
});
