import { beforeEach, describe, expect, it } from "vitest";
import { aStripe, CARD, SECRET_KEY, signatureOf, WEBHOOK_SECRET } from "../../support/fakes/stripe.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const stripe = aStripe();

const aCustomer = () =>
  billingWorld(day(7, 9), {
    paymentProvider: "stripe",
    stripeUrl: stripe.state.url,
    stripeSecretKey: SECRET_KEY,
    stripeWebhookSecret: WEBHOOK_SECRET,
  });
type Customer = Awaited<ReturnType<typeof aCustomer>>;

const order = { annual_amount_usd: 100, discount_percent: 0, collection_method: "charge_automatically" };
const MADE = day(8, 8) + 1;

/** Authorizes a card, as its page at the provider would. */
const authorized = async (customer: Customer): Promise<void> => {
  const { clientSecret } = Object((await customer.post("activate/authorize/", {})).json);
  const id = String(clientSecret).split("_secret_")[0] ?? "";
  stripe.intents.set(id, { ...stripe.intents.get(id), status: "requires_capture", payment_method: CARD });
  expect((await customer.post("activate/authorize/status/", { payment_intent_id: clientSecret })).json).toEqual({ status: "success" });
};

beforeEach(() => Object.assign(stripe.state, { isCardDeclined: false, isDown: false, isCancellingDown: false }));

describe("with Stripe", () => {
  it("nothing is subscribed before a card is authorized", async () => {
    const customer = await aCustomer();
    expect(await customer.post("activate/", { products: "surveys:" })).toMatchObject({
      status: 400,
      json: { code: "payment_method_required" },
    });
    const { clientSecret } = Object((await customer.post("activate/authorize/", {})).json);
    expect(clientSecret).toMatch(/^pi_\d+_secret_/);
    const asked = { payment_intent_id: clientSecret };
    expect((await customer.post("activate/authorize/status/", asked)).json).toEqual({ status: "pending" });
    await authorized(customer);
    expect((await customer.post("activate/", { products: "surveys:" })).status).toBe(200);
  });
  it("a card that is refused is said to be", async () => {
    const customer = await aCustomer();
    const { clientSecret } = Object((await customer.post("activate/authorize/", {})).json);
    const id = String(clientSecret).split("_secret_")[0] ?? "";
    stripe.intents.set(id, { ...stripe.intents.get(id), last_payment_error: { message: "Your card was declined." } });
    const answer = await customer.post("activate/authorize/status/", { payment_intent_id: id });
    expect(answer.json).toEqual({ status: "failed", error: "Your card was declined." });
  });
  it("credit is there once it is paid, and is charged once", async () => {
    const customer = await aCustomer();
    await authorized(customer);
    const bought = await customer.post("credits/purchase/", order, "one");
    expect(bought).toMatchObject({ status: 200, json: { status: "active" } });
    await customer.post("credits/purchase/", order, "one");
    expect(await customer.get("credits/overview/")).toMatchObject({ balance_usd: "100.00" });
    stripe.state.isCardDeclined = true;
    expect(await customer.post("credits/purchase/", order)).toMatchObject({ status: 400, json: { code: "payment_failed" } });
    expect(await customer.get("credits/overview/")).toMatchObject({ balance_usd: "100.00" });
  });
  it("an invoice is collected when it is made, and is unpaid while its card is refused", async () => {
    for (const isCardDeclined of [false, true]) {
      const customer = await aCustomer();
      await authorized(customer);
      await customer.post("activate/", { products: "teams:" });
      stripe.state.isCardDeclined = isCardDeclined;
      customer.at(MADE);
      await Promise.all([customer.close(), customer.close()]);
      const status = isCardDeclined ? "payment_failed" : "paid";
      expect(await customer.get("get_invoices/")).toMatchObject({ count: 1, results: [{ status }] });
    }
  });
  it("what was held of a card to authorize it is given back", async () => {
    const customer = await aCustomer();
    await authorized(customer);
    expect([...stripe.intents.values()].at(-1)).toMatchObject({ status: "canceled" });
    const [id] = [...stripe.intents.keys()].slice(-1);
    expect((await customer.post("activate/authorize/status/", { payment_intent_id: id })).json).toEqual({ status: "success" });
  });
  it("what could not be given back at once is given back by a later hour, and until then is seen", async () => {
    const customer = await aCustomer();
    const { clientSecret } = Object((await customer.post("activate/authorize/", {})).json);
    const [id = ""] = String(clientSecret).split("_secret_");
    stripe.intents.set(id, { ...stripe.intents.get(id), status: "requires_capture", payment_method: CARD });
    stripe.state.isCancellingDown = true;
    expect((await customer.post("activate/authorize/status/", { payment_intent_id: id })).json).toEqual({ status: "success" });
    expect(stripe.intents.get(id)).toMatchObject({ status: "requires_capture" });
    await expect(customer.close()).rejects.toThrow("1 of 1 things that were due failed");
    stripe.state.isCancellingDown = false;
    await customer.close();
    expect(stripe.intents.get(id)).toMatchObject({ status: "canceled" });
    const asked = stripe.calls.length;
    await customer.close();
    expect(stripe.calls).toHaveLength(asked);
  });
  it("what Stripe gave back by itself meanwhile is not asked for for ever", async () => {
    const customer = await aCustomer();
    const { clientSecret } = Object((await customer.post("activate/authorize/", {})).json);
    const [id = ""] = String(clientSecret).split("_secret_");
    stripe.intents.set(id, { ...stripe.intents.get(id), status: "requires_capture", payment_method: CARD });
    stripe.state.isCancellingDown = true;
    await customer.post("activate/authorize/status/", { payment_intent_id: id });
    stripe.intents.set(id, { ...stripe.intents.get(id), status: "canceled" });
    stripe.state.isCancellingDown = false;
    await customer.close();
    const asked = stripe.calls.length;
    await customer.close();
    expect(stripe.calls).toHaveLength(asked);
  });
  it("an invoice whose card was refused is tried again after a day, three and five more, and is overdue after a fortnight", async () => {
    for (const healsAt of [1, 4, 9, null]) {
      stripe.state.isCardDeclined = true;
      const customer = await aCustomer();
      await authorized(customer);
      await customer.post("activate/", { products: "teams:" });
      const statusAt = async (days: number) => {
        customer.at(MADE + days * 86_400_000);
        stripe.state.isCardDeclined = healsAt === null || days < healsAt;
        await customer.close();
        return Object(await customer.get("get_invoices/")).results[0].status;
      };
      const before = stripe.calls.filter(({ form }) => form.confirm === "true").length;
      const statuses = [];
      for (const days of [0, 0.5, 1, 3.9, 4, 8.9, 9, 13.9, 14]) statuses.push(await statusAt(days));
      const attempts = stripe.calls.filter(({ form }) => form.confirm === "true").length - before;
      const paidFrom = healsAt === null ? 9 : { 1: 2, 4: 4, 9: 6 }[healsAt];
      const expected = statuses.map((_, at) =>
        at >= (paidFrom ?? 9) ? "paid" : healsAt === null && at === 8 ? "overdue" : "payment_failed",
      );
      expect([healsAt, attempts, ...statuses]).toEqual([healsAt, { 1: 2, 4: 3, 9: 4 }[healsAt ?? 9], ...expected]);
    }
  });
  it("an invoice that was made while the provider was down is collected when it is back, once", async () => {
    const customer = await aCustomer();
    await authorized(customer);
    await customer.post("activate/", { products: "teams:" });
    customer.at(MADE);
    stripe.state.isDown = true;
    await expect(customer.close()).rejects.toThrow("failed");
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ status: "issued" }] });
    stripe.state.isDown = false;
    await Promise.all([customer.close(), customer.close()]);
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ status: "paid" }] });
    const charges = stripe.calls.filter(
      ({ form }) => form["metadata[organization_id]"] === customer.organization.id && form.confirm === "true",
    );
    expect(new Set(charges.map(({ key }) => key)).size).toBe(1);
  });
  it("502: an answer that is none is told, and nothing is written", async () => {
    const customer = await aCustomer();
    stripe.state.isDown = true;
    expect(await customer.post("activate/authorize/", {})).toMatchObject({
      status: 502,
      json: { code: "billing_service_error", attr: null },
    });
  });
  it("the portal is the provider's", async () => {
    const customer = await aCustomer();
    await authorized(customer);
    expect(await customer.get("portal/")).toEqual({ success: true, url: "https://billing.stripe.test/cus_stripe" });
  });
});

describe("POST /api/billing/webhooks/stripe/", () => {
  it("200: what is signed is believed, once; 400: anything else is not", async () => {
    const customer = await aCustomer();
    await authorized(customer);
    await customer.post("activate/", { products: "teams:" });
    stripe.state.isCardDeclined = true;
    customer.at(MADE);
    await customer.close();
    const metadata = { organization_id: customer.organization.id, kind: "invoice", id: String(day(7, 1)) };
    const body = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded", data: { object: { id: "pi_1", metadata } } });
    const told = (signature: string) =>
      customer.call("POST", "webhooks/stripe/", {
        key: "",
        body,
        headers: { "content-type": "application/json", "stripe-signature": signature },
      });
    for (const wrong of [
      "",
      "t=1,v1=00",
      signatureOf(`${body} `, MADE),
      signatureOf(body, MADE, "other"),
      signatureOf(body, MADE - 400_000),
    ])
      expect(await told(wrong)).toMatchObject({ status: 400, json: { code: "invalid_input" } });
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ status: "payment_failed" }] });
    for (const _ of [1, 2]) expect(await told(signatureOf(body, MADE))).toMatchObject({ status: 200, json: { received: true } });
    expect(await customer.get("get_invoices/")).toMatchObject({ results: [{ status: "paid" }] });
  });
});
