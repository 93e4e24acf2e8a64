import { describe, expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const HOUR_MS = 3_600_000;
const MADE = day(8, 8) + 1;

const tiers = (usd: string) => [
  { up_to: 100, unit_amount_usd: "0" },
  { up_to: null, unit_amount_usd: usd },
];
const EVENTS = {
  type: "events",
  usage_key: "events",
  usage_type: "event_count_in_period",
  name: "Events",
  plans: [
    { plan_key: "free", name: "Free", is_free: true, free_allocation: 100 },
    { plan_key: "paid", name: "Paid", free_allocation: 100, tiers: tiers("1") },
    { plan_key: "dear", name: "Dear", free_allocation: 100, tiers: tiers("3"), flat_amount_usd: "31" },
  ],
  addons: [
    { type: "boost", name: "Boost", plans: [{ plan_key: "boost", name: "Boost", flat_amount_usd: "62" }] },
    { type: "teams", name: "Teams", plans: [{ plan_key: "teams", name: "Teams", flat_amount_usd: "310" }] },
  ],
};

/** A customer from the first of July on, with 300 events on each of some days. */
const inJuly = async (dates: readonly number[]) => {
  const customer = await billingWorld(day(7, 1));
  await applyDocument(customer.world, { billing_catalogue: { products: [EVENTS] } });
  const activate = (products: string) => customer.post("activate/", { products });
  const deactivate = (products: string) => customer.post("deactivate/", { products });
  const switchPlan = (from: string, to: string) => {
    const key = (plan: string): string => (plan === "boost" || plan === "teams" ? plan : "events");
    return customer.post("subscription/switch-plan/", {
      from_product_key: key(from),
      from_plan_key: from,
      to_product_key: key(to),
      to_plan_key: to,
    });
  };
  for (const date of dates) await customer.use(day(7, date), 300);
  return {
    ...customer,
    activate,
    deactivate,
    switchPlan,
    /** The total of July's invoice, which the overview and the series of its last moment say, too. */
    async july(): Promise<string> {
      customer.at(day(8, 1) - 1);
      const { current_total_amount_usd } = Object(await customer.get(""));
      const { results } = Object(await customer.get("spend/?start_date=2026-07-01&end_date=2026-07-31&interval=month"));
      const spent = (results as readonly { readonly data: readonly number[] }[]).reduce((sum, { data }) => sum + (data[0] ?? 0), 0);
      customer.at(MADE);
      await customer.close();
      const [invoice] = Object(await customer.get("get_invoices/")).results;
      expect([current_total_amount_usd, spent.toFixed(2)]).toEqual([invoice.total_usd, invoice.total_usd]);
      return invoice.total_usd;
    },
  };
};

describe("a plan that was changed", () => {
  it("to the free one for forty seconds at the month's end leaves the bill as it was", async () => {
    const customer = await inJuly([2, 31]);
    await customer.activate("events:paid");
    customer.at(day(8, 1) - 60_000);
    await customer.switchPlan("paid", "free");
    customer.at(day(8, 1) - 20_000);
    await customer.switchPlan("free", "paid");
    expect(await customer.july()).toBe("500.00");
  });
  it("to a dearer one for seven minutes leaves the bill as it was", async () => {
    const customer = await inJuly([2, 10, 31]);
    await customer.activate("events:paid");
    customer.at(day(7, 10) + 9 * HOUR_MS);
    await customer.switchPlan("paid", "dear");
    customer.at(day(7, 10) + 9.1 * HOUR_MS);
    await customer.switchPlan("dear", "paid");
    expect(await customer.july()).toBe("800.00");
  });
  it("for three days costs what those days' units cost there, at the positions that the units before had reached", async () => {
    const customer = await inJuly([2, 10, 11, 31]);
    await customer.activate("events:paid");
    customer.at(day(7, 9) + 13 * HOUR_MS);
    await customer.switchPlan("paid", "dear");
    customer.at(day(7, 12) + 13 * HOUR_MS);
    await customer.switchPlan("dear", "paid");
    // 200 + 300 of two days at 3 dollars, and 3 days of a fee of a dollar a day.
    expect(await customer.july()).toBe((200 + 600 * 3 + 300 + 3).toFixed(2));
  });
  it("to nothing moves the position on all the same", async () => {
    const customer = await inJuly([2, 10, 31]);
    customer.at(day(7, 5));
    await customer.activate("events:paid");
    customer.at(day(7, 10));
    await customer.deactivate("events");
    customer.at(day(7, 20));
    await customer.activate("events:paid");
    // The 300 units of the second took the free ones.
    expect(await customer.july()).toBe("300.00");
  });
});

describe("an add-on", () => {
  it("that another takes the place of for some minutes is due alone", async () => {
    const customer = await inJuly([]);
    await customer.activate("boost");
    customer.at(day(7, 10) + HOUR_MS);
    await customer.switchPlan("boost", "teams");
    customer.at(day(7, 10) + HOUR_MS + 420_000);
    await customer.switchPlan("teams", "boost");
    expect(await customer.july()).toBe("62.00");
  });
  it("that ends every evening is due for each day that it ran on for the most part", async () => {
    const customer = await inJuly([]);
    for (let date = 1; date <= 31; date += 1) {
      customer.at(day(7, date) + 7 * HOUR_MS);
      await customer.activate("boost");
      customer.at(day(7, date) + (date % 2 === 0 ? 18 : 20) * HOUR_MS);
      await customer.deactivate("boost");
    }
    expect(await customer.july()).toBe((16 * 2).toFixed(2));
  });
});

describe("today", () => {
  it("is priced by what is in force, and once it is over by what was for most of it", async () => {
    const customer = await inJuly([10]);
    customer.at(day(7, 10) + 18 * HOUR_MS);
    await customer.activate("events:paid");
    expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "200.00" });
    customer.at(day(7, 11));
    expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "0.00" });
  });
});

describe("a trial", () => {
  it("costs nothing, has its plan's limits from the first minute on, and is charged for from its end on where it converts", async () => {
    const customer = await inJuly([2, 8, 20]);
    const limit = async () => Object(await customer.get("")).products[0].usage_limit;
    expect(await limit()).toBe(100);
    await customer.post("trials/activate/", { type: "autosubscribe", target: "events" });
    expect(await limit()).toBe(null);
    expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "0.00" });
    customer.at(day(7, 31) + 1);
    // Nobody has written down yet that it has converted.
    expect(await limit()).toBe(null);
    await customer.use(day(7, 31), 10);
    const before = await customer.get("");
    expect(before).toMatchObject({ current_total_amount_usd: "10.00", subscription_level: "paid", has_active_subscription: true });
    expect(before).toMatchObject({ billing_plan: "paid", trial: { status: "converted" }, products: [{ subscribed: true }] });
    await customer.close();
    expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "10.00", subscription_level: "paid" });
    expect(await customer.july()).toBe("10.00");
  });
  it("leaves what was subscribed during it as it is", async () => {
    const customer = await inJuly([2, 31]);
    await customer.post("trials/activate/", { type: "autosubscribe", target: "events" });
    await customer.activate("events:dear");
    customer.at(day(7, 31) + 1);
    await customer.close();
    expect(await customer.july()).toBe((500 * 3 + 31).toFixed(2));
  });
  it("that is cancelled ends at once, and the free plan's limit holds again", async () => {
    const customer = await inJuly([2]);
    await customer.post("trials/activate/", { type: "standard", target: "paid" });
    customer.at(day(7, 5));
    await customer.post("trials/cancel/", {});
    expect(Object(await customer.get("")).products[0]).toMatchObject({ usage_limit: 100, has_exceeded_limit: true });
  });
});

describe("a limit", () => {
  it("is never below what is owed already, and leaves what it still pays for", async () => {
    const customer = await inJuly([2]);
    await customer.activate("events:paid");
    customer.at(day(7, 3));
    await customer.call("PATCH", "", { body: { custom_limits_usd: { events: 50 } } });
    expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "200.00", projected_total_amount_usd_with_limit: "200.00" });
    await customer.call("PATCH", "", { body: { custom_limits_usd: { events: 500 } } });
    expect(Object(await customer.get("")).products[0]).toMatchObject({ usage_limit: 600 });
    await customer.switchPlan("paid", "dear");
    expect(Object(await customer.get("")).products[0]).toMatchObject({ usage_limit: 400 });
  });
});
