import { beforeAll, describe, expect, it } from "vitest";
import { keys } from "../../../functions/keys/routes.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { revokeKeys } from "../../../infra/cli/keys-command.ts";
import { forgetCallers } from "../../../lib/auth/callers.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { overtakenTable } from "../../support/overtaken-table.ts";
import { type ATenant, aPlatform, aTenant, tenantDocument, tenantOf } from "../../support/processes/platform.ts";
import { aHousehold, aMembership, anOrganization, aProject, apiWorld, ask } from "../../support/worlds/api-world.ts";

const platform = aPlatform();
const MINE = "/api/personal_api_keys/";
/** As all moments of the API are written: with microseconds, or with none where they are zero. */
const MOMENT = /T\d\d:\d\d:\d\d(\.\d{6})?Z$/;

let tenant: ATenant;
let all: ApiClient;
let secretKeys = "";
beforeAll(async () => {
  tenant = await aTenant(platform().world);
  all = apiClient(platform().baseUrl, tenant.personalKey);
  secretKeys = `/api/projects/${tenant.projectId}/project_secret_api_keys/`;
});

const client = (value: string): ApiClient => apiClient(platform().baseUrl, value);
const wanted = (label: string, scopes: readonly string[], more: object = {}) => ({
  label,
  scopes,
  scoped_teams: null,
  scoped_organizations: null,
  ...more,
});

interface Made {
  readonly id: string;
  readonly value: string;
}

const make = async (by: ApiClient, body: object, path = MINE): Promise<Made> => {
  const { status, body: made } = await by.post(path, body);
  expect(status).toBe(201);
  return made as Made;
};

describe("/personal_api_keys/", () => {
  it("shows a key's value once, and lists it without", async () => {
    const made = await all.post(MINE, wanted("mine", ["endpoint:read"], { description: "For reports" }));
    const key = {
      id: expect.any(String),
      label: "mine",
      description: "For reports",
      mask_value: expect.stringMatching(/^phx_\.\.\..{4}$/),
      created_at: expect.stringMatching(MOMENT),
      last_used_at: null,
      last_rolled_at: null,
      user_id: tenant.userId,
      is_legacy_hashing: false,
      scopes: ["endpoint:read"],
      scoped_teams: [],
      scoped_organizations: [],
      local_dev_value: null,
    };
    expect([made.status, made.body]).toEqual([201, { ...key, value: expect.stringMatching(/^phx_[0-9A-Za-z]{43}$/) }]);
    expect((await all.get(MINE)).body).toContainEqual({ ...key, value: null });
    const { value, id } = made.body as Made;
    expect((await client(value).get(`/api/projects/${tenant.projectId}/endpoints/`)).status).toBe(200);
    expect((await all.remove(`${MINE}${id}/`)).status).toBe(204);
    expect((await client(value).get(`/api/projects/${tenant.projectId}/endpoints/`)).status).toBe(401);
    expect((await all.remove(`${MINE}${id}/`)).status).toBe(404);
  });

  it("rolls a key to another value, and the one before stops at once", async () => {
    const { id, value } = await make(all, wanted("rolled", ["user:read", "endpoint:read"]));
    const rolled = await all.post(`${MINE}${id}/roll/`);
    expect(rolled).toMatchObject({ status: 200, body: { id, label: "rolled", last_rolled_at: expect.stringMatching(MOMENT) } });
    const things = `/api/projects/${tenant.projectId}/endpoints/`;
    expect((await client(value).get(things)).status).toBe(401);
    expect((await client((rolled.body as Made).value).get(things)).status).toBe(200);
    await all.remove(`${MINE}${id}/`);
  });

  it.each([
    [{}, "required", "label"],
    [wanted("x", []), "empty", "scopes"],
    [wanted("x", ["nothing:read"]), "invalid_input", "scopes"],
    [wanted("x".repeat(41), ["*"]), "max_length", "label"],
    [wanted("x", ["*"], { scoped_teams: [999_999] }), "invalid_input", "scoped_teams"],
    [wanted("x", ["*"], { scoped_organizations: ["0190c1f2-8b7e-7000-8000-9c1d2e3f4a5b"] }), "invalid_input", "scoped_organizations"],
  ])("refuses %j", async (body, code, attr) => {
    expect(await all.post(MINE, body)).toMatchObject({ status: 400, body: { type: "validation_error", code, attr } });
  });

  it("409: a key that is rolled twice at the same time is rolled once at a time", async () => {
    for (const path of [MINE, secretKeys]) {
      const { id } = await make(all, wanted(`raced ${path.length}`, ["endpoint:read"]), path);
      const answers = await Promise.all(Array.from({ length: 8 }, () => all.post(`${path}${id}/roll/`)));
      for (const { status, body } of answers) {
        if (status === 200) continue;
        expect([status, body]).toMatchObject([409, { type: "server_error", code: "conflict", attr: null }]);
      }
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      expect((await all.remove(`${path}${id}/`)).status).toBe(204);
    }
  });

  it.each([
    ["roll", 204],
    ["deletion", 404],
  ])("a key is gone when it was deleted, also where a %s came first", async (first, status) => {
    const { world } = platform();
    for (const path of [MINE, secretKeys]) {
      const { id, value } = await make(all, wanted(`overtaken ${path.length}`, ["endpoint:read"]), path);
      let latest = value;
      const others = async (): Promise<void> => {
        if (first === "deletion") expect((await all.remove(`${path}${id}/`)).status).toBe(204);
        else latest = ((await all.post(`${path}${id}/roll/`)).body as Made).value;
      };
      const late = { ...world, table: overtakenTable(world.table, others) };
      expect((await ask(keys, late, "DELETE", `${path}${id}/`, { key: tenant.personalKey })).status).toBe(status);
      expect((await client(latest).get(`/api/projects/${tenant.projectId}/endpoints/`)).status).toBe(401);
      expect((await all.post(`${path}${id}/roll/`)).status).toBe(404);
    }
  });

  it("a key that the operator revokes while it is rolled opens nothing any more", async () => {
    const { world } = platform();
    for (const path of [MINE, secretKeys]) {
      const { id } = await make(all, wanted(`revoked ${path.length}`, ["endpoint:read"]), path);
      let latest = "";
      const roll = async (): Promise<void> => {
        latest = ((await all.post(`${path}${id}/roll/`)).body as Made).value;
      };
      const late = { ...world, table: overtakenTable(world.table, roll) };
      const target = { world: late, forgetKeys: () => forgetCallers(world.table), close: async () => undefined };
      expect(await revokeKeys(target, { words: [id], flags: {}, switches: new Set() })).toMatchObject({ json: { revoked: [id] } });
      expect((await client(latest).get(`/api/projects/${tenant.projectId}/endpoints/`)).status).toBe(401);
    }
  });

  it("never makes, rolls or deletes a key that can do more than the one that asks", async () => {
    const weak = await make(all, wanted("weak", ["personal_api_key:write", "endpoint:write"], { scoped_teams: [tenant.projectId] }));
    const asking = client(weak.value);
    const here = { scoped_teams: [tenant.projectId] };
    for (const body of [
      wanted("a", ["*"], here),
      wanted("a", ["organization:read"], here),
      wanted("a", ["endpoint:read", "user:read"], here),
      wanted("a", ["endpoint:read"]),
    ])
      expect(await asking.post(MINE, body)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    const made = await make(asking, wanted("b", ["endpoint:read"], here));
    const [strong] = ((await all.get(MINE)).body as { id: string; label: string }[]).filter(({ label }) => label === "test");
    expect((await asking.post(`${MINE}${strong?.id}/roll/`)).status).toBe(403);
    expect((await asking.remove(`${MINE}${strong?.id}/`)).status).toBe(403);
    expect((await asking.post(`${MINE}${made.id}/roll/`)).status).toBe(200);
    const reader = await make(all, wanted("reader", ["personal_api_key:read"]));
    expect((await client(reader.value).get(MINE)).status).toBe(200);
    expect((await client(reader.value).post(MINE, wanted("c", ["personal_api_key:read"]))).status).toBe(403);
    for (const { id } of [weak, made, reader]) await all.remove(`${MINE}${id}/`);
  });

  it("is restricted to a hundred projects and organizations by a few reads of them together", async () => {
    const { world, calls } = apiWorld();
    const { user, key } = await aHousehold(world, 1);
    const places = [];
    for (let id = 2; id <= 60; id += 1) {
      const organization = await anOrganization(world, { slug: `acme-${id}` });
      await aMembership(world, user, organization);
      places.push({ organization, project: await aProject(world, organization, id) });
    }
    const body = wanted("narrow", ["endpoint:read"], {
      scoped_teams: places.map(({ project }) => project.id),
      scoped_organizations: places.map(({ organization }) => organization.id),
    });
    calls.length = 0;
    expect((await ask(keys, world, "POST", MINE, { key, body })).status).toBe(201);
    expect(calls.length).toBeLessThan(20);
  });

  it("is everybody's own, ten at most", async () => {
    const other = await aTenant(platform().world);
    const theirs = client(other.personalKey);
    for (let made = 1; made < 10; made += 1) await make(theirs, wanted(`key ${made}`, ["user:read"]));
    expect(await theirs.post(MINE, wanted("one more", ["user:read"]))).toMatchObject({ status: 400, body: { attr: null } });
    const [first] = (await theirs.get(MINE)).body as Made[];
    expect((await all.remove(`${MINE}${first?.id}/`)).status).toBe(404);
    expect((await all.post(`${MINE}${first?.id}/roll/`)).status).toBe(404);
  });
});

describe("/projects/{project_id}/project_secret_api_keys/", () => {
  it("makes, lists, rolls and deletes the project's keys", async () => {
    const { id, value } = await make(all, { label: "backend", scopes: ["account:read"] }, secretKeys);
    expect(value).toMatch(/^phs_[0-9A-Za-z]{43}$/);
    const accounts = "/api/customer_analytics/external/accounts";
    expect((await client(value).get(accounts)).status).toBe(200);
    expect((await all.get(secretKeys)).body).toMatchObject([
      { label: "backend", value: null, scopes: ["account:read"], created_at: expect.stringMatching(MOMENT) },
      { label: "test" },
    ]);
    expect(await all.post(secretKeys, { label: "backend", scopes: ["account:read"] })).toMatchObject({
      status: 400,
      body: { code: "unique", attr: "label" },
    });
    const rolled = (await all.post(`${secretKeys}${id}/roll/`)).body as Made;
    expect((await client(value).get(accounts)).status).toBe(401);
    expect((await client(rolled.value).get(accounts)).status).toBe(200);
    expect((await all.remove(`${secretKeys}${id}/`)).status).toBe(204);
    expect((await client(rolled.value).get(accounts)).status).toBe(401);
    await make(all, { label: "backend", scopes: ["account:write"] }, secretKeys);
  });

  it("gives scopes that secret keys may have, and makes, rolls and deletes none that can do more than the asking key", async () => {
    for (const scopes of [["*"], ["billing:read"], []])
      expect(await all.post(secretKeys, { label: "x", scopes })).toMatchObject({ status: 400, body: { attr: "scopes" } });
    const weak = await make(all, wanted("weak", ["personal_api_key:write", "endpoint:read"]));
    expect((await client(weak.value).post(secretKeys, { label: "x", scopes: ["account:read"] })).status).toBe(403);
    const own = await make(client(weak.value), { label: "x", scopes: ["endpoint:read"] }, secretKeys);
    const strong = await make(all, { label: "strong", scopes: ["endpoint:read", "account:read"] }, secretKeys);
    expect((await client(weak.value).post(`${secretKeys}${strong.id}/roll/`)).status).toBe(403);
    expect((await client(weak.value).remove(`${secretKeys}${strong.id}/`)).status).toBe(403);
    expect((await client(weak.value).remove(`${secretKeys}${own.id}/`)).status).toBe(204);
    expect((await all.remove(`${secretKeys}${strong.id}/`)).status).toBe(204);
    const other = await aTenant(platform().world);
    expect((await client(other.personalKey).get(secretKeys)).status).toBe(403);
    await all.remove(`${MINE}${weak.id}/`);
  });
});

it("a rolled key is the one that the operator's document names, and is not made again", async () => {
  const document = tenantDocument("rolling");
  const before = tenantOf(await applyDocument(platform().world, document));
  const mine = client(before.personalKey);
  const [key] = (await mine.get(MINE)).body as Made[];
  const rolled = (await mine.post(`${MINE}${key?.id}/roll/`)).body as Made;
  const again = await applyDocument(platform().world, document);
  expect(again.organizations[0]?.members[0]?.personal_api_keys[0]).toMatchObject({ id: key?.id, value: null });
  expect((await client(rolled.value).get(MINE)).body).toHaveLength(1);
});
