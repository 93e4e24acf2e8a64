import { beforeEach, describe, expect, it } from "vitest";
import { closing } from "../../../functions/closing/schedule.ts";
import { usageJob } from "../../../functions/jobs/usage.ts";
import { quotaLimits } from "../../../functions/quota-limits/routes.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/core/time.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { USAGE_TYPES } from "../../../lib/usage/identifiers.ts";
import { aBillingService, LICENSE } from "../../support/fakes/billing-service.ts";
import { aHousehold, aMembership, aProject, ask, aUser } from "../../support/worlds/api-world.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const service = aBillingService();
const NOW = day(7, 9) + 3 * HOUR_MS;

const aCustomer = async (settings: Readonly<Record<string, string>> = { billingLicense: LICENSE }) => {
  const customer = await billingWorld(NOW, { billingServiceUrl: service.state.url, ...settings });
  const { world } = customer;
  await world.table.put(initialHead(1, 0));
  return {
    ...customer,
    run: () => asFunction(closing, () => closing.run(world, { remainingMs: () => 60_000 })),
    count: () => usageJob(world, POLICIES.local, { project: 1, partition: "2026-07" }),
    limited: async () => {
      const { json } = await ask(quotaLimits, world, "GET", "/api/projects/1/quota_limits/", { key: customer.key });
      return Object.entries(Object(json).limited).flatMap(([name, state]) => (Object(state).limited ? [name] : []));
    },
  };
};

const told = (usage: number, limit: number | null, more: object = {}) => ({
  license: { type: "scale" },
  customer: {
    customer_id: "cus_upstream",
    billing_period: { current_period_start: "2026-07-05T00:00:00Z", current_period_end: "2026-08-05T00:00:00Z", interval: "month" },
    usage_summary: { events: { usage, limit }, rows_synced: { usage: 5, limit: null } },
    customer_trust_scores: { product_analytics: 3 },
    products: [{ type: "product_analytics", usage_key: "events" }],
    ...more,
  },
});

const reports = () => service.heard.filter(({ path }) => path === "/api/usage");

beforeEach(() => {
  service.heard.length = 0;
  service.replies.clear();
  service.replies.set("POST /api/usage", [200, {}]);
});

describe("what limits the data of an organization that a billing service bills", () => {
  it("is the service's limit and period, with what was used today, from the moment that it tells them", async () => {
    const customer = await aCustomer();
    await customer.use(day(7, 9), 60);
    service.replies.set("GET /api/billing", [200, told(340, 401)]);
    await customer.get("");
    expect(await customer.limited()).toEqual([]);
    service.replies.set("GET /api/billing", [200, told(340, 400)]);
    await customer.get("");
    expect(await customer.limited()).toEqual(["events"]);
    customer.at(Date.UTC(2026, 7, 5));
    expect(await customer.limited()).toEqual(["events"]);
    customer.at(Date.UTC(2026, 7, 5) + 1);
    expect(await customer.limited()).toEqual([]);
  });

  it("is lifted as soon as the service tells of a higher one, and follows its trust and its word that nothing is dropped", async () => {
    const customer = await aCustomer();
    const limitedBy = async (customerTold: object) => {
      service.replies.set("GET /api/billing", [200, customerTold]);
      await customer.get("");
      return customer.limited();
    };
    expect(await limitedBy(told(400, 400))).toEqual(["events"]);
    expect(await limitedBy(told(400, 500))).toEqual([]);
    expect(await limitedBy(told(400, 400, { customer_trust_scores: { product_analytics: 7 } }))).toEqual([]);
    expect(await limitedBy(told(400, 400, { never_drop_data: true }))).toEqual([]);
    customer.at(NOW + 3 * DAY_MS);
    expect(await limitedBy(told(400, 400, { customer_trust_scores: { product_analytics: 7 } }))).toEqual([]);
  });

  it("is never the ledger's own, of whatever the service told nothing", async () => {
    const customer = await aCustomer();
    await customer.use(day(7, 8), 2_000_000);
    await customer.use(day(7, 8), 5_000, { type: "ai_credits_used_in_period" });
    await customer.count();
    customer.at(NOW + 7 * DAY_MS);
    await customer.count();
    expect(await customer.limited()).toEqual([]);
  });
});

describe("the daily report of usage to a billing service", () => {
  it("tells once of each organization what all of its projects used on the day before, and nobody's more", async () => {
    const customer = await aCustomer();
    const { world, organization } = customer;
    await aProject(world, organization, 2);
    await aMembership(world, await aUser(world, 9), organization);
    const other = await aHousehold(world, 7);
    await customer.use(day(7, 8), 40);
    await customer.use(day(7, 8), 3, { type: "exceptions_captured_in_period", project: 2 });
    await customer.use(day(7, 8), 9, { type: "historical:event_count_in_period", project: 2 });
    await customer.use(day(7, 9), 500);
    await customer.run();
    await customer.run();
    const nothing = Object.fromEntries(USAGE_TYPES.map((type) => [type, 0]));
    const mine = reports().filter(({ claims }) => claims.organization_id === organization.id);
    expect(mine.map(({ body }) => body)).toEqual([
      {
        date: "2026-07-08",
        period: { start_inclusive: "2026-07-08T00:00:00+00:00", end_inclusive: "2026-07-08T23:59:59.999999+00:00" },
        organization_id: organization.id,
        organization_name: organization.name,
        organization_created_at: organization.created_at,
        organization_user_count: 2,
        team_count: 2,
        ...nothing,
        event_count_in_period: 40,
        exceptions_captured_in_period: 3,
        teams: {
          1: { ...nothing, event_count_in_period: 40 },
          2: { ...nothing, exceptions_captured_in_period: 3 },
        },
      },
    ]);
    expect(mine[0]?.key).toBe(`usage-${organization.id}-2026-07-08`);
    expect(mine[0]?.claims).toEqual({
      exp: NOW / 1_000 + 900,
      id: "license-1",
      organization_id: organization.id,
      organization_name: organization.name,
      aud: "posthog:license-key",
    });
    expect(reports().map(({ claims }) => claims.organization_id)).toEqual(expect.arrayContaining([other.organization.id]));
    expect(reports()).toHaveLength(2);
  });

  it("is sent each day, not before the day was counted, and what it is answered with limits from then on", async () => {
    const customer = await aCustomer();
    customer.at(day(7, 9) + HOUR_MS);
    await customer.run();
    expect(dates()).toEqual(["2026-07-07"]);
    customer.at(NOW);
    service.replies.set("POST /api/usage", [200, told(400, 400)]);
    await customer.run();
    expect(dates()).toEqual(["2026-07-07", "2026-07-08"]);
    await customer.count();
    expect(await customer.limited()).toEqual(["events"]);
  });

  it("that fails is in the log, fails its run, and is made up for by a later one, day by day", async () => {
    const customer = await aCustomer();
    await customer.run();
    for (const [at, reply] of [[NOW + DAY_MS, [500, {}]] as const, [NOW + 2 * DAY_MS, [400, { detail: "No." }]] as const]) {
      customer.at(at);
      service.replies.set("POST /api/usage", reply);
      await expect(customer.run()).rejects.toThrow("could not be reported");
    }
    expect(customer.log.lines).toContainEqual(expect.objectContaining({ level: "error", event: "usage_not_reported" }));
    service.heard.length = 0;
    service.replies.set("POST /api/usage", [200, {}]);
    await customer.run();
    expect(dates()).toEqual(["2026-07-09", "2026-07-10"]);
    customer.at(NOW + 40 * DAY_MS);
    await customer.run();
    expect(dates()).toHaveLength(2 + 7);
  });

  it("is sent to nobody without a service, and by nobody without a license", async () => {
    const { world } = await billingWorld(NOW, { billingLicense: LICENSE });
    await closing.run(world, { remainingMs: () => 60_000 });
    await (await aCustomer({})).run();
    expect(service.heard).toEqual([]);
  });
});

const dates = () => reports().map(({ body }) => Object(body).date);
