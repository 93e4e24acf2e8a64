import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import {
  type Asked,
  aHousehold,
  aMembership,
  anOrganization,
  aPersonalKey,
  aProject,
  apiWorld,
  aSecretKey,
  ask,
  aUser,
} from "../../test/support/worlds/api-world.ts";
import { group, route } from "../app/routes.ts";
import { json } from "../http/reply.ts";
import { keyHash } from "../keys/credential.ts";
import { PersonalApiKeys } from "../keys/personal-api-keys.ts";
import { AccessGrants } from "../organizations/access-grants.ts";
import { Memberships } from "../organizations/memberships.ts";
import { Organizations } from "../organizations/organizations.ts";
import { Users } from "../organizations/users.ts";
import { partitionNames } from "../table/partitions.ts";
import { get, put, remove, update } from "../table/store.ts";
import { organizationKey, personalKey, projectKey } from "./access.ts";
import { CALLER_PARTITIONS } from "./caller-partitions.ts";
import { forgetCallers } from "./callers.ts";

const shared = { tags: ["t"], summary: "Test" } as const;
const Told = z.object({ project: z.int().optional(), organization: z.string().optional(), caller: z.string() });

const api = group({
  name: "guarded",
  gateway: "management",
  uses: { table: { read: partitionNames, lists: CALLER_PARTITIONS.lists, write: partitionNames } },
  routes: [
    route({
      ...shared,
      method: "GET",
      path: "/api/projects/{project_id}/things/",
      access: projectKey("endpoint:read"),
      reply: json(200, Told),
      handle: async ({ grant }) => ({ project: grant.project.id, caller: grant.caller.user.email }),
    }),
    route({
      ...shared,
      method: "POST",
      path: "/api/projects/{project_id}/things/",
      access: projectKey("endpoint:write"),
      body: z.object({ name: z.string() }),
      reply: json(201, Told),
      handle: async ({ grant }) => ({ project: grant.project.id, caller: grant.caller.kind }),
    }),
    route({
      ...shared,
      method: "GET",
      path: "/api/projects/{project_id}/run/",
      throttle: "run",
      access: projectKey("endpoint:read", { secretKeys: true }),
      reply: json(200, Told),
      handle: async ({ grant }) => ({ project: grant.project.id, caller: grant.caller.kind }),
    }),
    route({
      ...shared,
      method: "GET",
      path: "/api/organizations/{id}/",
      access: organizationKey("organization:read", { hole: "id" }),
      reply: json(200, Told),
      handle: async ({ grant }) => ({ organization: grant.organization.id, caller: grant.caller.kind }),
    }),
    route({
      ...shared,
      method: "PATCH",
      path: "/api/organizations/{id}/",
      access: organizationKey("organization:write", { hole: "id", level: "admin" }),
      reply: json(200, Told),
      handle: async ({ grant }) => ({ organization: grant.organization.id, caller: grant.caller.kind }),
    }),
    route({
      ...shared,
      method: "GET",
      path: "/api/organizations/{organization_id}/apps/",
      access: organizationKey("organization:read"),
      reply: json(200, Told),
      handle: async ({ grant }) => ({ organization: grant.organization.id, caller: grant.caller.kind }),
    }),
    route({
      ...shared,
      method: "GET",
      path: "/api/spend/@me/",
      access: personalKey("user:read"),
      reply: json(200, Told),
      handle: async ({ grant }) => ({ caller: grant.caller.user.email }),
    }),
    route({
      ...shared,
      method: "GET",
      path: "/api/integrations/",
      access: personalKey("integration:read"),
      reply: json(200, Told),
      handle: async ({ grant }) => ({ caller: grant.caller.user.email }),
    }),
  ],
});

const THINGS = "/api/projects/1/things/";

const house = async (scopes?: readonly string[]) => {
  const kept = apiWorld();
  const home = await aHousehold(kept.world, 1, scopes);
  const call = (method: string, path: string, asked?: Asked) => ask(api, kept.world, method, path, asked);
  return { ...kept, ...home, call };
};

const denied = (detail: string) => ({ type: "authentication_error", code: "permission_denied", detail, attr: null });
const invalidKey = (place: string) => ({
  type: "authentication_error",
  code: "authentication_failed",
  detail: `Personal API key found in request ${place} is invalid.`,
  attr: null,
});

describe("where a key is found", () => {
  it("is the header, the body or the query, in this order", async () => {
    const { call, key } = await house();
    const answers = [
      await call("GET", THINGS, { key }),
      await call("GET", THINGS, { headers: { authorization: `Bearer   ${key}  ` } }),
      await call("POST", THINGS, { body: { name: "a", personal_api_key: key } }),
      await call("POST", THINGS, {
        body: `name=a&personal_api_key=${key}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
      await call("GET", `${THINGS}?personal_api_key=${key}`),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 201, 201, 200]);
  });
  it("decides alone: a good key behind a bad one is not tried", async () => {
    const { call, key } = await house();
    expect((await call("GET", `${THINGS}?personal_api_key=${key}`, { key: "phx_no" })).json).toEqual(invalidKey("Authorization header"));
    expect((await call("POST", `${THINGS}?personal_api_key=${key}`, { body: { personal_api_key: "phx_no" } })).json).toEqual(
      invalidKey("body"),
    );
    expect((await call("GET", `${THINGS}?personal_api_key=phx_no`)).json).toEqual(invalidKey("query string"));
  });
});

describe("401", () => {
  test.each([
    {},
    { authorization: "bearer phx_1" },
    { authorization: "Basic phx_1" },
    { authorization: "Bearer" },
    { authorization: "Bearer  " },
  ])("not_authenticated: %j", async (headers: Readonly<Record<string, string>>) => {
    const { call } = await house();
    const reply = await call("GET", THINGS, { headers });
    expect([reply.status, reply.json]).toEqual([
      401,
      { type: "authentication_error", code: "not_authenticated", detail: "Authentication credentials were not provided.", attr: null },
    ]);
    expect(reply.headers).not.toHaveProperty("www-authenticate");
  });
  it("is the answer to project tokens, team secret tokens and secret keys outside the header", async () => {
    const { call, world, project } = await house();
    const secret = await aSecretKey(world, project, ["endpoint:read"]);
    expect((await call("GET", THINGS, { key: project.api_token })).json).toEqual(invalidKey("Authorization header"));
    expect((await call("GET", THINGS, { key: "phs_unknown" })).json).toEqual(invalidKey("Authorization header"));
    expect((await call("GET", `/api/projects/1/run/?personal_api_key=${secret}`)).json).toEqual(invalidKey("query string"));
  });
  it("is the answer to an application's access token, which nobody was given", async () => {
    const { call } = await house();
    expect((await call("GET", THINGS, { key: "pha_unknown" })).json).toEqual({ ...invalidKey(""), detail: "Invalid access token." });
    expect((await call("GET", `${THINGS}?personal_api_key=pha_unknown`)).json).toEqual(invalidKey("query string"));
  });
  it("is the answer to a deactivated user's key", async () => {
    const { call, world, key, user } = await house();
    await update(world.table, Users, { id: user.id }, { set: { is_active: false } });
    expect((await call("GET", THINGS, { key })).json).toEqual(invalidKey("Authorization header"));
  });
  it("comes before 405 and before anything about the body", async () => {
    const { call } = await house();
    expect((await call("PUT", THINGS)).status).toBe(401);
    expect((await call("POST", THINGS, { body: "{" })).status).toBe(401);
    expect((await call("GET", "/api/nothing/")).status).toBe(404);
  });
});

describe("403", () => {
  test.each([
    [[], "endpoint:read"],
    [["account:read"], "endpoint:read"],
    [["project:write"], "endpoint:read"],
  ])("names the missing scope of a key with %j", async (scopes, missing) => {
    const { call, key } = await house(scopes);
    expect((await call("GET", THINGS, { key })).json).toEqual(denied(`API key missing required scope '${missing}'`));
  });
  it("lets write read and never read write", async () => {
    const writer = await house(["endpoint:write"]);
    expect((await writer.call("GET", THINGS, { key: writer.key })).status).toBe(200);
    const reader = await house(["endpoint:read"]);
    expect((await reader.call("POST", THINGS, { key: reader.key, body: { name: "a" } })).json).toEqual(
      denied("API key missing required scope 'endpoint:write'"),
    );
  });
  it("is never hidden by a bad body", async () => {
    const { call, key } = await house(["endpoint:read"]);
    for (const asked of [
      { key, body: "{" },
      { key, body: "x", headers: { "content-type": "text/plain" } },
    ])
      expect((await call("POST", THINGS, asked)).status).toBe(403);
  });
  it("keeps secret keys to the operations that opt in, and to their project", async () => {
    const { call, world, project, organization } = await house();
    await aProject(world, organization, 2);
    const secret = await aSecretKey(world, project, ["endpoint:read"]);
    const weak = await aSecretKey(world, project, []);
    expect((await call("GET", "/api/projects/1/run/", { key: secret })).json).toEqual({ project: 1, caller: "secret" });
    expect((await call("GET", "/api/projects/@current/run/", { key: secret })).json).toEqual({ project: 1, caller: "secret" });
    for (const path of [THINGS, "/api/projects/77/things/", `/api/organizations/${organization.id}/`, "/api/spend/@me/"]) {
      expect((await call("GET", path, { key: secret })).json).toEqual(denied("This action does not support project secret API key access"));
    }
    expect((await call("GET", "/api/projects/2/run/", { key: secret })).json).toEqual(
      denied("API key does not have access to the requested project: ID 2."),
    );
    expect((await call("GET", "/api/projects/1/run/", { key: weak })).json).toEqual(
      denied("API key missing required scope 'endpoint:read'"),
    );
  });
  it("keeps a key to the projects and organizations it is restricted to", async () => {
    const { call, world, user, organization } = await house();
    await aProject(world, organization, 2);
    const other = await anOrganization(world, { name: "Other", slug: "other" });
    await aMembership(world, user, other);
    await aProject(world, other, 3);
    const one = await aPersonalKey(world, user, ["*"], { teams: [1] });
    const placed = await aPersonalKey(world, user, ["*"], { organizations: [organization.id] });
    const free = await aPersonalKey(world, user, ["*"]);
    const answer = async (path: string, key: string) => (await call("GET", path, { key })).json;
    expect(await answer("/api/projects/2/things/", one)).toEqual(denied("API key does not have access to the requested project: ID 2."));
    expect(await answer(`/api/organizations/${organization.id}/`, one)).toEqual(
      denied("API keys with scoped projects are only supported on project-based endpoints."),
    );
    expect(await answer("/api/integrations/", one)).toEqual(
      denied("API keys with scoped projects are only supported on project-based endpoints."),
    );
    expect(await answer("/api/spend/@me/", one)).toEqual({ caller: user.email });
    expect(await answer("/api/projects/3/things/", placed)).toEqual(
      denied(`API key does not have access to the requested organization: ID ${other.id}.`),
    );
    expect(await answer(`/api/organizations/${other.id}/apps/`, placed)).toEqual(
      denied(`API key does not have access to the requested organization: ID ${other.id}.`),
    );
    expect(await answer("/api/projects/3/things/", free)).toMatchObject({ project: 3 });
  });
  it("keeps strangers out of projects, also one who just left, and members out of hidden ones", async () => {
    const { call, world, project, organization } = await house();
    const stranger = await aHousehold(world, 9);
    expect((await call("GET", THINGS, { key: stranger.key })).json).toEqual(denied("You don't have access to the project."));
    const member = await aUser(world, 5);
    const key = await aPersonalKey(world, member, ["*"]);
    await aMembership(world, member, organization);
    expect((await call("GET", THINGS, { key })).status).toBe(200);
    await put(world.table, AccessGrants, {
      project_id: project.id,
      user_id: 5,
      organization_id: organization.id,
      visible: false,
      export: null,
    });
    expect((await call("GET", THINGS, { key })).json).toEqual(denied("You don't have access to the project."));
    await remove(world.table, Memberships, { organization_id: organization.id, user_id: 5 });
    expect((await call("GET", THINGS, { key })).json).toEqual(denied("You don't have access to the project."));
  });
  it("asks for the level that an operation needs", async () => {
    const { call, world, organization } = await house();
    const member = await aUser(world, 5);
    await aMembership(world, member, organization);
    const key = await aPersonalKey(world, member, ["*"]);
    expect((await call("GET", `/api/organizations/${organization.id}/`, { key })).status).toBe(200);
    expect((await call("PATCH", `/api/organizations/${organization.id}/`, { key })).json).toEqual(
      denied("Your organization access level is insufficient."),
    );
  });
  it("names the organization that forbids its members personal keys, and exempts its admins", async () => {
    const { call, world, organization, key } = await house();
    await update(world.table, Organizations, { id: organization.id }, { set: { members_can_use_personal_api_keys: false } });
    const member = await aUser(world, 5);
    await aMembership(world, member, organization);
    const theirs = await aPersonalKey(world, member, ["*"]);
    const reply = await call("GET", THINGS, { key: theirs });
    expect([reply.status, JSON.stringify(reply.json).includes("Organization 1")]).toEqual([403, true]);
    expect((await call("GET", THINGS, { key })).status).toBe(200);
  });
});

describe("404", () => {
  test.each(["77", "abc", "1.5", "-1", "99999999999999999999"])("is the answer to project %s", async (id) => {
    const { call, key } = await house();
    const reply = await call("GET", `/api/projects/${id}/things/`, { key });
    expect([reply.status, reply.json]).toEqual([
      404,
      { type: "invalid_request", code: "not_found", detail: "Project not found.", attr: null },
    ]);
  });
  it("is the answer to organizations that are unknown, and to strangers on an organization's own path", async () => {
    const { call, world, key, organization } = await house();
    const stranger = await aHousehold(world, 9);
    const placed = await aPersonalKey(world, stranger.user, ["*"], { organizations: [stranger.organization.id] });
    const detail = async (path: string, presented = key) => (await call("GET", path, { key: presented })).json;
    for (const id of ["x", "0190d0aa-0000-7000-8000-000000000001"]) {
      expect(await detail(`/api/organizations/${id}/`)).toMatchObject({ detail: "Not found." });
      expect(await detail(`/api/organizations/${id}/apps/`)).toMatchObject({ detail: "Organization not found." });
    }
    for (const presented of [stranger.key, placed])
      expect(await detail(`/api/organizations/${organization.id}/`, presented)).toMatchObject({ code: "not_found", detail: "Not found." });
    expect((await call("GET", `/api/organizations/${organization.id}/apps/`, { key: stranger.key })).status).toBe(403);
  });
});

describe("@current", () => {
  it("is the key's own restriction, else the first membership and its first project", async () => {
    const { call, world, user, organization, key } = await house();
    await aProject(world, organization, 2);
    const restricted = await aPersonalKey(world, user, ["*"], { teams: [2] });
    expect((await call("GET", "/api/projects/@current/things/", { key })).json).toMatchObject({ project: 1 });
    expect((await call("GET", "/api/projects/%40current/things/", { key: restricted })).json).toMatchObject({ project: 2 });
    expect((await call("GET", "/api/organizations/@current/", { key })).json).toMatchObject({ organization: organization.id });
  });
});

describe("405 and OPTIONS", () => {
  it("follow authentication, and OPTIONS the scope too", async () => {
    const { call, key } = await house(["account:read"]);
    expect((await call("PUT", THINGS, { key })).status).toBe(405);
    expect((await call("OPTIONS", THINGS)).status).toBe(401);
    expect((await call("OPTIONS", THINGS, { key })).status).toBe(403);
    const reader = await house(["endpoint:read"]);
    expect((await reader.call("OPTIONS", THINGS, { key: reader.key })).status).toBe(200);
  });
});

describe("what a call costs", () => {
  it("is one look-up of the membership and one count, side by side, once the key is known", async () => {
    const { call, calls, key } = await house();
    await call("GET", THINGS, { key });
    calls.length = 0;
    await call("GET", THINGS, { key });
    expect(calls.map(({ name }) => name).sort()).toEqual(["getMany", "update"]);
  });
  it("counts for nothing where the caller is not let in", async () => {
    const { call, world, key, user, organization } = await house();
    await remove(world.table, Memberships, { organization_id: organization.id, user_id: user.id });
    expect((await call("GET", THINGS, { key })).status).toBe(403);
    const stored = await world.table.get({ pk: `throttle#key#${keyHash(key)}#default`, sk: "throttle" });
    expect(Object.entries(stored ?? {}).filter(([name, value]) => /^[sm]\d/.test(name) && value !== 0)).toEqual([]);
    expect(stored).toBeDefined();
  });
  it("trusts a found key for half a minute and not longer, and an unknown one never", async () => {
    const { call, world, key, time } = await house();
    expect((await call("GET", THINGS, { key })).status).toBe(200);
    await remove(world.table, PersonalApiKeys, { hash: keyHash(key) });
    expect((await call("GET", THINGS, { key })).status).toBe(200);
    time.now += 30_001;
    expect((await call("GET", THINGS, { key })).status).toBe(401);
    const user = await aUser(world, 5);
    const fresh = await aPersonalKey(world, user, ["*"]);
    expect((await call("GET", "/api/spend/@me/", { key: fresh })).status).toBe(200);
  });
  it("reads afresh when told to forget", async () => {
    const { call, world, key } = await house();
    await call("GET", THINGS, { key });
    await remove(world.table, PersonalApiKeys, { hash: keyHash(key) });
    forgetCallers(world.table);
    expect((await call("GET", THINGS, { key })).status).toBe(401);
  });
  it("notes the last use at most once an hour", async () => {
    const { call, world, key, time } = await house();
    const lastUse = async () => (await get(world.table, PersonalApiKeys, { hash: keyHash(key) }))?.last_used_at;
    await call("GET", THINGS, { key });
    const first = await lastUse();
    expect(first).toBe(new Date(time.now).toISOString());
    time.now += 59 * 60_000;
    await call("GET", THINGS, { key });
    expect(await lastUse()).toBe(first);
    time.now += 2 * 60_000;
    await call("GET", THINGS, { key });
    expect(await lastUse()).toBe(new Date(time.now).toISOString());
  });
});

it("secret keys of one project share its count, and personal keys have one each", async () => {
  const { call, world, project, user, key } = await house();
  const [one, other] = [await aSecretKey(world, project, ["endpoint:read"]), await aSecretKey(world, project, ["endpoint:read"])];
  const second = await aPersonalKey(world, user, ["*"]);
  for (let done = 0; done < 240; done += 1) {
    expect((await call("GET", "/api/projects/1/run/", { key: done % 2 === 0 ? one : other })).status).toBe(200);
    expect((await call("GET", "/api/projects/1/run/", { key })).status).toBe(200);
  }
  const refused = await call("GET", "/api/projects/1/run/", { key: other });
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "60"]);
  expect((await call("GET", "/api/projects/1/run/", { key })).status).toBe(429);
  expect((await call("GET", "/api/projects/1/run/", { key: second })).status).toBe(200);
  expect((await call("GET", "/api/projects/1/run/", { key, headers: { accept: "application/xml" } })).status).toBe(406);
});

test("a key is kept as its digest only", () => {
  expect(keyHash("test_key_12345")).toBe("sha256$45af89b510a3279a817f851de5d3f95b73485d58ec2672a39e52d8aeeb014059");
});
