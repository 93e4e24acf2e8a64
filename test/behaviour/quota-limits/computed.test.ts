import { describe, expect, it } from "vitest";
import { billing } from "../../../functions/billing/routes.ts";
import { usageJob } from "../../../functions/jobs/usage.ts";
import { quotaLimits } from "../../../functions/quota-limits/routes.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import type { World } from "../../../lib/app/world.ts";
import { BillingAccounts } from "../../../lib/billing/customer/account.ts";
import { evaluateQuotas } from "../../../lib/billing/quotas.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { put } from "../../../lib/table/store.ts";
import type { QuotaResource } from "../../../lib/usage/identifiers.ts";
import { QUOTA_RESOURCES, quotaItemKey, setMarkersWrite } from "../../../lib/usage/project-quotas.ts";
import { dyingTable } from "../../support/dying-table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { storeUsage } from "../../support/samples/stored-usage.ts";
import { sideBySide } from "../../support/side-by-side.ts";
import { aHousehold, aProject, apiWorld, ask, NOON } from "../../support/worlds/api-world.ts";

const DAY = 86_400_000;

/** An organization with projects 1 and 2 that pays nothing, so that it may use what is free. */
const aWorld = async () => {
  const { world, time } = apiWorld({ objects: memoryObjects() });
  const home = await aHousehold(world, 1);
  await aProject(world, home.organization, 2);
  const spend = (type: string, units: number, date = "2026-11-20") =>
    storeUsage(world, home.organization.id, 2, { [date]: { [type]: units, [`historical:${type}`]: 9e9 } });
  const use = (events: number, date?: string) => spend("event_count_in_period", events, date);
  const limited = async (project = 1): Promise<unknown> =>
    (await ask(quotaLimits, world, "GET", `/api/projects/${project}/quota_limits/`, { key: home.key })).json;
  return { world, time, home, spend, use, limited, count: () => counted(world) };
};

/** What the usage job does when rows of project 1 were gathered. */
const counted = async (world: World): Promise<void> => {
  if ((await world.table.get({ pk: "lake#1", sk: "head" })) === undefined) await world.table.put(initialHead(1, 0));
  await usageJob(world, POLICIES.local, { project: 1, partition: "2026-11" });
};

const EVENTS = { limited: { events: { limited: true } } };
const NOTHING = { limited: { events: { limited: false } } };

describe("a limit", () => {
  it("holds for all projects of the organization when use has passed it and the grace is over, until the period ends", async () => {
    const { time, use, limited, count } = await aWorld();
    await use(1_000_000);
    await count();
    expect(await limited()).toMatchObject(NOTHING);
    time.now = NOON + 6 * DAY;
    await count();
    expect([await limited(1), await limited(2)]).toMatchObject([EVENTS, EVENTS]);
    time.now = Date.UTC(2026, 11, 1) + 1;
    expect(await limited()).toMatchObject(NOTHING);
  });

  it("is not reached by imports, nor by one event less", async () => {
    const { time, use, limited, count } = await aWorld();
    await use(999_999);
    await count();
    time.now = NOON + 6 * DAY;
    await count();
    expect(await limited()).toMatchObject(NOTHING);
  });

  it("is marked on a hundred projects with one write: whoever changes what is paid for waits until all are", async () => {
    const { world, time, home, use, limited, count } = await aWorld();
    for (let id = 3; id <= 150; id += 1) await aProject(world, home.organization, id);
    await use(1_000_000);
    await count();
    time.now = NOON + 6 * DAY;
    const counted = sideBySide(world.table, (call) => call === "transact");
    await evaluateQuotas({ ...world, table: counted.table, objects: world.objects }, home.organization.id);
    expect(await limited(150)).toMatchObject(EVENTS);
    expect(counted.calls()).toBeLessThan(10);
  });

  it("is lifted when it is raised, also from projects that were made meanwhile; what was set by hand stays", async () => {
    const { world, time, home, use, limited, count } = await aWorld();
    await use(2_000_000);
    await count();
    time.now = NOON + 6 * DAY;
    await count();
    await aProject(world, home.organization, 3);
    await count();
    expect(await limited(3)).toMatchObject(EVENTS);
    await world.table.transact([setMarkersWrite(1, { events: NOON + 100 * DAY })]);
    const account = { organization_id: home.organization.id, customer_id: "cus_1", anchor_day: 1, status: "free", version: 1 };
    await put(world.table, BillingAccounts, BillingAccounts.schema.parse({ ...account, never_drop_data: true }));
    await count();
    expect([await limited(1), await limited(2), await limited(3)]).toMatchObject([EVENTS, NOTHING, NOTHING]);
  });

  it("holds for a project that is made while it holds, and ends with it", async () => {
    const { world, time } = apiWorld({ objects: memoryObjects() });
    const ana = { email: "ana@acme.test", level: "owner", personal_api_keys: [{ label: "all", scopes: ["*"] }] };
    const apply = async (...keys: readonly string[]) => {
      const projects = keys.map((key) => ({ key, name: key }));
      const { organizations } = await applyDocument(world, { organizations: [{ key: "acme", name: "Acme", members: [ana], projects }] });
      return organizations[0];
    };
    const made = await apply("web");
    const first = made?.projects[0]?.id ?? 0;
    await storeUsage(world, made?.id ?? "", first, { "2026-11-20": { ai_credits_used_in_period: 2_000 } });
    await world.table.put(initialHead(first, 0));
    await usageJob(world, POLICIES.local, { project: first, partition: "2026-11" });
    const then = await apply("web", "later");
    const key = made?.members[0]?.personal_api_keys[0]?.value ?? "";
    const limited = async () =>
      (await ask(quotaLimits, world, "GET", `/api/projects/${then?.projects[1]?.id}/quota_limits/`, { key })).json;
    expect(await limited()).toEqual(onlyLimited("ai_credits"));
    time.now = Date.UTC(2026, 11, 1) + 1;
    expect(await limited()).toMatchObject({ limited: { ai_credits: { limited: false } } });
  });

  it("is lifted at once by whoever pays for more, with no event that is stored meanwhile", async () => {
    const { world, time, home, use, limited, count } = await aWorld();
    const call = (method: string, path: string, body: object) =>
      ask(billing, world, method, `/api/billing/${path}`, { key: home.key, body });
    const limit = (dollars: number) => call("PATCH", "", { custom_limits_usd: { product_analytics: dollars } });
    time.now = Date.UTC(2026, 10, 5);
    await use(1_000_000, "2026-11-05");
    await count();
    time.now = Date.UTC(2026, 10, 12);
    await count();
    expect([await limited(1), await limited(2)]).toMatchObject([EVENTS, EVENTS]);
    expect((await call("POST", "activate/", { products: "product_analytics:" })).status).toBe(200);
    expect([await limited(1), await limited(2)]).toMatchObject([NOTHING, NOTHING]);
    expect((await limit(0)).status).toBe(200);
    time.now = Date.UTC(2026, 10, 19);
    await count();
    expect(await limited()).toMatchObject(EVENTS);
    expect((await limit(5)).status).toBe(200);
    expect([await limited(1), await limited(2)]).toMatchObject([NOTHING, NOTHING]);
  });

  it("does not come over data while it is raised, whoever is first", async () => {
    const { world, time, home, use, limited } = await aWorld();
    const limit = (dollars: number) =>
      ask(billing, world, "PATCH", "/api/billing/", { key: home.key, body: { custom_limits_usd: { product_analytics: dollars } } });
    time.now = Date.UTC(2026, 10, 5);
    const body = { products: "product_analytics:" };
    expect((await ask(billing, world, "POST", "/api/billing/activate/", { key: home.key, body })).status).toBe(200);
    await use(1_000_001, "2026-11-05");
    expect((await limit(0)).status).toBe(200);
    time.now = Date.UTC(2026, 10, 12);
    let isFirst = true;
    const table: World["table"] = {
      ...world.table,
      async put(item, when) {
        if (item.sk === "quota" && isFirst) {
          isFirst = false;
          expect((await limit(5)).status).toBe(200);
        }
        return world.table.put(item, when);
      },
    };
    await counted({ ...world, table });
    expect(isFirst).toBe(false);
    expect([await limited(1), await limited(2)]).toMatchObject([NOTHING, NOTHING]);
  });

  it("is lifted by the next count where whoever lifted it died", async () => {
    let deaths = 0;
    for (let write = 0; ; write += 1) {
      const { world, time, home, use, limited, count } = await aWorld();
      await use(2_000_000);
      await count();
      time.now = NOON + 6 * DAY;
      await count();
      expect(await limited(2)).toMatchObject(EVENTS);
      const account = { organization_id: home.organization.id, customer_id: "cus_1", anchor_day: 1, status: "free", version: 1 };
      await put(world.table, BillingAccounts, BillingAccounts.schema.parse({ ...account, never_drop_data: true }));
      const { table, died } = dyingTable(world.table, write, "before");
      await counted({ ...world, table }).catch(() => undefined);
      if (!died()) break;
      deaths += 1;
      await count();
      expect([await limited(1), await limited(2)]).toMatchObject([NOTHING, NOTHING]);
    }
    expect(deaths).toBeGreaterThan(1);
  });

  it("costs no look at the projects while it holds for none, and none after it was lifted", async () => {
    const { world, time, home, use, count } = await aWorld();
    let looked = 0;
    const table: World["table"] = {
      ...world.table,
      async getMany(keys, options) {
        if (keys.some(({ pk, sk }) => pk === quotaItemKey(2).pk && sk === quotaItemKey(2).sk)) looked += 1;
        return world.table.getMany(keys, options);
      },
    };
    const looksOfCount = async (): Promise<number> => {
      looked = 0;
      await counted({ ...world, table });
      return looked;
    };
    await use(5);
    expect(await looksOfCount()).toBe(0);
    await use(2_000_000);
    await count();
    time.now = NOON + 6 * DAY;
    expect(await looksOfCount()).toBeGreaterThan(0);
    const account = { organization_id: home.organization.id, customer_id: "cus_1", anchor_day: 1, status: "free", version: 1 };
    await put(world.table, BillingAccounts, BillingAccounts.schema.parse({ ...account, never_drop_data: true }));
    expect(await looksOfCount()).toBeGreaterThan(0);
    expect(await looksOfCount()).toBe(0);
  });

  it("does not come over data that are retained; one that holds already goes on until the period ends", async () => {
    const { world, time, home, use, limited, count } = await aWorld();
    const account = { organization_id: home.organization.id, customer_id: "cus_1", anchor_day: 1, status: "free", version: 1 };
    const retain = (retain_data: boolean) => put(world.table, BillingAccounts, BillingAccounts.schema.parse({ ...account, retain_data }));
    await retain(true);
    await use(1_000_000);
    await count();
    time.now = NOON + 6 * DAY;
    await count();
    expect(await limited()).toMatchObject(NOTHING);
    await retain(false);
    await count();
    time.now = Date.UTC(2026, 11, 2);
    await use(1_000_000, "2026-12-01");
    await count();
    time.now = Date.UTC(2026, 11, 20);
    await count();
    expect(await limited()).toMatchObject(EVENTS);
    await retain(true);
    await count();
    expect(await limited()).toMatchObject(EVENTS);
    time.now = Date.UTC(2027, 0, 1) + 1;
    expect(await limited()).toMatchObject(NOTHING);
  });

  it("of a resource that only a later version knows is left as it is", async () => {
    const { world, home, use, limited, count } = await aWorld();
    const key = { pk: `organization#${home.organization.id}`, sk: "quota" };
    const later = { limited_until: NOON + DAY, suspended_until: null, suspended_since: null };
    await world.table.put({
      ...key,
      entity: "organization-quota",
      v: 1,
      rev: 1,
      organization_id: home.organization.id,
      states: { of_a_later_version: later },
    });
    await use(1_000_000);
    await count();
    expect(await limited()).toMatchObject(NOTHING);
    expect((await world.table.get(key))?.states).toMatchObject({ of_a_later_version: later, events: { limited_until: null } });
  });

  const free = (free_allocation: number) => [{ plan_key: "free", name: "Free", is_free: true, free_allocation }];
  const analytics = {
    type: "product_analytics",
    name: "Events",
    usage_key: "events",
    usage_type: "event_count_in_period",
    plans: free(100),
  };

  it("on what an addon sells has the grace of its product", async () => {
    const { world, time, spend, limited, count } = await aWorld();
    const errors = {
      type: "errors",
      name: "Errors",
      usage_key: "exceptions",
      usage_type: "exceptions_captured_in_period",
      plans: free(10),
    };
    await applyDocument(world, { billing_catalogue: { products: [{ ...analytics, addons: [errors] }] } });
    await spend("exceptions_captured_in_period", 10);
    await count();
    expect(await limited()).toMatchObject({ limited: { exceptions: { limited: false } } });
    time.now = NOON + 6 * DAY;
    await count();
    expect(await limited()).toEqual(onlyLimited("exceptions"));
  });

  it("is the product's where an addon is priced on the same use, under the same key", async () => {
    const { world, time, use, limited, count } = await aWorld();
    const plans = [{ plan_key: "paid", name: "Paid", tiers: [{ up_to: null, unit_amount_usd: "0.1" }] }];
    const groups = { type: "group_analytics", name: "Groups", usage_key: "events", usage_type: "group_analytics", plans };
    await applyDocument(world, { billing_catalogue: { products: [{ ...analytics, addons: [groups] }] } });
    await use(100);
    await count();
    time.now = NOON + 6 * DAY;
    await count();
    expect(await limited()).toMatchObject(EVENTS);
  });

  const LATER = [
    ["recordings", "recording_count_in_period", 5_000 + 1_000],
    ["feature_flag_requests", "billable_feature_flag_requests_count_in_period", 1_000_000],
  ] as const;
  const AT_ONCE = [["ai_credits", "ai_credits_used_in_period", 2_000]] as const;

  it.each([...LATER, ...AT_ONCE])("on %s is not reached by one less, nor by imports", async (resource, type, most) => {
    const { time, spend, limited, count } = await aWorld();
    await spend(type, most - 1);
    await count();
    time.now = NOON + 6 * DAY;
    await count();
    expect(await limited()).toMatchObject({ limited: { [resource]: { limited: false } } });
  });

  it.each(LATER)("on %s holds when the grace is over, for that alone, until the period ends", async (resource, type, most) => {
    const { time, spend, limited, count } = await aWorld();
    await spend(type, most);
    await count();
    time.now = Date.UTC(2026, 10, 26) - 1;
    await count();
    expect(await limited()).toMatchObject({ limited: { [resource]: { limited: false } } });
    time.now += 1;
    await count();
    expect([await limited(1), await limited(2)]).toMatchObject([onlyLimited(resource), onlyLimited(resource)]);
    time.now = Date.UTC(2026, 11, 1) + 1;
    expect(await limited()).toMatchObject({ limited: { [resource]: { limited: false } } });
  });

  it.each(AT_ONCE)("on %s has no grace, and holds for those too whose data is never dropped", async (resource, type, most) => {
    const { world, home, spend, limited, count } = await aWorld();
    const account = { organization_id: home.organization.id, customer_id: "cus_1", anchor_day: 1, status: "free", version: 1 };
    await put(world.table, BillingAccounts, BillingAccounts.schema.parse({ ...account, never_drop_data: true }));
    await spend(type, most);
    await count();
    expect(await limited()).toEqual(onlyLimited(resource));
  });
});

const onlyLimited = (limited: QuotaResource) => ({
  limited: Object.fromEntries(QUOTA_RESOURCES.map((resource) => [resource, { limited: resource === limited }])),
});
