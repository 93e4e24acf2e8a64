import { describe, expect, it } from "vitest";
import { billing } from "../../../functions/billing/routes.ts";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import { put } from "../../../lib/table/store.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { storeUsage, storeUsages } from "../../support/samples/stored-usage.ts";
import { aMembership, anOrganization, aPersonalKey, aProject, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";

const EVENTS = "event_count_in_period";
const DATE = "2026-11-02";
const PROJECTS = [1, 2, 3, 4, 5];
const ASKED = { start_date: DATE, end_date: DATE, breakdowns: '["team"]', page_size: "2" };

/** Five projects, the fifth with most events, of an organization whose members may look. */
const aWorld = async () => {
  const objects = memoryObjects();
  const { world } = apiWorld({ objects });
  const organization = await anOrganization(world, { member_billing_usage_spend_read_access: true });
  for (const id of PROJECTS) {
    await aProject(world, organization, id);
    await storeUsage(world, organization.id, id, { [DATE]: { [EVENTS]: id * 10 } });
  }
  const someone = async (id: number, level: "owner" | "admin" | "member", of = organization) => {
    const user = await aUser(world, id);
    await aMembership(world, user, of, level);
    return { user, key: await aPersonalKey(world, user, ["billing:read"]) };
  };
  const { key } = await someone(1, "owner");
  const call = (parameters: Readonly<Record<string, string>> = {}, as = key, measure = "usage") =>
    ask(billing, world, "GET", `/api/billing/${measure}/?${new URLSearchParams({ ...ASKED, ...parameters })}`, { key: as });
  const cursor = async (as = key): Promise<string> => {
    const { next } = (await call({}, as)).json as { next: string };
    return next;
  };
  return { world, objects, organization, someone, call, cursor };
};

const REFUSED = { status: 400, json: { type: "validation_error", code: "invalid_input", attr: "after" } };

describe("pages of usage", () => {
  it("200: keep the series of the first one, in its order, with the figures of now", async () => {
    const { world, organization, call } = await aWorld();
    const first = await call();
    expect(first.json).toMatchObject({ results: [{ breakdown_value: "5" }, { breakdown_value: "4" }], total_count: 5 });
    const { next } = first.json as { next: string };
    expect(next.length).toBeLessThan(400);
    await storeUsage(world, organization.id, 1, { [DATE]: { [EVENTS]: 1_000 } });
    await storeUsage(world, organization.id, 3, {});
    await storeUsage(world, organization.id, 3, { "2026-11-01": { [EVENTS]: 7 } });
    await storeUsage(world, organization.id, 6, { [DATE]: { [EVENTS]: 500 } });
    const second = await call({ after: next });
    expect(second).toMatchObject({
      status: 200,
      json: {
        results: [
          { id: 1, breakdown_value: "3", label: "Project 3", data: [0], dates: [DATE] },
          { breakdown_value: "2", data: [20] },
        ],
        total_count: 5,
      },
    });
    const { next: last } = second.json as { next: string };
    const third = await call({ after: last, page_size: "1000" });
    expect(third.json).toMatchObject({ results: [{ breakdown_value: "1", data: [1_000] }], next: null, total_count: 5 });
  });

  it("200: projects that were folded stay folded, with those that came later", async () => {
    const { world, organization, call } = await aWorld();
    const asked = { top_projects: "3" };
    const { next } = (await call(asked)).json as { next: string };
    await storeUsage(world, organization.id, 1, { [DATE]: { [EVENTS]: 1_000 } });
    await storeUsage(world, organization.id, 6, { [DATE]: { [EVENTS]: 500 } });
    const further = await call({ ...asked, after: next });
    expect(further.json).toMatchObject({
      results: [
        { breakdown_value: "3", data: [30] },
        { breakdown_value: "other", data: [1_000 + 20 + 500] },
      ],
      next: null,
      total_count: 4,
    });
  });

  it("200: what fits onto one page is kept nowhere; the same first page is kept once", async () => {
    const { objects, call } = await aWorld();
    const kept = () => [...objects.contents.keys()].filter((name) => name.startsWith("exports/"));
    await call({ page_size: "5" });
    expect(kept()).toEqual([]);
    await call();
    await call();
    expect(kept()).toHaveLength(1);
  });

  it("200: a project that a member sees meanwhile changes nothing of the pages that they are reading", async () => {
    const { world, organization, someone, call, cursor } = await aWorld();
    const { key } = await someone(7, "member");
    const after = await cursor(key);
    await aProject(world, organization, 6);
    await storeUsages(world, organization.id, [6], { [DATE]: { [EVENTS]: 900 } });
    expect(await call({ after }, key)).toMatchObject({
      status: 200,
      json: { results: [{ breakdown_value: "3" }, { breakdown_value: "2" }] },
    });
  });

  it("400: a cursor that was changed, by whatever", async () => {
    const { call, cursor } = await aWorld();
    const after = await cursor();
    const read = JSON.parse(Buffer.from(after, "base64url").toString()) as Record<string, unknown>;
    for (const change of [
      { place: 1 },
      { place: 99 },
      { from: 0 },
      { to: 1e6 },
      { order: "0".repeat(32) },
      { order: "../x" },
      { seal: "" },
      { v: 1 },
    ]) {
      const changed = Buffer.from(JSON.stringify({ ...read, ...change })).toString("base64url");
      expect(await call({ after: changed }), JSON.stringify(change)).toMatchObject({ status: 400 });
    }
    expect(await call({ after: after.slice(0, -4) })).toMatchObject(REFUSED);
    expect(await call({ after })).toMatchObject({ status: 200 });
  });

  it("400: a cursor of another question or measure", async () => {
    const { call, cursor } = await aWorld();
    const after = await cursor();
    for (const other of [{ team_ids: "[1,2,3]" }, { breakdowns: '["type","team"]' }, { end_date: "2026-11-03" }, { top_projects: "4" }])
      expect(await call({ ...other, after })).toMatchObject(REFUSED);
    expect(await call({ after }, undefined, "spend")).toMatchObject(REFUSED);
  });

  it("400: a cursor of another organization, or of somebody who sees other projects", async () => {
    const { world, someone, call, cursor } = await aWorld();
    const after = await cursor();
    const other = await anOrganization(world);
    const stranger = await someone(3, "owner", other);
    const member = await someone(7, "member");
    const colleague = await someone(8, "member");
    expect(await call({ after }, stranger.key)).toMatchObject(REFUSED);
    expect(await call({ after }, member.key)).toMatchObject(REFUSED);
    expect(await call({ after: await cursor(member.key) }, colleague.key)).toMatchObject(REFUSED);
    const admin = await someone(9, "admin");
    expect(await call({ after }, admin.key)).toMatchObject({ status: 200 });
  });

  it("400: begin again, where a project was hidden meanwhile, or the pages are no longer kept", async () => {
    const { world, objects, organization, someone, call, cursor } = await aWorld();
    const { user, key } = await someone(7, "member");
    const after = await cursor(key);
    const grant = { project_id: 1, user_id: user.id, organization_id: organization.id, visible: false, export: null };
    await put(world.table, AccessGrants, grant);
    expect(await call({ after }, key)).toMatchObject({
      ...REFUSED,
      json: { ...REFUSED.json, detail: expect.stringContaining("Begin again") },
    });
    const own = await cursor();
    for (const name of [...objects.contents.keys()]) if (name.startsWith("exports/")) objects.contents.delete(name);
    expect(await call({ after: own })).toMatchObject({
      ...REFUSED,
      json: { ...REFUSED.json, detail: expect.stringContaining("Begin again") },
    });
  });
});
