import { beforeEach, describe, expect, it } from "vitest";
import { organizations } from "../../../functions/organizations/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { update } from "../../../lib/table/store.ts";
import { overtakenTable } from "../../support/overtaken-table.ts";
import { aHousehold, aMembership, aPersonalKey, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";

/** An organization of an owner and a member, and what the public directory of names says. */
const aHouse = async () => {
  const names = new Map<string, readonly string[]>();
  const { world } = apiWorld({ dns: { texts: async (name) => names.get(name) ?? [] } });
  const { organization, project } = await aHousehold(world, 1);
  const ana = await aUser(world, 2, { email: "ana@ACME.test" });
  const mia = await aUser(world, 3, { email: "mia@elsewhere.test" });
  await aMembership(world, ana, organization, "admin");
  await aMembership(world, mia, organization);
  const admin = await aPersonalKey(world, ana, ["*"]);
  const member = await aPersonalKey(world, mia, ["*"]);
  const path = `/api/organizations/${organization.id}/domains/`;
  const call = (method: string, rest = "", body?: unknown, key = admin, within: World = world) =>
    ask(organizations, within, method, new URL(rest, `http://house.test${path}`).pathname, { key, ...(body !== undefined && { body }) });
  const named = async (domain: string) => (await call("POST", "", { domain })).json as { id: string; verification_challenge: string };
  const verified = async (domain: string) => {
    const made = await named(domain);
    names.set(`_analytics-challenge.${domain}`, ["v=spf1 -all", made.verification_challenge]);
    expect(await call("POST", `${made.id}/verify/`)).toMatchObject({ status: 200, json: { is_verified: true } });
    return made;
  };
  const enforce = () => update(world.table, Organizations, { id: organization.id }, { set: { enforce_verified_domains: true } });
  /** A call before whose first write another one is answered. */
  const overtaken = (method: string, rest: string, body: unknown, other: () => Promise<unknown>) =>
    call(method, rest, body, admin, { ...world, table: overtakenTable(world.table, other) });
  return { call, named, verified, enforce, names, member, project, world, overtaken };
};

let house: Awaited<ReturnType<typeof aHouse>>;
beforeEach(async () => {
  house = await aHouse();
});

const refusal = (code: string, attr: string | null) => ({ status: 400, json: { type: "validation_error", code, attr } });

describe("an organization's domains", () => {
  it("are named by admins, not verified at first, whatever the body says", async () => {
    const made = await house.call("POST", "", { domain: "acme.test", is_verified: true, verified_at: "2026-01-01T00:00:00Z" });
    expect(made).toMatchObject({ status: 201 });
    expect(made.json).toEqual({
      id: expect.any(String),
      domain: "acme.test",
      is_verified: false,
      verified_at: null,
      verification_challenge: expect.stringMatching(/^[0-9a-zA-Z]{40,}$/),
      jit_provisioning_enabled: false,
      sso_enforcement: "",
      scim_base_url: null,
    });
    const { id } = made.json as { id: string };
    expect((await house.call("GET", `${id}/`)).json).toEqual(made.json);
    expect((await house.call("GET", "", undefined, house.member)).json).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [made.json],
    });
    expect(await house.call("POST", "", { domain: "acme.test" })).toMatchObject(refusal("unique", "domain"));
  });

  it.each(["acme", "Acme.test", "-acme.test", "ac--me.test", "acme.t", "acme.123", "a b.test", "acme..test", ""])(
    "are no %j",
    async (domain) => {
      expect(await house.call("POST", "", { domain })).toMatchObject({ status: 400, json: { attr: "domain" } });
    },
  );

  it.each(["", " "])("may not be blank, as %j is", async (domain) => {
    expect(await house.call("POST", "", { domain })).toMatchObject(refusal("blank", "domain"));
  });

  it("are named without the spaces around them", async () => {
    expect(await house.call("POST", "", { domain: " acme.test " })).toMatchObject({ status: 201, json: { domain: "acme.test" } });
  });

  it("are read by members and changed by admins only", async () => {
    const { id } = await house.named("acme.test");
    for (const [method, rest, body] of [
      ["POST", "", { domain: "other.test" }],
      ["PATCH", `${id}/`, {}],
      ["DELETE", `${id}/`, undefined],
      ["POST", `${id}/verify/`, undefined],
    ] as const)
      expect(await house.call(method, rest, body, house.member)).toMatchObject({ status: 403, json: { code: "permission_denied" } });
    expect((await house.call("GET", "0190d0aa-0000-7000-8000-00000000000f/")).status).toBe(404);
    expect((await house.call("PUT", `${id}/`, {})).status).toBe(405);
  });

  it("are verified by a text that only who rules them can publish, once", async () => {
    const { id, verification_challenge } = await house.named("acme.test");
    house.names.set("_analytics-challenge.acme.test", [`${verification_challenge}x`]);
    expect(await house.call("POST", `${id}/verify/`)).toMatchObject({ status: 200, json: { is_verified: false, verified_at: null } });
    house.names.set("_analytics-challenge.acme.test", ["something else", verification_challenge]);
    expect(await house.call("POST", `${id}/verify/`)).toMatchObject({
      status: 200,
      json: { is_verified: true, verified_at: "2026-11-20T12:00:00Z" },
    });
    expect(await house.call("POST", `${id}/verify/`)).toMatchObject(refusal("already_verified", null));
  });

  it("take settings once they are verified, and keep their name", async () => {
    const { id } = await house.named("acme.test");
    expect(await house.call("PATCH", `${id}/`, { jit_provisioning_enabled: true })).toMatchObject(
      refusal("verification_required", "jit_provisioning_enabled"),
    );
    expect(await house.call("PATCH", `${id}/`, { sso_enforcement: "saml" })).toMatchObject(
      refusal("verification_required", "sso_enforcement"),
    );
    expect((await house.call("PATCH", `${id}/`, { jit_provisioning_enabled: false })).status).toBe(200);
    const other = await house.verified("other.test");
    const set = { jit_provisioning_enabled: true, sso_enforcement: "saml" };
    expect(await house.call("PATCH", `${other.id}/`, { ...set, domain: "third.test" })).toMatchObject({
      status: 200,
      json: { ...set, domain: "other.test" },
    });
  });

  it("are forgotten, but not by whoever would be kept out then", async () => {
    const own = await house.verified("acme.test");
    const other = await house.verified("other.test");
    await house.enforce();
    expect(await house.call("DELETE", `${own.id}/`)).toMatchObject(refusal("would_block_self", null));
    expect(await house.call("DELETE", `${other.id}/`)).toMatchObject({ status: 204 });
    expect((await house.call("GET", `${other.id}/`)).status).toBe(404);
    expect((await house.call("GET", "", undefined, house.member)).json).toMatchObject({ code: "verified_domain_required" });
  });

  it("are at most a hundred", async () => {
    for (let at = 0; at < 100; at += 1) await house.named(`acme${at}.test`);
    expect(await house.call("POST", "", { domain: "one.more" })).toMatchObject({ status: 400, json: { attr: null } });
  });
});

describe("domains that several people change at once", () => {
  const insist = { enforce_verified_domains: true };

  it("are not forgotten while somebody begins to insist on them, so that nobody is kept out by themselves", async () => {
    const { id } = await house.verified("acme.test");
    const forgotten = await house.overtaken("DELETE", `${id}/`, undefined, () => house.call("PATCH", "../", insist));
    expect(forgotten).toMatchObject(refusal("would_block_self", null));
    expect((await house.call("GET", "../")).json).toMatchObject(insist);
  });

  it.each([
    ["PATCH", "../", insist],
    ["POST", "../remove_blocked_members_and_enforce_verified_domains/", undefined],
  ])("are not insisted on by %s %s while the last one is forgotten", async (method, rest, body) => {
    const { id } = await house.verified("acme.test");
    const insisting = await house.overtaken(method, rest, body, () => house.call("DELETE", `${id}/`));
    expect(insisting).toMatchObject(refusal("invalid_input", "enforce_verified_domains"));
    expect((await house.call("GET", "../")).json).toMatchObject({ enforce_verified_domains: false, member_count: 3 });
  });

  it("keep both of two settings", async () => {
    const { id } = await house.verified("acme.test");
    const saml = { sso_enforcement: "saml" };
    const jit = { jit_provisioning_enabled: true };
    expect(await house.overtaken("PATCH", `${id}/`, saml, () => house.call("PATCH", `${id}/`, jit))).toMatchObject({
      status: 200,
      json: { ...saml, ...jit },
    });
  });

  it("are verified by their own challenge only, also where one is forgotten and named again", async () => {
    const { id, verification_challenge } = await house.named("acme.test");
    house.names.set("_analytics-challenge.acme.test", [verification_challenge]);
    const verified = await house.overtaken("POST", `${id}/verify/`, undefined, async () => {
      await house.call("DELETE", `${id}/`);
      await house.named("acme.test");
    });
    expect(verified.status).toBe(404);
    expect((await house.call("GET")).json).toMatchObject({ results: [{ is_verified: false }] });
  });
});
