import { describe, expect, it } from "vitest";
import { billing } from "../../../functions/billing/routes.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { Subscriptions } from "../../../lib/billing/customer/subscription.ts";
import { put } from "../../../lib/table/store.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { storeUsage } from "../../support/samples/stored-usage.ts";
import { aMembership, anOrganization, aPersonalKey, aProject, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const EVENTS = "event_count_in_period";
const SURVEYS = "survey_responses_count_in_period";

/** An organization that pays for events since the start of the month, and a support plan at $250 a month. */
const aWorld = async ({ withFee = false }: { readonly withFee?: boolean } = {}) => {
  const { world } = apiWorld({ objects: memoryObjects() });
  const organization = await anOrganization(world, { member_billing_usage_spend_read_access: true });
  for (const id of [1, 3]) await aProject(world, organization, id);
  const owner = await aUser(world, 1);
  await aMembership(world, owner, organization, "owner");
  const since = Date.UTC(2026, 10, 1);
  const item = (product: string, plan_key: string) => ({ product, plan_key, since, until: null });
  await put(world.table, Subscriptions, {
    organization_id: organization.id,
    id: "subscription",
    state: "active",
    items: [item("product_analytics", "paid-20260101"), ...(withFee ? [item("boost", "boost-20260101")] : [])],
    days: [],
    folded_until: 0,
    version: 1,
  });
  return { world, organization, key: await aPersonalKey(world, owner, ["billing:read"]) };
};

const path = (parameters: Readonly<Record<string, string>>): string =>
  `/api/billing/spend/?${new URLSearchParams({ start_date: "2026-11-01", end_date: "2026-11-03", ...parameters })}`;

describe("GET /api/billing/spend/", () => {
  it("200: what a day adds to the bill, which depends on what was used before it, shared by who used it", async () => {
    const { world, organization, key } = await aWorld();
    await storeUsage(world, organization.id, 1, { "2026-11-02": { [EVENTS]: 900_000 }, "2026-11-03": { [EVENTS]: 300_000 } });
    await storeUsage(world, organization.id, 3, { "2026-11-03": { [EVENTS]: 100_000 } });
    const all = await ask(billing, world, "GET", path({}), { key });
    expect(all).toMatchObject({ status: 200, json: { results: [{ label: "All spend", data: [0, 0, 15] }], team_id_options: [1, 3] } });
    const teams = await ask(billing, world, "GET", path({ breakdowns: '["team","type"]' }), { key });
    expect(teams.json).toMatchObject({
      results: [
        { label: "Project 1::Events", data: [0, 0, 11.25] },
        { label: "Project 3::Events", data: [0, 0, 3.75] },
      ],
    });
    const later = await ask(billing, world, "GET", path({ start_date: "2026-11-03", team_ids: "[3]" }), { key });
    expect(later.json).toMatchObject({ results: [{ data: [3.75] }] });
  });

  it("200: a new period begins with free units again", async () => {
    const { world, organization, key } = await aWorld();
    await storeUsage(world, organization.id, 1, { "2026-10-31": { [EVENTS]: 5_000_000 }, "2026-11-01": { [EVENTS]: 1_000_001 } });
    const { json } = await ask(billing, world, "GET", path({ end_date: "2026-11-01" }), { key });
    expect(json).toMatchObject({ results: [{ data: [0.00005] }] });
  });

  it("200: a fee is shared among the days that it is due for, and is on no project, and only those with full access see it", async () => {
    const { world, organization, key } = await aWorld({ withFee: true });
    await storeUsage(world, organization.id, 1, { "2026-11-02": { [EVENTS]: 1_100_000 } });
    const types = await ask(billing, world, "GET", path({ breakdowns: '["type"]' }), { key });
    expect(types.json).toMatchObject({
      results: [
        { label: "Boost", data: [8.333333, 8.333333, 8.333334], breakdown_value: "boost" },
        { label: "Events", data: [0, 5, 0] },
      ],
    });
    const teams = await ask(billing, world, "GET", path({ breakdowns: '["team"]' }), { key });
    expect(teams.json).toMatchObject({ results: [{ label: "Organization", breakdown_value: "organization" }, { label: "Project 1" }] });
    const chosen = await ask(billing, world, "GET", path({ usage_types: `["${EVENTS}"]` }), { key });
    expect(chosen.json).toMatchObject({ results: [{ data: [0, 5, 0] }] });
    const member = await aUser(world, 7);
    await aMembership(world, member, organization);
    const looking = await aPersonalKey(world, member, ["billing:read"]);
    expect((await ask(billing, world, "GET", path({}), { key: looking })).json).toMatchObject({ results: [{ data: [0, 5, 0] }] });
  });

  it("200: what was spent stays, by the prices of its own time, also of what is subscribed no more", async () => {
    const customer = await billingWorld(day(7, 9));
    await customer.post("activate/", { products: "product_analytics:,boost:" });
    await customer.use(day(7, 10), 1_100_000);
    customer.at(day(7, 20));
    await customer.post("deactivate/", { products: "boost" });
    const july = "spend/?start_date=2026-07-01&end_date=2026-07-31&interval=month&breakdowns=%5B%22type%22%5D";
    const before = await customer.get(july);
    expect(before).toMatchObject({
      results: [
        { label: "Boost", data: [88.709677] },
        { label: "Events", data: [5] },
      ],
    });
    const plans = [{ plan_key: "paid-20260101", name: "Paid", tiers: [{ up_to: null, unit_amount_usd: "1" }] }];
    const product = { type: "product_analytics", usage_key: "events", usage_type: "event_count_in_period", name: "Events", plans };
    await applyDocument(customer.world, { billing_catalogue: { products: [product] } });
    expect(await customer.get(july)).toEqual(before);
    customer.at(day(8, 8) + 1);
    await customer.close();
    expect(await customer.get(july)).toEqual(before);
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ total_usd: "93.71" }] });
  });

  it("200: what is shown of projects, types and intervals adds up to what is shown of everything, to the last place", async () => {
    const customer = await billingWorld(day(7, 1));
    await customer.post("activate/", { products: "surveys:,product_analytics:" });
    await customer.use(day(7, 6), 100, { type: SURVEYS });
    const used = { 1: 1005, 2: 700, 3: 301 };
    for (const [project, units] of Object.entries(used)) {
      await customer.use(day(7, 7), units, { type: SURVEYS, project: Number(project) });
      await customer.use(day(7, 9), 2_000_001, { project: Number(project) });
      await customer.use(day(7, 14), units, { project: Number(project) });
    }
    customer.at(day(7, 20));
    const micros = async (breakdowns: string, interval: string, more = "") => {
      const query = new URLSearchParams({ start_date: "2026-07-01", end_date: "2026-07-20", breakdowns, interval });
      const { results } = (await customer.get(`spend/?${query}${more}`)) as { readonly results: readonly { readonly data: number[] }[] };
      const points = results.map(({ data }) => data.map((point) => Math.round(point * 1e6)));
      return points[0]?.map((_, at) => points.reduce((sum, line) => sum + (line[at] ?? 0), 0)) ?? [];
    };
    for (const interval of ["day", "week", "month"]) {
      const whole = await micros("[]", interval);
      for (const breakdowns of ['["type"]', '["team"]', '["team","type"]']) expect(await micros(breakdowns, interval)).toEqual(whole);
      for (const top of [1, 2]) expect(await micros('["team"]', interval, `&top_projects=${top}`)).toEqual(whole);
      expect(whole.reduce((sum, point) => sum + point, 0)).toBe((await micros("[]", "month"))[0]);
    }
    const surveyed = `spend/?start_date=2026-07-07&end_date=2026-07-07&breakdowns=%5B%22team%22%5D`;
    expect(await customer.get(surveyed)).toMatchObject({ results: [{ data: [26.908549] }, { data: [18.742273] }, { data: [8.059178] }] });
  });

  it("200: what is shown of days adds up to what is shown of longer intervals, whatever the parts of a micro-dollar that each costs", async () => {
    const customer = await billingWorld(day(7, 1));
    await customer.post("activate/", { products: "product_analytics:" });
    await customer.use(day(7, 2), 2_000_000);
    for (const date of [3, 4, 5]) await customer.use(day(7, date), 1);
    customer.at(day(7, 6));
    const spent = (interval: string) => customer.get(`spend/?start_date=2026-07-03&end_date=2026-07-05&interval=${interval}`);
    expect(await spent("day")).toMatchObject({ results: [{ data: [0.000034, 0.000034, 0.000034] }] });
    expect(await spent("month")).toMatchObject({ results: [{ data: [0.000102] }] });
  });

  it.each(["group_analytics", "data_pipelines"])("200: an addon that is sold by %s is priced on events", async (usage_type) => {
    const customer = await billingWorld(day(7, 1));
    const plans = (price: string) => [{ plan_key: "paid-1", name: "Paid", tiers: [{ up_to: null, unit_amount_usd: price }] }];
    const addon = { type: "extra", usage_key: usage_type, usage_type, name: "Extra", plans: plans("0.5") };
    const product = {
      type: "product_analytics",
      usage_key: "events",
      usage_type: EVENTS,
      name: "Events",
      plans: plans("2"),
      addons: [addon],
    };
    await applyDocument(customer.world, { billing_catalogue: { products: [product] } });
    await customer.post("activate/", { products: "product_analytics:,extra:" });
    await customer.use(day(7, 2), 30);
    await customer.use(day(7, 2), 10, { project: 2 });
    customer.at(day(7, 3));
    const query = "start_date=2026-07-02&end_date=2026-07-02";
    const asked = (what: string) => customer.get(`${what}/?${query}&usage_types=["${usage_type}"]&breakdowns=["type","team"]`);
    expect(await asked("spend")).toMatchObject({
      results: [
        { breakdown_value: [usage_type, "1"], data: [15] },
        { breakdown_value: [usage_type, "2"], data: [5] },
      ],
    });
    expect(await customer.get(`spend/?${query}`)).toMatchObject({ results: [{ data: [100] }] });
    expect(await asked("usage")).toMatchObject({ results: [] });
    expect(await customer.get("")).toMatchObject({
      current_total_amount_usd: "100.00",
      usage_summary: { events: { usage: 40 }, [usage_type]: { usage: 40 } },
    });
    customer.at(day(8, 8) + 1);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ total_usd: "100.00" }] });
  });

  it("200: nothing is spent by those who subscribed nothing", async () => {
    const { world } = await aWorld();
    const free = await anOrganization(world, { slug: "free" });
    const user = await aUser(world, 9);
    await aMembership(world, user, free, "owner");
    await storeUsage(world, free.id, 5, { "2026-11-02": { [EVENTS]: 9_000_000 } });
    const key = await aPersonalKey(world, user, ["billing:read"]);
    const series = async (parameters: Parameters<typeof path>[0]) => (await ask(billing, world, "GET", path(parameters), { key })).json;
    expect(await series({ breakdowns: '["type"]' })).toMatchObject({ results: [], team_id_options: [5] });
    const whole = await series({ start_date: "2026-11-01", end_date: "2026-11-02" });
    const nothing = {
      id: 1,
      label: "All spend",
      data: [0, 0],
      dates: ["2026-11-01", "2026-11-02"],
      breakdown_type: null,
      breakdown_value: null,
    };
    expect(whole).toMatchObject({ results: [nothing], team_id_options: [5] });
    const before = await series({ start_date: "2026-10-01", end_date: "2026-10-02" });
    const earlier = { ...nothing, dates: ["2026-10-01", "2026-10-02"] };
    expect(before).toMatchObject({ results: [earlier], team_id_options: [] });
  });
});

describe("GET /api/billing/spend/export/", () => {
  it("200: dollars of six places", async () => {
    const { world, organization, key } = await aWorld({ withFee: true });
    await storeUsage(world, organization.id, 1, { "2026-11-01": { [EVENTS]: 1_000_001 }, "2026-11-03": { [EVENTS]: 1_500_000 } });
    const target = `/api/billing/spend/export/?${new URLSearchParams({ start_date: "2026-11-01", end_date: "2026-11-03", breakdowns: '["type","team"]' })}`;
    const reply = await ask(billing, world, "GET", target, { key });
    expect(reply.headers["content-disposition"]).toBe('attachment; filename="spend_2026-11-01_2026-11-03.csv"');
    expect(String(reply.body).split("\r\n").slice(1, -1)).toEqual([
      "Events,Project 1,1,67.150034,0.00005,0,67.149984",
      "Boost,Organization,,25,8.333333,8.333333,8.333334",
    ]);
  });
});
