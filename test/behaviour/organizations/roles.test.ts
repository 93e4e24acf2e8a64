import { beforeAll, describe, expect, it } from "vitest";
import { Memberships } from "../../../lib/organizations/memberships.ts";
import { remove } from "../../../lib/table/store.ts";
import { apiClient } from "../../support/api-client.ts";
import { aPlatform, aTenant } from "../../support/processes/platform.ts";
import { type AnOrganization, anOrganizationOfMany } from "../../support/samples/an-organization.ts";

const platform = aPlatform();
let house: AnOrganization;
let path = "";

const CHECKOUT = "0190d0aa-0000-7000-8000-000000000001";

beforeAll(async () => {
  house = await anOrganizationOfMany(platform(), {
    roles: [
      { key: "checkout", name: "Checkout", id: CHECKOUT },
      { key: "all", name: "Everybody" },
    ],
  });
  path = `/api/organizations/${house.id}/roles/`;
});

describe("GET /organizations/{organization_id}/roles/", () => {
  it("200: names every role with its members, a page at a time", async () => {
    const next = `${platform().baseUrl}${path}?limit=1&offset=1`;
    const first = await house.as.member.get(`${path}?limit=1`);
    expect([first.status, first.body]).toEqual([
      200,
      { count: 2, next, previous: null, results: [{ id: CHECKOUT, name: "Checkout", members: [] }] },
    ]);
    expect((await house.as.owner.get("/api/organizations/@current/roles/?offset=1")).body).toMatchObject({
      results: [{ name: "Everybody", members: [] }],
    });
  });

  it("200: a role has only who is a member of the organization", async () => {
    const members = ["ana", "adam", "mia"].map((name) => `${name}@MEMBERS`);
    const other = await anOrganizationOfMany(platform());
    const { applyDocument } = await import("../../../infra/cli/apply/apply.ts");
    const { world } = platform();
    const handle = other.domain.replace(".test", "");
    const emails = members.map((email) => email.replace("MEMBERS", other.domain));
    await applyDocument(world, { organizations: [{ key: handle, roles: [{ key: "ops", name: "Operations", members: emails }] }] });
    const list = `/api/organizations/${other.id}/roles/`;
    const { owner, admin, member } = other.userIds;
    expect((await other.as.owner.get(list)).body).toMatchObject({ results: [{ name: "Operations", members: [owner, admin, member] }] });
    await remove(world.table, Memberships, { organization_id: other.id, user_id: admin });
    expect((await other.as.owner.get(list)).body).toMatchObject({ results: [{ members: [owner, member] }] });
  });

  it("403: is for members with the scope, and 405 for anything but reading", async () => {
    const { personalKey } = await aTenant(platform().world, { scopes: ["organization_member:read"] });
    const client = apiClient(platform().baseUrl, personalKey);
    expect((await client.get("/api/organizations/@current/roles/")).status).toBe(403);
    expect((await client.get(path)).status).toBe(403);
    expect(await house.as.owner.post(path, { name: "New" })).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
  });
});

describe("a role as an assignee", () => {
  it("looks after issues and rules of its organization, and of no other", async () => {
    const stranger = await anOrganizationOfMany(platform());
    const assignee = { type: "role", id: CHECKOUT.toUpperCase() };
    const rule = { filters: { type: "AND", values: [] }, assignee };
    const bulk = { action: "assign", ids: ["0190d0aa-0000-7000-8000-00000000000f"], assignee };
    for (const { as, project, isHome } of [
      { ...house, isHome: true },
      { ...stranger, isHome: false },
    ]) {
      const base = `/api/projects/${project}/error_tracking`;
      const made = await as.owner.post(`${base}/assignment_rules/`, rule);
      const assigned = await as.owner.post(`${base}/issues/bulk/`, bulk);
      const refused = { status: 400, body: { type: "validation_error", code: "invalid_input", attr: "assignee__id" } };
      expect(made).toMatchObject(isHome ? { status: 201, body: { assignee: { type: "role", id: CHECKOUT } } } : refused);
      expect(assigned).toMatchObject(isHome ? { status: 200, body: { success: true } } : refused);
    }
  });
});
