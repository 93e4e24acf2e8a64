import { describe, expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { planDocument } from "../../../infra/cli/apply/dry-run.ts";
import { readPriceListVersions } from "../../../lib/billing/price-list-versions.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const plan = (plan_key: string, usd: string) => ({ plan_key, name: plan_key, tiers: [{ up_to: null, unit_amount_usd: usd }] });
const events = (...plans: readonly object[]) => ({
  ...{ type: "events", usage_key: "events", usage_type: "event_count_in_period", name: "Events", plans },
});
const FREE = { plan_key: "free", name: "Free", is_free: true, free_allocation: 100 };
const BOOST = { type: "boost", name: "Boost", plans: [{ plan_key: "boost", name: "Boost", flat_amount_usd: "31" }] };
const SUPPORT = {
  ...{ type: "support", usage_key: "exceptions", usage_type: "exceptions_captured_in_period", name: "Support", unit: "call" },
  trial: { length: 14 },
  plans: [plan("by-call", "5")],
};

/** A customer of a platform that sells by a list of its own from the first of July on. */
const inJuly = async (...products: readonly object[]) => {
  const customer = await billingWorld(day(7, 1));
  const apply = (billing_catalogue: unknown) => applyDocument(customer.world, { billing_catalogue });
  await apply({ products });
  return {
    ...customer,
    apply,
    activate: (chosen: string) => customer.post("activate/", { products: chosen }),
    total: async (): Promise<string> => Object(await customer.get("")).current_total_amount_usd,
    /** Totals of the invoices made by then, the oldest first. */
    async invoices(at: number): Promise<readonly string[]> {
      customer.at(at);
      for (let times = 0; times < 4; times += 1) await customer.close();
      const { results } = Object(await customer.get("get_invoices/"));
      return results.map(({ total_usd }: { total_usd: string }) => total_usd).reverse();
    },
  };
};

describe("a price list", () => {
  it("that is the first is sold by at once", async () => {
    const customer = await inJuly(events(FREE, plan("paid", "3")));
    expect(await customer.get("")).toMatchObject({ products: [{ type: "events", free_allocation: 100 }] });
    await customer.activate("events");
    await customer.use(day(7, 1), 2);
    expect(await customer.total()).toBe("6.00");
  });

  it("that comes on the third leaves the bill of the month that runs, and one that was there before brings its prices back", async () => {
    const customer = await inJuly(events(plan("paid", "3")));
    await customer.activate("events");
    for (const month of [7, 8, 9, 10]) await customer.use(day(month, 5), 10);
    customer.at(day(7, 3));
    await customer.apply({ products: [events(plan("paid", "5"))] });
    customer.at(day(7, 6));
    expect(await customer.total()).toBe("30.00");
    customer.at(day(8, 6));
    expect(await customer.total()).toBe("50.00");
    await customer.apply({ products: [events(plan("paid", "3"))] });
    expect(await customer.total()).toBe("50.00");
    customer.at(day(9, 6));
    expect(await customer.total()).toBe("30.00");
    expect(await customer.invoices(day(10, 8) + 1)).toEqual(["30.00", "50.00", "30.00"]);
    expect(await readPriceListVersions(customer.world)).toMatchObject([
      { number: 1, effective_from: null, state: "past", held: [] },
      { number: 2, effective_from: "2026-08-01T00:00:00.000Z", state: "past", held: [] },
      { number: 3, effective_from: "2026-09-01T00:00:00.000Z", state: "in_force", held: [{ plan_key: "paid", organizations: 1 }] },
    ]);
  });

  it("bills a month by the same prices, whoever looked at them when", async () => {
    const [asked, unasked] = [await inJuly(events(plan("paid", "3"))), await inJuly(events(plan("paid", "3")))];
    for (const customer of [asked, unasked]) {
      await customer.activate("events");
      await customer.use(day(8, 5), 10);
      customer.at(day(7, 20));
      await customer.apply({ products: [events(plan("paid", "5"))], effective_from: "2026-08-02" });
    }
    asked.at(day(8, 1));
    await asked.get("");
    asked.at(day(8, 20));
    expect(await asked.total()).toBe("30.00");
    expect(await readPriceListVersions(asked.world)).toMatchObject([
      { number: 1, state: "past", held: [{ product: "events", plan_key: "paid", organizations: 1 }] },
      { number: 2, state: "in_force", held: [] },
    ]);
    expect(await asked.invoices(day(9, 8) + 1)).toEqual(["0.00", "30.00"]);
    expect(await unasked.invoices(day(9, 8) + 1)).toEqual(["0.00", "30.00"]);
  });

  it("that drops a plan that is held is refused with its name and how many hold it, unless it says what replaces it", async () => {
    const customer = await inJuly({ ...events(FREE, plan("pro", "3")), addons: [BOOST] });
    await customer.activate("events,boost");
    const next = events(FREE, plan("pro-2", "5"));
    await expect(customer.apply({ products: [{ ...next, addons: [BOOST] }] })).rejects.toThrow(
      'billing_catalogue.products[0].plans: plans that are held are not in this list: "pro" of events (1 organization). Keep each',
    );
    await expect(customer.apply({ products: [next], replaces: { pro: "pro-2" } })).rejects.toThrow(
      'billing_catalogue.products: plans that are held are not in this list: "boost" of boost (1 organization). Keep each',
    );
    await expect(customer.apply(null)).rejects.toThrow('"pro" of events (1 organization), "boost" of boost (1 organization)');
    const replacing = { products: [{ ...next, addons: [BOOST] }], replaces: { pro: "pro-2" } };
    const planned = await planDocument(customer.world, { billing_catalogue: replacing });
    expect(planned).toMatchObject([
      { price_list: { organizations: 1, products: [{ plans: [{ plan_key: "pro", organizations: 1 }, {}] }] } },
    ]);
    await customer.apply(replacing);
    await customer.use(day(7, 5), 10);
    await customer.use(day(8, 5), 10);
    customer.at(day(7, 31));
    expect(await customer.total()).toBe("61.00");
    customer.at(day(8, 31));
    expect(await customer.total()).toBe("81.00");
    expect(await readPriceListVersions(customer.world)).toMatchObject([
      {},
      {
        state: "in_force",
        replaces: { pro: "pro-2" },
        held: [
          { product: "events", plan_key: "pro-2", organizations: 1 },
          { product: "boost", plan_key: "boost", organizations: 1 },
        ],
      },
    ]);
    // The key that was chosen is two lists back by now.
    await customer.apply({ products: [{ ...events(plan("pro-3", "7")), addons: [BOOST] }], replaces: { "pro-2": "pro-3" } });
    expect(await customer.invoices(day(9, 8) + 1)).toEqual(["61.00", "81.00"]);
    await customer.use(day(9, 5), 10);
    customer.at(day(9, 30));
    expect(await customer.total()).toBe("101.00");
  });

  it("that drops what is tried is refused while the trial runs, and what was tried may go", async () => {
    const customer = await inJuly({ ...events(plan("paid", "3")), addons: [BOOST] });
    await customer.post("trials/activate/", { type: "standard", target: "boost" });
    const without = { products: [events(plan("paid", "3"))] };
    await expect(customer.apply({ ...without, effective_from: "2026-07-30" })).rejects.toThrow('"boost" of boost (1 organization)');
    await customer.apply({ ...without, effective_from: "2026-08-01" });
    await customer.post("trials/cancel/", {});
    await customer.apply({ ...without, effective_from: "2026-07-20" });
  });

  it("that drops what nobody holds any more is taken", async () => {
    const customer = await inJuly({ ...events(plan("paid", "3")), addons: [BOOST] });
    await customer.activate("boost");
    customer.at(day(7, 2));
    await customer.post("deactivate/", { products: "boost" });
    await customer.apply({ products: [events(plan("paid", "3"))] });
    expect(await customer.invoices(day(8, 8) + 1)).toEqual(["1.00"]);
  });

  it("by which a limit in dollars pays for more units than any number of JSON tells is shown with as many as that, and not with a 500", async () => {
    const customer = await inJuly(events(plan("paid", "0.000000001")));
    await customer.activate("events");
    const limited = await customer.call("PATCH", "", { body: { custom_limits_usd: { events: 1_000_000_000 } } });
    const most = { status: 200, json: { usage_summary: { events: { limit: Number.MAX_SAFE_INTEGER } } } };
    expect(limited).toMatchObject(most);
    expect(await customer.call("GET", "")).toMatchObject(most);
  });

  it("that no longer has what was chosen before it came shows and bills it on, until it is ended", async () => {
    const customer = await inJuly({ ...events(FREE, plan("paid", "3")), addons: [BOOST] }, SUPPORT);
    await customer.apply({ products: [events(FREE, plan("paid", "3"))] });
    await customer.activate("boost,support");
    await customer.use(day(8, 1), 1, { type: "exceptions_captured_in_period" });
    customer.at(day(8, 2) - 1);
    expect(await customer.total()).toBe("6.00");
    const { products, usage_summary } = Object(await customer.get(""));
    expect(products).toMatchObject([
      { type: "events", legacy_product: null, addons: [] },
      {
        type: "boost",
        legacy_product: true,
        subscribed: true,
        current_amount_usd: "1.00",
        plans: [{ plan_key: "boost", current_plan: true }],
      },
      { type: "support", legacy_product: true, subscribed: true, current_amount_usd: "5.00", addons: [], trial: null },
    ]);
    expect(usage_summary).toMatchObject({ exceptions: { usage: 1, limit: null } });
    const { results } = Object(await customer.get(`spend/?start_date=2026-08-01&end_date=2026-08-01&breakdowns=["type"]`));
    expect(results.map(({ label, data }: { label: string; data: readonly number[] }) => [label, data])).toEqual([
      ["Exceptions", [5]],
      ["Boost", [1]],
    ]);
    expect(await customer.post("activate/", { products: "teams" })).toMatchObject({ status: 400, json: { code: "product_not_found" } });
    expect((await customer.call("PATCH", "", { body: { custom_limits_usd: { support: 9 } } })).status).toBe(200);
    expect((await customer.post("deactivate/", { products: "boost" })).status).toBe(200);
    expect(await customer.post("deactivate/", { products: "all_products:" })).toMatchObject({
      status: 200,
      json: { has_active_subscription: false, products: [{ type: "events" }, { type: "boost" }, { type: "support" }] },
    });
    expect(await customer.invoices(day(9, 8) + 1)).toEqual(["31.00", "6.00"]);
    const [august] = Object(await customer.get("invoices/")).results;
    expect(await customer.get(`invoices/${august.id}/`)).toMatchObject({
      lines: expect.arrayContaining([expect.objectContaining({ product: "support", quantity: 1, unit: "call" })]),
    });
    customer.at(day(9, 9));
    expect(await customer.get("")).toMatchObject({ products: [{ type: "events" }] });
  });

  it("replaces what an earlier list had by what this one has of the same product, and nothing else", async () => {
    const customer = await inJuly(events(plan("basic", "1"), plan("pro", "3")), BOOST);
    const next = [events(plan("basic", "1"), plan("pro-2", "5")), BOOST];
    const refused = (replaces: object) => customer.apply({ products: next, replaces }).then(() => "nothing", String);
    expect(await refused({ por: "pro-2" })).toContain(
      'billing_catalogue.replaces.por: no list before this one has a plan "por"; did you mean "pro"?',
    );
    expect(await refused({ pro: "pro2" })).toContain('billing_catalogue.replaces.pro: this list has no plan "pro2" of events');
    expect(await refused({ pro: "boost" })).toContain('billing_catalogue.replaces.pro: this list has no plan "boost" of events');
    expect(await refused({ pro: "pro-2" })).toBe("nothing");
  });
});
