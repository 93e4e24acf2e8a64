import { describe, expect, it } from "vitest";
import { checkEnforcement } from "../../../functions/organizations/enforcement.ts";
import { organizations } from "../../../functions/organizations/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { join, removeBlockedMembers } from "../../../lib/organizations/blocked-members.ts";
import { Domains } from "../../../lib/organizations/domains.ts";
import { Memberships } from "../../../lib/organizations/memberships.ts";
import { LEVELS, Organizations } from "../../../lib/organizations/organizations.ts";
import { list, NotFound, put, update } from "../../../lib/table/store.ts";
import { dyingTable } from "../../support/dying-table.ts";
import { aPlatform } from "../../support/processes/platform.ts";
import { aCrowd } from "../../support/samples/a-crowd.ts";
import { anOrganizationOfMany } from "../../support/samples/an-organization.ts";
import { aHousehold, aMembership, aPersonalKey, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";

const platform = aPlatform();

describe("POST /organizations/{id}/remove_blocked_members_and_enforce_verified_domains/", () => {
  const pathOf = (id: string) => `/api/organizations/${id}/remove_blocked_members_and_enforce_verified_domains/`;

  it("removes who is outside the verified domains, but no owner, and insists on them from then on", async () => {
    const house = await anOrganizationOfMany(platform());
    const path = pathOf(house.id);
    expect(await house.as.admin.post(path)).toMatchObject({
      status: 200,
      body: { success: true, removed_count: 1, enforce_verified_domains: true },
    });
    expect(await house.as.owner.post(path)).toMatchObject({ status: 200, body: { removed_count: 0 } });
    expect((await house.as.owner.get(`/api/organizations/${house.id}/`)).body).toMatchObject({
      member_count: 4,
      enforce_verified_domains: true,
    });
    expect((await house.as.outsider.get(`/api/organizations/${house.id}/`)).status).toBe(404);
    expect((await house.as.outsider.get(`/api/projects/${house.project}/endpoints/`)).body).toMatchObject({
      code: "permission_denied",
      detail: "You don't have access to the project.",
    });
    expect((await house.as.outsideOwner.get(`/api/organizations/${house.id}/`)).status).toBe(200);
  });

  it("is refused to members, to strangers, without a verified domain, and to whoever would lose access", async () => {
    const house = await anOrganizationOfMany(platform());
    const loose = await anOrganizationOfMany(platform(), { domains: [] });
    expect((await house.as.member.post(pathOf(house.id))).status).toBe(403);
    expect((await loose.as.owner.post(pathOf(house.id))).status).toBe(404);
    const refusal = (code: string) => ({ status: 400, body: { type: "validation_error", code, attr: "enforce_verified_domains" } });
    expect(await loose.as.owner.post(pathOf(loose.id))).toMatchObject(refusal("invalid_input"));
    expect(await house.as.outsideOwner.post(pathOf(house.id))).toMatchObject(refusal("would_block_self"));
    expect((await house.as.owner.get(`/api/organizations/${house.id}/`)).body).toMatchObject({ member_count: 5 });
  });
});

const INSIDE = "house.test";
/** More than one transaction can take. */
const OUTSIDERS = 230;

/** An organization of an owner, a member inside and many outside of its verified domain. */
const crowded = async () => {
  const { world } = apiWorld();
  const home = await aHousehold(world, 1);
  const { organization } = home;
  const owner = await aUser(world, 2, { email: `ana@${INSIDE}` });
  await aMembership(world, owner, organization, "owner");
  const insider = await aUser(world, 3, { email: `mia@HOUSE.test` });
  await aMembership(world, insider, organization);
  for (let id = 100; id < 100 + OUTSIDERS; id += 1)
    await aMembership(world, await aUser(world, id, { email: `user@sub.${INSIDE}` }), organization, id % 2 === 0 ? "member" : "admin");
  const domain = { id: world.ids.uuid(), organization_id: organization.id, domain: INSIDE, verification_challenge: "x" };
  const settings = { verified_at: organization.created_at, jit_provisioning_enabled: false, sso_enforcement: "" };
  await put(world.table, Domains, { ...domain, ...settings });
  const keys = {
    owner: await aPersonalKey(world, owner, ["*"]),
    insider: await aPersonalKey(world, insider, ["*"]),
    first: await aPersonalKey(world, await aUser(world, 100, { email: `user@sub.${INSIDE}` }), ["*"]),
    last: await aPersonalKey(world, await aUser(world, 99 + OUTSIDERS, { email: `user@sub.${INSIDE}` }), ["*"]),
  };
  const path = `/api/organizations/${organization.id}/`;
  const statusOf = async (key: string) => (await ask(organizations, world, "GET", path, { key })).status;
  const remove = (within: World = world) =>
    ask(organizations, within, "POST", `${path}remove_blocked_members_and_enforce_verified_domains/`, { key: keys.owner });
  const statuses = () => Promise.all([keys.owner, keys.insider, keys.first, keys.last].map(statusOf));
  const stored = () => list(world.table, Memberships, "key", { organization_id: organization.id }, { consistent: true });
  return { world, organization, keys, path, remove, statuses, stored };
};

/** The world of a process that dies at one of its writes. */
const dyingAt = (world: World, write: number, moment: "before" | "after") => {
  const { table, died } = dyingTable(world.table, write, moment);
  return { world: { ...world, table }, died };
};

describe("a removal of more members than one transaction takes", () => {
  it("finds nothing where the organization was deleted a moment ago", async () => {
    const { world, organization } = await crowded();
    await update(world.table, Organizations, { id: organization.id }, { set: { state: "removed" } });
    const decide = () => checkEnforcement(world.table, organization.id, `ana@${INSIDE}`);
    const decision = { id: world.ids.uuid(), at: organization.created_at, decide };
    await expect(removeBlockedMembers(world.table, organization.id, decision)).rejects.toThrow(NotFound);
  });

  it("ends, however many there are", async () => {
    const { world, organization, remove } = await crowded();
    const known = await aCrowd(world, organization);
    expect((await remove()).json).toMatchObject({ removed_count: OUTSIDERS + known });
  });

  it("is all or nothing for everybody who looks, wherever its process dies, and is finished by the next call", async () => {
    let deaths = 0;
    for (const moment of ["before", "after"] as const) {
      for (let write = 0; ; write += 1) {
        const house = await crowded();
        const { world, died } = dyingAt(house.world, write, moment);
        await house.remove(world);
        if (!died()) break;
        deaths += 1;
        const seen = await house.statuses();
        const member_count = seen[2] === 200 ? OUTSIDERS + 3 : 3;
        expect([
          [200, 200, 200, 200],
          [200, 200, 404, 404],
        ]).toContainEqual(seen);
        expect((await ask(organizations, house.world, "GET", house.path, { key: house.keys.owner })).json).toMatchObject({
          member_count,
          enforce_verified_domains: seen[2] !== 200,
        });
        expect(await house.remove()).toMatchObject({ status: 200, json: { success: true, enforce_verified_domains: true } });
        expect(await house.statuses()).toEqual([200, 200, 404, 404]);
        expect((await house.stored()).map(({ user_id }) => user_id)).toEqual([1, 2, 3]);
      }
    }
    expect(deaths).toBeGreaterThanOrEqual(10);
  });

  it("counts every member that it removed, also those that went before its process died", async () => {
    const whole = await crowded();
    expect((await whole.remove()).json).toEqual({ success: true, removed_count: OUTSIDERS, enforce_verified_domains: true });
    const broken = await crowded();
    await broken.remove(dyingAt(broken.world, 4, "after").world);
    expect((await broken.stored()).length).toBeLessThan(OUTSIDERS);
    expect((await broken.remove()).json).toMatchObject({ removed_count: OUTSIDERS });
  });

  it("spares whoever has become an owner before their turn", async () => {
    const house = await crowded();
    await house.remove(dyingAt(house.world, 2, "after").world);
    const key = { organization_id: house.organization.id, user_id: 99 + OUTSIDERS };
    await update(house.world.table, Memberships, key, { set: { level: LEVELS.owner } });
    expect((await house.remove()).json).toMatchObject({ removed_count: OUTSIDERS - 1 });
    expect((await house.stored()).map(({ user_id }) => user_id)).toEqual([1, 2, 3, 99 + OUTSIDERS]);
  });

  it("takes along who joins before it is decided, and leaves who joins after it has ended, whatever runs beside what", async () => {
    for (let steps = 0; steps < 14; steps += 1) {
      const house = await crowded();
      const late = await aUser(house.world, 9_000, { email: "late@sub.house.test" });
      const membership = {
        organization_id: house.organization.id,
        user_id: late.id,
        level: LEVELS.member,
        joined_at: house.organization.created_at,
      };
      const [answer] = await Promise.all([house.remove(), after(steps).then(() => join(house.world, membership))]);
      const stayed = (await house.stored()).some(({ user_id }) => user_id === late.id);
      expect(answer.json).toMatchObject({ removed_count: OUTSIDERS + (stayed ? 0 : 1) });
    }
  });

  it("may be asked for by two at once, and each member is removed by one of them", async () => {
    const house = await crowded();
    const answers = await Promise.all([house.remove(), house.remove()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await house.stored()).map(({ user_id }) => user_id)).toEqual([1, 2, 3]);
  });
});

/** Some turns of the event loop later. */
const after = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns * 3; turn += 1) await Promise.resolve();
};
