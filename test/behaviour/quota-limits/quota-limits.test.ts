import { describe, expect, it } from "vitest";
import { quotaLimits } from "../../../functions/quota-limits/routes.ts";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import { put } from "../../../lib/table/store.ts";
import { QUOTA_RESOURCES, setMarkersWrite } from "../../../lib/usage/project-quotas.ts";
import { aHousehold, aMembership, aPersonalKey, aProject, apiWorld, ask, aUser, NOON } from "../../support/worlds/api-world.ts";

const PATH = "/api/projects/1/quota_limits/";

describe("GET …/quota_limits/", () => {
  it("names every resource, none of them limited, where nothing was ever used", async () => {
    const { world } = apiWorld();
    const { key } = await aHousehold(world, 1, ["project:read"]);
    const reply = await ask(quotaLimits, world, "GET", PATH, { key });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ limited: Object.fromEntries(QUOTA_RESOURCES.map((resource) => [resource, { limited: false }])) });
  });

  it("a resource is limited until the moment of its marker, and not after it", async () => {
    const { world, time } = apiWorld();
    const { key } = await aHousehold(world, 1);
    await world.table.transact([setMarkersWrite(1, { events: NOON + 1000, recordings: NOON - 1 })]);
    const limited = async () => (await ask(quotaLimits, world, "GET", PATH, { key })).json;
    expect(await limited()).toMatchObject({ limited: { events: { limited: true }, recordings: { limited: false } } });
    time.now = NOON + 1000;
    expect(await limited()).toMatchObject({ limited: { events: { limited: true } } });
    time.now = NOON + 1001;
    expect(await limited()).toMatchObject({ limited: { events: { limited: false } } });
  });

  it("is refused without a key, without the scope, and to strangers", async () => {
    const { world } = apiWorld();
    const { user } = await aHousehold(world, 1);
    const stranger = await aHousehold(world, 2);
    expect(await ask(quotaLimits, world, "GET", PATH)).toMatchObject({ status: 401 });
    const without = await aPersonalKey(world, user, ["billing:read"]);
    expect(await ask(quotaLimits, world, "GET", PATH, { key: without })).toMatchObject({ status: 403 });
    const elsewhere = await aPersonalKey(world, user, ["*"], { teams: [2] });
    expect(await ask(quotaLimits, world, "GET", PATH, { key: elsewhere })).toMatchObject({ status: 403 });
    expect(await ask(quotaLimits, world, "GET", PATH, { key: stranger.key })).toMatchObject({ status: 403 });
  });

  it("takes @current for the first project that the caller sees, and refuses whoever sees none", async () => {
    const { world } = apiWorld();
    const { organization, key } = await aHousehold(world, 1);
    await aProject(world, organization, 2);
    await world.table.transact([setMarkersWrite(1, { events: NOON })]);
    const member = await aUser(world, 3);
    await aMembership(world, member, organization);
    const theirs = await aPersonalKey(world, member, ["project:read"]);
    const current = async (by: string) => ask(quotaLimits, world, "GET", "/api/projects/@current/quota_limits/", { key: by });
    const isHidden = async (project_id: number) =>
      put(world.table, AccessGrants, { project_id, user_id: 3, organization_id: organization.id, visible: false, export: null });
    expect((await current(theirs)).json).toMatchObject({ limited: { events: { limited: true } } });
    await isHidden(1);
    expect((await current(theirs)).json).toMatchObject({ limited: { events: { limited: false } } });
    expect((await current(key)).json).toMatchObject({ limited: { events: { limited: true } } });
    await isHidden(2);
    expect(await current(theirs)).toMatchObject({ status: 403, json: { detail: "You don't have access to the project." } });
  });

  it("is only read", async () => {
    const { world } = apiWorld();
    const { key } = await aHousehold(world, 1);
    expect(await ask(quotaLimits, world, "POST", PATH, { key })).toMatchObject({ status: 405 });
  });
});
