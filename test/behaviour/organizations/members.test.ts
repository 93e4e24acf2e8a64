import { beforeAll, describe, expect, it } from "vitest";
import { organizations } from "../../../functions/organizations/routes.ts";
import { apiClient } from "../../support/api-client.ts";
import { aPlatform } from "../../support/processes/platform.ts";
import { type AnOrganization, anOrganizationOfMany } from "../../support/samples/an-organization.ts";
import { aHousehold, aMembership, aPersonalKey, apiWorld, aSecretKey, ask, aUser } from "../../support/worlds/api-world.ts";

const platform = aPlatform();
let house: AnOrganization;
let path = "";

beforeAll(async () => {
  house = await anOrganizationOfMany(platform());
  path = `/api/organizations/${house.id}/members/`;
});

interface Page {
  readonly next: string | null;
  readonly results: readonly { readonly user: { readonly id: number; readonly email: string } }[];
}

describe("GET /organizations/{organization_id}/members/", () => {
  it("200: names every member with their level, in the order of their users' numbers", async () => {
    const { status, body } = await house.as.member.get(path);
    const member = (email: string, level: number) => ({
      user: {
        id: expect.any(Number),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        distinct_id: expect.any(String),
        first_name: email.split("@", 1)[0],
        last_name: "",
        email,
        is_email_verified: expect.any(Boolean),
        hedgehog_config: {},
        role_at_organization: "",
      },
      level,
      joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect([status, body]).toEqual([
      200,
      {
        count: 5,
        next: null,
        previous: null,
        results: [
          member(`ana@${house.domain}`, 15),
          member(`adam@${house.domain}`, 8),
          member(`mia@${house.domain}`, 1),
          member(`bob@elsewhere-${house.domain}`, 1),
          member(`olga@elsewhere-${house.domain}`, 15),
        ],
      },
    ]);
    const ids = (body as Page).results.map(({ user }) => user.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it("200: comes a page at a time", async () => {
    const seen: string[] = [];
    for (let at: string | null = `${path}?limit=2`; at !== null; ) {
      const { body } = await house.as.member.get(at);
      const { next, results } = body as Page;
      expect(results.length).toBeLessThanOrEqual(2);
      seen.push(...results.map(({ user }) => user.email));
      at = next === null ? null : next.slice(platform().baseUrl.length);
    }
    expect(seen.map((email) => email.split("@", 1)[0])).toEqual(["ana", "adam", "mia", "bob", "olga"]);
    expect((await house.as.owner.get("/api/organizations/@current/members/?limit=1")).body).toMatchObject({ count: 5, previous: null });
  });

  it("200: the next page is at the host that the client named", async () => {
    const port = new URL(platform().baseUrl).port;
    const reply = await fetch(`http://localhost:${port}${path}?limit=2&personal_api_key=${house.keys.member}`);
    expect(reply.status).toBe(200);
    const { next } = (await reply.json()) as Page;
    expect(new URL(next ?? "").origin).toBe(`http://localhost:${port}`);
    expect((await fetch(next ?? "")).status).toBe(200);
  });

  it("200: leaves out whom a removal has taken along", async () => {
    const other = await anOrganizationOfMany(platform());
    const members = `/api/organizations/${other.id}/members/`;
    const removal = `/api/organizations/${other.id}/remove_blocked_members_and_enforce_verified_domains/`;
    expect((await other.as.owner.post(removal)).status).toBe(200);
    const { body } = await other.as.owner.get(members);
    expect((body as Page).results.map(({ user }) => user.email.split("@", 1)[0])).toEqual(["ana", "adam", "mia", "olga"]);
    expect((await other.as.outsider.get(members)).status).toBe(403);
    expect(await other.as.outsideOwner.get(members)).toMatchObject({ status: 403, body: { code: "verified_domain_required" } });
  });

  it("401, 403, 404, 405: is for members whose key may read them", async () => {
    expect((await fetch(platform().baseUrl + path)).status).toBe(401);
    expect((await apiClient(platform().baseUrl, "phx_nobody").get(path)).status).toBe(401);
    const stranger = await anOrganizationOfMany(platform());
    expect((await stranger.as.owner.get(path)).status).toBe(403);
    expect((await house.as.owner.get("/api/organizations/0190c1f2-8b7e-7000-8000-9c1d2e3f4a5b/members/")).status).toBe(404);
    expect(await house.as.owner.post(path, {})).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
  });

  it.each([
    [["organization_member:read"], 200],
    [["organization_member:write"], 200],
    [["organization:read"], 403],
    [["organization:write"], 403],
    [[], 403],
  ])("takes a key with the scopes %j: %d", async (scopes, status) => {
    const { world } = apiWorld();
    const { organization, user, project } = await aHousehold(world, 1);
    const members = `/api/organizations/${organization.id}/members/`;
    expect((await ask(organizations, world, "GET", members, { key: await aPersonalKey(world, user, scopes) })).status).toBe(status);
    const confined = await aPersonalKey(world, user, scopes, { teams: [project.id] });
    expect((await ask(organizations, world, "GET", members, { key: confined })).status).toBe(403);
    const secret = await aSecretKey(world, project, ["account:read"]);
    expect((await ask(organizations, world, "GET", members, { key: secret })).status).toBe(403);
  });

  it("reads the people of one page alone, however many there are", async () => {
    const { world, calls } = apiWorld();
    const { organization, key } = await aHousehold(world, 1);
    for (let id = 2; id <= 30; id += 1) await aMembership(world, await aUser(world, id), organization);
    const members = `/api/organizations/${organization.id}/members/?limit=3&offset=9`;
    await ask(organizations, world, "GET", members, { key });
    calls.length = 0;
    const { json } = await ask(organizations, world, "GET", members, { key });
    expect((json as Page).results.map(({ user }) => user.id)).toEqual([10, 11, 12]);
    // One to count, one to skip, one for the memberships of the page and one for their users.
    expect(calls.filter(({ name }) => name === "query").length).toBe(3);
    const people = calls.filter(({ name }) => name === "getMany");
    expect(people.map(({ pk }) => JSON.parse(pk).length)).toEqual([3]);
  });
});
