import { describe, expect, it } from "vitest";
import { closeDue, closing } from "../../../functions/closing/schedule.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import { giveCredit, voidGrant } from "../../../lib/billing/credit.ts";
import { CreditEntries } from "../../../lib/billing/customer/credit-grant.ts";
import { readCustomerState, setSuspension } from "../../../lib/billing/customer.ts";
import { readInvoices, stepInvoice } from "../../../lib/billing/invoices.ts";
import { stepReceivable } from "../../../lib/billing/payments.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { list } from "../../../lib/table/store.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const credit = (annual_amount_usd: number) => ({ annual_amount_usd, discount_percent: 0, collection_method: "charge_automatically" });

/** A customer of July with 3,250,000 events; its invoice is made a week after the month. */
const inJuly = async () => {
  const customer = await billingWorld(day(7, 9));
  await customer.post("activate/", { products: "product_analytics:" });
  await customer.use(day(7, 9), 900_000);
  await customer.use(day(7, 10), 2_350_000);
  return customer;
};
const MADE = day(8, 8) + 1;

describe("an invoice", () => {
  it("is made a week after its month with what the overview showed, less coupons, less credit", async () => {
    const customer = await inJuly();
    await applyDocument(customer.world, { coupon_campaigns: [{ slug: "c", name: "C", kind: "percent", percent: 20, codes: ["C"] }] });
    await customer.post("coupons/claim/", { code: "C" });
    await customer.post("credits/purchase/", credit(50));
    const overview = { current_total_amount_usd: "92.88", current_total_amount_usd_after_discount: "74.30", discount_percent: 20 };
    expect(await customer.get("")).toMatchObject(overview);
    expect(await customer.get("get_invoices/")).toEqual({ link: null, count: 0, results: [] });
    customer.at(MADE - 2);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ count: 0 });
    customer.at(MADE);
    await customer.close();
    expect(await customer.get("get_invoices/?status=open")).toMatchObject({
      count: 1,
      link: "https://api.example.org/organization/billing",
      results: [{ status: "issued", period_start: "2026-07-01T00:00:00Z", total_usd: "74.30", amount_due_usd: "24.30", paid_at: null }],
    });
    expect(await customer.get("credits/overview/")).toMatchObject({ status: "depleted", balance_usd: "0.00" });
    expect(await customer.get("coupons/overview/")).toMatchObject({ claimed_coupons: [{ status: "exhausted" }] });
  });
  it("is projected without a coupon that ends before its month does", async () => {
    const customer = await inJuly();
    const campaign = { slug: "c", name: "C", kind: "percent", percent: 20, duration: "forever", valid_days: 10, codes: ["C"] };
    await applyDocument(customer.world, { coupon_campaigns: [campaign] });
    await customer.post("coupons/claim/", { code: "C" });
    const overview = Object(await customer.get(""));
    expect(overview).toMatchObject({ current_total_amount_usd: "92.88", current_total_amount_usd_after_discount: "74.30" });
    expect(overview.projected_total_amount_usd_after_discount).toBe(overview.projected_total_amount_usd);
    expect(overview.projected_total_amount_usd_with_limit_after_discount).toBe(overview.projected_total_amount_usd_with_limit);
    customer.at(MADE);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ total_usd: "92.88" }] });
  });
  it("that credit pays whole is paid", async () => {
    const customer = await inJuly();
    await customer.post("credits/purchase/", credit(100));
    customer.at(MADE);
    await customer.close();
    expect(await customer.get("get_invoices/?status=paid")).toMatchObject({
      count: 1,
      results: [{ total_usd: "92.88", amount_due_usd: "0.00" }],
    });
    expect(await customer.get("credits/overview/")).toMatchObject({ status: "active", balance_usd: "7.12" });
  });
  it("is made once, and takes credit once, by however many at once, while credit is bought", async () => {
    const customer = await inJuly();
    for (let grants = 0; grants < 5; grants += 1) await customer.post("credits/purchase/", credit(10));
    customer.at(MADE);
    await Promise.all([
      ...Array.from({ length: 50 }, () => customer.close()),
      ...Array.from({ length: 50 }, () => customer.post("credits/purchase/", credit(1))),
    ]);
    const entries = await list(customer.world.table, CreditEntries, "key", { organization_id: customer.organization.id });
    const sum = entries.reduce((total, { delta_cents }) => total + delta_cents, 0);
    const [invoice] = Object(await customer.get("get_invoices/")).results;
    const spent = 9_288 - Math.round(Number(invoice.amount_due_usd) * 100);
    expect(sum).toBe(10_000 - spent);
    expect(await customer.get("credits/overview/")).toMatchObject({ balance_usd: (sum / 100).toFixed(2) });
    expect(customer.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
  it("keeps the prices of its month", async () => {
    const customer = await inJuly();
    const plans = [{ plan_key: "paid-20260101", name: "Paid", tiers: [{ up_to: null, unit_amount_usd: "1" }] }];
    const product = { type: "product_analytics", usage_key: "events", usage_type: "event_count_in_period", name: "Events", plans };
    await applyDocument(customer.world, { billing_catalogue: { products: [product] } });
    expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "92.88" });
    customer.at(MADE);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ total_usd: "92.88" }] });
    await customer.use(day(8, 2), 3);
    expect(await customer.get("")).toMatchObject({ current_total_amount_usd: "3.00" });
  });
  it("leaves what comes later to the next one, at the prices of its own month", async () => {
    const customer = await inJuly();
    customer.at(MADE);
    await customer.close();
    await customer.use(day(7, 20), 1_000_000);
    customer.at(day(9, 8) + 1);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ count: 2, results: [{ total_usd: "34.30" }, { total_usd: "92.88" }] });
    customer.at(day(10, 8) + 1);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ count: 3, results: [{ total_usd: "0.00", status: "paid" }, {}, {}] });
  });
  it("bills a month by what is counted of it by now: what late events moved into the month before comes back, and is asked for again where it is used again", async () => {
    const customer = await inJuly();
    await customer.use(day(8, 5), 2_000_000);
    const made = async (month: number): Promise<string> => {
      customer.at(day(month, 8) + 1);
      await customer.close();
      return Object(await customer.get("get_invoices/")).results[0].total_usd;
    };
    expect([await made(8), await made(9)]).toEqual(["92.88", "50.00"]);
    await customer.use(day(7, 31), 1_000_000);
    await customer.use(day(8, 5), 1_000_000);
    // 34.30 more for July, and 50.00 less for August.
    expect(await made(10)).toBe("0.00");
    expect(await customer.get("credits/overview/")).toMatchObject({ status: "active", balance_usd: "15.70" });
    await customer.use(day(8, 20), 1_000_000);
    expect(await made(11)).toBe("50.00");
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ amount_due_usd: "34.30" }, {}, {}, {}] });
    await customer.use(day(8, 20), 1_500_000);
    expect(await made(12)).toBe("17.15");
  });
  it("has what a product used until it was ended, and none follows", async () => {
    const customer = await inJuly();
    customer.at(day(7, 11) - 1);
    await customer.post("deactivate/", { products: "product_analytics" });
    await customer.use(day(7, 11), 5_000_000);
    customer.at(day(10, 9));
    for (let times = 0; times < 3; times += 1) await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ count: 1, results: [{ total_usd: "92.88" }] });
  });
  it("has a fee for the whole days that a plan ran", async () => {
    const customer = await billingWorld(day(7, 1));
    await customer.post("activate/", { products: "teams:" });
    customer.at(day(7, 17) + 5_000);
    const names = { from_product_key: "teams", from_plan_key: "teams-20260101", to_product_key: "boost", to_plan_key: "boost-20260101" };
    await customer.post("subscription/switch-plan/", names);
    customer.at(MADE);
    await customer.close();
    // 750 dollars for 16 days of 31 and 250 for 15.
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ total_usd: (387.1 + 120.97).toFixed(2) }] });
  });
  it("that nobody pays is overdue after a fortnight, and nothing can be ended meanwhile", async () => {
    const customer = await inJuly();
    customer.at(MADE);
    await customer.close();
    expect(await customer.post("deactivate/", { products: "product_analytics" })).toMatchObject({
      status: 400,
      json: { code: "open_invoices_error", link: "https://api.example.org/api/billing/portal" },
    });
    customer.at(MADE + 14 * 86_400_000);
    await customer.close();
    expect(await customer.get("get_invoices/?status=overdue")).toMatchObject({ count: 1 });
    const july = { organization_id: customer.organization.id, period_start: day(7, 1) };
    expect([await stepInvoice(customer.world, july, "pay"), await stepInvoice(customer.world, july, "pay")]).toEqual([true, false]);
    expect(await customer.get("get_invoices/?status=open")).toMatchObject({ count: 0 });
    expect((await customer.post("deactivate/", { products: "product_analytics" })).status).toBe(200);
  });
  it("that is voided gives the credit back that paid of it", async () => {
    const customer = await inJuly();
    await customer.post("credits/purchase/", credit(50));
    customer.at(MADE);
    await customer.close();
    await stepInvoice(customer.world, { organization_id: customer.organization.id, period_start: day(7, 1) }, "void");
    expect(await customer.get("credits/overview/")).toMatchObject({ status: "active", balance_usd: "50.00" });
    const entries = await list(customer.world.table, CreditEntries, "key", { organization_id: customer.organization.id });
    expect(entries.map(({ delta_cents, reason }) => [delta_cents, reason])).toEqual([
      [5_000, "grant"],
      [-5_000, "invoice"],
      [5_000, "invoice_voided"],
    ]);
  });
});

describe("an invoice of less than a provider collects", () => {
  /** Closes as a platform does that collects through Stripe: nothing below 50 cents. */
  const closeWithStripe = ({ world }: Awaited<ReturnType<typeof inJuly>>) => {
    const config = readConfig((field) => (field === "paymentProvider" ? "stripe" : undefined));
    return asFunction(closing, () => closeDue({ ...world, config }, { remainingMs: () => 60_000 }));
  };

  it("is paid, and a line of the next one, which no coupon reduces; once, also where that one is voided", async () => {
    const customer = await billingWorld(day(7, 9));
    await customer.post("activate/", { products: "product_analytics:" });
    await applyDocument(customer.world, {
      coupon_campaigns: [{ slug: "c", name: "C", kind: "percent", percent: 20, duration: "forever", codes: ["C"] }],
    });
    await customer.use(day(7, 9), 1_005_000);
    customer.at(MADE);
    await closeWithStripe(customer);
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ status: "paid", total_usd: "0.25", amount_due_usd: "0.00" }] });
    await customer.post("coupons/claim/", { code: "C" });
    await customer.use(day(8, 9), 1_010_000);
    customer.at(day(9, 8) + 1);
    await closeWithStripe(customer);
    // 0.50 less a fifth, and 0.25.
    expect(await customer.get("get_invoices/")).toMatchObject({
      results: [{ status: "issued", total_usd: "0.65", amount_due_usd: "0.65" }, {}],
    });
    const { id: organization_id } = customer.organization;
    const august = (await readInvoices(customer.world.table, organization_id)).find(({ period_start }) => period_start === day(8, 1));
    expect(august?.lines).toMatchObject([{}, { product: "carried", cents: 25, usage_type: null, carried_from: day(7, 1) }]);
    await stepInvoice(customer.world, { organization_id, period_start: day(8, 1) }, "void");
    await customer.use(day(9, 9), 1_100_000);
    customer.at(day(10, 8) + 1);
    await closeWithStripe(customer);
    expect(await customer.get("get_invoices/")).toMatchObject({
      results: [{ total_usd: "4.00" }, { status: "voided" }, { status: "paid" }],
    });
  });
  it("that none would follow is followed by one more, which nobody is asked to pay", async () => {
    const customer = await billingWorld(day(7, 9));
    await customer.post("activate/", { products: "product_analytics:" });
    await customer.use(day(7, 9), 1_005_000);
    await customer.post("deactivate/", { products: "product_analytics", cancel_at_period_end: true });
    customer.at(MADE);
    await closeWithStripe(customer);
    customer.at(day(12, 1));
    for (let times = 0; times < 3; times += 1) await closeWithStripe(customer);
    expect(await readInvoices(customer.world.table, customer.organization.id)).toMatchObject([
      { state: "voided", due_cents: 25, lines: [{ carried_from: day(7, 1) }] },
      { state: "paid", carried_cents: 25, due_cents: 0 },
    ]);
  });
});

describe("the last invoice of a customer who cancelled", () => {
  /** Cancelled on the 20th of July, whose invoice is made. */
  const cancelled = async () => {
    const customer = await inJuly();
    customer.at(day(7, 20));
    await customer.post("deactivate/", { products: "product_analytics" });
    customer.at(MADE);
    await customer.close();
    return customer;
  };
  type Customer = Awaited<ReturnType<typeof cancelled>>;
  const closeInAutumn = async (customer: Customer) => {
    for (const month of [9, 10, 11]) {
      customer.at(day(month, 8) + 1);
      await customer.close();
    }
    return readInvoices(customer.world.table, customer.organization.id);
  };

  it("bills what comes late, and none follows", async () => {
    const customer = await cancelled();
    await customer.use(day(7, 15), 1_000_000);
    expect(await customer.get("get_invoices/")).toMatchObject({ count: 1 });
    expect(await customer.get("")).toMatchObject({
      has_active_subscription: false,
      subscription_level: "free",
      current_total_amount_usd: "0.00",
      projected_total_amount_usd: "0.00",
    });
    expect(await closeInAutumn(customer)).toMatchObject([{ state: "overdue", due_cents: 3_430, lines: [{ late_of: day(7, 1) }] }, {}]);
    expect(await customer.get("get_invoices/")).toMatchObject({
      count: 2,
      results: [{ total_usd: "34.30", period_start: "2026-08-01T00:00:00Z" }, {}],
    });
  });
  it("leaves no trace where nothing comes late", async () => {
    const customer = await cancelled();
    expect(await closeInAutumn(customer)).toMatchObject([{ state: "overdue", due_cents: 9_288 }]);
    expect(customer.log.lines.filter(({ event }) => event === "invoice_dropped")).toEqual([]);
  });
  it("is noted and dropped where it comes to less than 50 cents", async () => {
    const customer = await cancelled();
    await customer.use(day(7, 15), 10_000);
    expect(await closeInAutumn(customer)).toMatchObject([
      { state: "voided", number: null, due_cents: 34, note: "It is the last invoice, and comes to less than 50 cents." },
      {},
    ]);
    expect(customer.log.lines.filter(({ event }) => event === "invoice_dropped")).toMatchObject([
      { fields: { organization: customer.organization.id, period_start: "2026-08-01T00:00:00Z" } },
    ]);
    expect(await customer.get("get_invoices/?status=open")).toMatchObject({ count: 1 });
  });
  it("gives back what is counted no more", async () => {
    const customer = await cancelled();
    await customer.use(day(7, 10), 2_000_000);
    expect(await closeInAutumn(customer)).toMatchObject([
      { state: "paid", subtotal_cents: -1_201, returned_cents: 1_201, due_cents: 0 },
      {},
    ]);
    expect(await customer.get("credits/overview/")).toMatchObject({ status: "active", balance_usd: "12.01" });
  });
  it("is as any other where something is subscribed again in its period", async () => {
    const customer = await cancelled();
    customer.at(day(8, 20));
    await stepInvoice(customer.world, { organization_id: customer.organization.id, period_start: day(7, 1) }, "pay");
    await customer.post("activate/", { products: "boost:" });
    const invoices = await closeInAutumn(customer);
    expect(invoices.map(({ state }) => state)).toEqual(["open", "issued", "overdue", "overdue", "paid"]);
  });
});

describe("credit", () => {
  it("pays the invoice of a period that it outlived, given credit before bought: 92.88 less 20 per cent, 20.00 and 30.00 leaves 24.30", async () => {
    const customer = await inJuly();
    await applyDocument(customer.world, { coupon_campaigns: [{ slug: "c", name: "C", kind: "percent", percent: 20, codes: ["C"] }] });
    await customer.post("coupons/claim/", { code: "C" });
    await customer.post("credits/purchase/", credit(30));
    await giveCredit(customer.world, customer.organization.id, { cents: 2_000, expires_at: day(8, 1) });
    customer.at(MADE);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({
      results: [{ total_usd: "74.30", amount_due_usd: "24.30", status: "issued" }],
    });
  });
  it("that more than pays an invoice leaves the rest: 20.00 and 54.30 of 80.00 leave 25.70", async () => {
    const customer = await inJuly();
    await applyDocument(customer.world, { coupon_campaigns: [{ slug: "c", name: "C", kind: "percent", percent: 20, codes: ["C"] }] });
    await customer.post("coupons/claim/", { code: "C" });
    await customer.post("credits/purchase/", credit(80));
    await giveCredit(customer.world, customer.organization.id, { cents: 2_000, expires_at: day(8, 1) });
    customer.at(MADE);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ amount_due_usd: "0.00", status: "paid" }] });
    expect(await customer.get("credits/overview/")).toMatchObject({ balance_usd: "25.70" });
  });
  it("that has expired is written off once, by an entry of its own", async () => {
    const customer = await billingWorld(day(7, 9));
    await giveCredit(customer.world, customer.organization.id, { cents: 2_000, expires_at: day(8, 1) });
    const entries = async () =>
      (await list(customer.world.table, CreditEntries, "key", { organization_id: customer.organization.id })).map(
        ({ delta_cents, reason }) => [delta_cents, reason],
      );
    customer.at(day(8, 1));
    await customer.close();
    expect(await customer.get("credits/overview/")).toMatchObject({ status: "expired", balance_usd: "0.00" });
    customer.at(day(8, 10));
    await Promise.all([customer.close(), customer.close()]);
    await customer.close();
    expect(await entries()).toEqual([
      [2_000, "grant"],
      [-2_000, "expiry"],
    ]);
  });
  it("bought by invoice is there once its payment is written down, and can be taken back", async () => {
    const customer = await billingWorld(day(7, 9));
    await customer.post("credits/purchase/", { ...credit(30), collection_method: "send_invoice" });
    const { grants } = await readCustomerState(customer.world.table, customer.organization.id);
    const [{ id } = { id: "" }] = grants;
    const owed = { organization_id: customer.organization.id, id: `rc_${id}` };
    for (const isPaid of [true, false]) expect(await stepReceivable(customer.world, owed, "pay")).toBe(isPaid);
    expect(await customer.get("credits/overview/")).toMatchObject({ status: "active", balance_usd: "30.00" });
    const taken = [
      await voidGrant(customer.world, customer.organization.id, id),
      await voidGrant(customer.world, customer.organization.id, id),
    ];
    expect(taken).toEqual([true, false]);
    expect(await customer.get("credits/overview/")).toMatchObject({ status: "voided", balance_usd: "0.00" });
  });
});

describe("a subscription", () => {
  it("that is cancelled with its period goes on until then, and no invoice follows", async () => {
    const customer = await inJuly();
    const ended = await customer.post("deactivate/", { products: "product_analytics", cancel_at_period_end: true });
    expect(ended).toMatchObject({ status: 200, json: { has_active_subscription: true, subscription_level: "paid" } });
    await customer.use(day(7, 31), 1_000_000);
    customer.at(day(8, 1));
    expect(await customer.get("")).toMatchObject({ has_active_subscription: false, billing_plan: "free" });
    customer.at(day(10, 9));
    for (let times = 0; times < 3; times += 1) await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ count: 1, results: [{ total_usd: "127.18" }] });
    expect((await readCustomerState(customer.world.table, customer.organization.id)).subscription).toMatchObject({ state: "ended" });
  });
  it("that is activated again before its period ends goes on", async () => {
    const customer = await billingWorld(day(7, 1));
    await customer.post("activate/", { products: "teams:" });
    await customer.post("deactivate/", { products: "teams", cancel_at_period_end: "true" });
    const subscribed = async () => (await readCustomerState(customer.world.table, customer.organization.id)).subscription;
    expect(await subscribed()).toMatchObject({ state: "canceling" });
    await customer.post("activate/", { products: "teams:" });
    expect(await subscribed()).toMatchObject({ state: "active", items: [{ until: null }] });
    customer.at(MADE);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ total_usd: "750.00" }] });
    expect(await customer.get("")).toMatchObject({ has_active_subscription: true });
  });
  it("has its fee for the whole period that it was cancelled with", async () => {
    const customer = await billingWorld(day(7, 1));
    await customer.post("activate/", { products: "teams:" });
    await customer.post("deactivate/", { products: "teams", cancel_at_period_end: true });
    customer.at(MADE);
    await customer.close();
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ total_usd: "750.00" }] });
  });
  it("ends when an invoice of it is written off", async () => {
    const customer = await inJuly();
    customer.at(MADE);
    await customer.close();
    customer.at(MADE + 14 * 86_400_000);
    await customer.close();
    const july = { organization_id: customer.organization.id, period_start: day(7, 1) };
    expect(await stepInvoice(customer.world, july, "write_off")).toBe(true);
    expect(await customer.get("")).toMatchObject({ has_active_subscription: false, deactivated: false });
    expect((await readCustomerState(customer.world.table, customer.organization.id)).account).toMatchObject({ status: "free" });
  });
  it("stays while its account is suspended, which the overview tells", async () => {
    const customer = await inJuly();
    expect(await setSuspension(customer.world, customer.organization.id, "suspended")).toBe("suspended");
    expect(await customer.get("")).toMatchObject({ deactivated: true, has_active_subscription: true });
    expect(await customer.get("credits/overview/")).toMatchObject({ eligible: false });
    expect(await setSuspension(customer.world, customer.organization.id, "resumed")).toBe("paid");
    expect(await customer.get("")).toMatchObject({ deactivated: false });
  });
});

describe("a trial", () => {
  it.each([
    ["standard", "expired", "free"],
    ["autosubscribe", "converted", "paid"],
  ])("of type %s is %s at its end", async (type, status, subscription_level) => {
    const customer = await billingWorld(day(7, 9));
    await customer.post("trials/activate/", { type, target: "paid" });
    expect(await customer.get("")).toMatchObject({ trial: { status: "active" }, free_trial_until: "2026-08-08T00:00:00Z" });
    customer.at(day(8, 8));
    await Promise.all([customer.close(), customer.close()]);
    expect(await customer.get("")).toMatchObject({ trial: { status }, free_trial_until: null, subscription_level });
  });
});
