import { describe, expect, it } from "vitest";
import { code } from "../../../functions/code/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { BillingAccounts } from "../../../lib/billing/customer/account.ts";
import { type CreditGrant, CreditGrants } from "../../../lib/billing/customer/credit-grant.ts";
import { Memberships } from "../../../lib/organizations/memberships.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { put, remove, update } from "../../../lib/table/store.ts";
import { aBillingService, LICENSE } from "../../support/fakes/billing-service.ts";
import { aHousehold, aMembership, aPersonalKey, apiWorld, ask, NOON } from "../../support/worlds/api-world.ts";

const service = aBillingService();

const PATH = "/api/code/invites/check-access/";

const access = async (world: World, key: string) => (await ask(code, world, "GET", PATH, { key })).json;

const aGrant = (organization_id: string, given: Partial<CreditGrant>): CreditGrant => ({
  organization_id,
  id: "grant",
  source: "purchase",
  state: "active",
  cents: 1,
  charge_cents: 1,
  remaining_cents: 1,
  refunded_use_cents: 0,
  priority: 10,
  collection_method: "send_invoice",
  created_at: NOON,
  effective_at: NOON,
  expires_at: null,
  due_at: null,
  version: 1,
  ...given,
});

describe("GET /api/code/invites/check-access/", () => {
  it("200: whoever pays by use may use it, with any valid key", async () => {
    const { world } = apiWorld();
    const { key } = await aHousehold(world, 1, ["project:read"]);
    expect(await ask(code, world, "GET", PATH, { key })).toMatchObject({
      status: 200,
      json: { has_access: true, has_loops_access: false },
    });
  });

  it.each([
    ["active", false],
    ["pending", false],
    ["depleted", true],
    ["expired", true],
  ] as const)("200: credit that was bought and is %s: %s", async (state, has_access) => {
    const { world } = apiWorld();
    const { organization, key } = await aHousehold(world, 1);
    await put(world.table, CreditGrants, aGrant(organization.id, { state }));
    expect(await access(world, key)).toMatchObject({ has_access });
  });

  it("200: not for a startup, but for one whose organization says so", async () => {
    const { world } = apiWorld();
    const { organization, key } = await aHousehold(world, 1);
    await put(world.table, CreditGrants, aGrant(organization.id, { source: "manual" }));
    expect(await access(world, key)).toMatchObject({ has_access: true });
    const account = { organization_id: organization.id, customer_id: "cus_1", anchor_day: 1, status: "free", version: 1 };
    await put(world.table, BillingAccounts, BillingAccounts.schema.parse({ ...account, startup_label: "startup" }));
    expect(await access(world, key)).toMatchObject({ has_access: false });
    await update(world.table, Organizations, { id: organization.id }, { set: { desktop_access: "on" } });
    expect(await access(world, key)).toMatchObject({ has_access: true });
    await update(world.table, Organizations, { id: organization.id }, { set: { desktop_access: "off" } });
    expect(await access(world, key)).toMatchObject({ has_access: false });
  });

  it("200: not with a key of somebody who has left the organization that it is restricted to", async () => {
    const { world } = apiWorld();
    const { organization, user } = await aHousehold(world, 1);
    const key = await aPersonalKey(world, user, ["user:read"], { organizations: [organization.id] });
    expect(await access(world, key)).toMatchObject({ has_access: true });
    await remove(world.table, Memberships, { organization_id: organization.id, user_id: user.id });
    expect(await access(world, key)).toEqual({ has_access: false, has_loops_access: false });
  });

  it("200: a key restricted to a project asks for that one's organization", async () => {
    const { world } = apiWorld();
    const own = await aHousehold(world, 1);
    const other = await aHousehold(world, 2);
    await aMembership(world, own.user, other.organization);
    await update(world.table, Organizations, { id: other.organization.id }, { set: { desktop_access: "off" } });
    for (const [{ project }, has_access] of [[own, true] as const, [other, false] as const]) {
      const key = await aPersonalKey(world, own.user, ["user:read"], { teams: [project.id] });
      expect(await access(world, key)).toMatchObject({ has_access });
    }
  });

  describe("where another service does the billing", () => {
    const upstream = (settings: Readonly<Record<string, string>> = { billingLicense: LICENSE }) => {
      const given = { billingServiceUrl: service.state.url, queryTimeMs: "2000", ...settings };
      return apiWorld({ config: readConfig((field) => Object(given)[field]) }).world;
    };
    const answers = (label: string | null, status: string): void => {
      service.replies.set("GET /api/billing", [200, { customer: { startup_program_label: label } }]);
      service.replies.set("GET /api/credits/overview", [200, { status }]);
    };

    it.each([
      [null, "none", true],
      [null, "depleted", true],
      ["YC", "none", false],
      [null, "pending", false],
      [null, "active", false],
    ] as const)("200: startup program %s and credit %s there: %s", async (label, status, has_access) => {
      const world = upstream();
      const { organization, key } = await aHousehold(world, 1);
      await put(world.table, CreditGrants, aGrant(organization.id, { state: "active" }));
      answers(label, status);
      expect(await access(world, key)).toEqual({ has_access, has_loops_access: false });
      expect(service.heard.at(-1)?.claims).toMatchObject({ organization_id: organization.id, distinct_id: "user-1" });
    });

    it("503: while the service does not say; 200: while there is no license that it knows anybody by", async () => {
      const world = upstream();
      const { key } = await aHousehold(world, 1);
      answers(null, "none");
      service.replies.set("GET /api/credits/overview", [500, {}]);
      const unsaid = await ask(code, world, "GET", PATH, { key });
      expect(unsaid).toMatchObject({ status: 503, json: { code: "desktop_access_unavailable" } });
      const unlicensed = upstream({});
      const other = await aHousehold(unlicensed, 1);
      expect(await access(unlicensed, other.key)).toMatchObject({ has_access: true });
    });
  });

  it("401: without a key", async () => {
    const { world } = apiWorld();
    expect(await ask(code, world, "GET", PATH)).toMatchObject({ status: 401 });
  });

  it("503: while the ledger cannot be read", async () => {
    const { world } = apiWorld();
    const { key } = await aHousehold(world, 1);
    const query: Table["query"] = (asked) =>
      asked.pk.startsWith("billing#") ? Promise.reject(new Error("the table does not answer")) : world.table.query(asked);
    const broken = new Proxy(world, {
      get: (parts, name) => (name === "table" ? { ...parts.table, query } : Reflect.get(parts, name)),
    });
    expect(await ask(code, broken, "GET", PATH, { key })).toMatchObject({
      status: 503,
      json: { type: "server_error", code: "desktop_access_unavailable", error: expect.any(String), detail: expect.any(String) },
    });
  });

  it("429: more than sixty times a minute", async () => {
    const { world } = apiWorld();
    const { key } = await aHousehold(world, 1);
    for (let count = 0; count < 60; count += 1) await ask(code, world, "GET", PATH, { key });
    expect(await ask(code, world, "GET", PATH, { key })).toMatchObject({ status: 429 });
  });
});
