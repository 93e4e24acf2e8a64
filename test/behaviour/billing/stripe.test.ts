import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { CreditEntries } from "../../../lib/billing/customer/credit-grant.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { stepInvoice } from "../../../lib/billing/invoices.ts";
import { readPayments, readReceivables } from "../../../lib/billing/payments.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/core/time.ts";
import { list } from "../../../lib/table/store.ts";
import { aStripe, SECRET_KEY } from "../../support/fakes/stripe.ts";
import { CARD, OTHER_CARD, type Outcome } from "../../support/fakes/stripe-account.ts";
import { signatureOf, WEBHOOK_SECRET } from "../../support/fakes/stripe-server.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const stripe = aStripe();

const aCustomer = () =>
  billingWorld(day(7, 9), {
    paymentProvider: "stripe",
    stripeUrl: stripe.place.url,
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
  Object.assign(stripe.intents.get(id) ?? {}, { status: "requires_capture", payment_method: CARD });
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
    Object.assign(stripe.intents.get(id) ?? {}, { last_payment_error: { message: "Your card was declined." } });
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
    Object.assign(stripe.intents.get(id) ?? {}, { status: "requires_capture", payment_method: CARD });
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
    Object.assign(stripe.intents.get(id) ?? {}, { status: "requires_capture", payment_method: CARD });
    stripe.state.isCancellingDown = true;
    await customer.post("activate/authorize/status/", { payment_intent_id: id });
    Object.assign(stripe.intents.get(id) ?? {}, { status: "canceled" });
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
    customer.at(MADE + HOUR_MS);
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
  it.each([
    ["without an end", (response: ServerResponse) => void endless(response.writeHead(200))],
    ["that leads elsewhere", (response: ServerResponse) => response.writeHead(302, { location: stripe.place.url }).end("{}")],
    ["of nothing", (response: ServerResponse) => response.writeHead(200).end("{}")],
    ["of another kind", (response: ServerResponse) => response.writeHead(200).end('[{"id":5}]')],
  ])("502: an answer %s is none", async (_, answer) => {
    const server = createServer((_, response) => void answer(response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    // A listening server of this kind has an address of this kind.
    const stripeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const customer = await billingWorld(day(7, 9), { paymentProvider: "stripe", stripeUrl, stripeSecretKey: SECRET_KEY });
    expect(await customer.post("activate/authorize/", {})).toMatchObject({ status: 502, json: { code: "billing_service_error" } });
    server.closeAllConnections();
    server.close();
  });
  it("the portal is the provider's", async () => {
    const customer = await aCustomer();
    await authorized(customer);
    expect(await customer.get("portal/")).toEqual({ success: true, url: "https://billing.stripe.test/cus_stripe" });
  });
});

const endless = async (response: ServerResponse): Promise<void> => {
  while (!response.destroyed) {
    response.write(Buffer.alloc(100_000, " "));
    await new Promise(setImmediate);
  }
};

/** A customer whose first invoice was made, and how its payment came out. */
const invoiced = async (...outcomes: readonly Outcome[]) => {
  const customer = await aCustomer();
  await authorized(customer);
  await customer.post("activate/", { products: "teams:" });
  stripe.outcomes.push(...outcomes);
  const close = async (at: number): Promise<void> => {
    stripe.time.now = at;
    customer.at(at);
    await customer.close().catch(() => undefined);
  };
  await close(MADE);
  const { world, organization } = customer;
  const july = { organization_id: organization.id, period_start: day(7, 1) };
  const told = async (body: string | Uint8Array, signature = signatureOf(Buffer.from(body).toString(), world.clock.now())) =>
    customer.call("POST", "webhooks/stripe/", {
      key: "",
      body,
      headers: { "content-type": "application/json", "stripe-signature": signature },
    });
  return {
    ...customer,
    close,
    july,
    told,
    /** Has the provider tell what it told by itself last, of a type. */
    hears: async (type: string) => told(JSON.stringify(stripe.events.findLast((event) => event.type === type))),
    intents: () => [...stripe.intents.values()].filter(({ metadata }) => metadata.organization_id === organization.id),
    status: async () => Object(await customer.get("get_invoices/")).results.at(-1).status,
    payments: () => readPayments(world.table, organization.id),
    alarms: () => customer.log.lines.filter(({ event }) => event.startsWith("payment_")).map(({ event }) => event),
    balance: async () => Object(await customer.get("credits/overview/")).balance_usd,
  };
};

describe("an attempt to collect", () => {
  it("that takes its time blocks the next, is asked about until it ends, and pays once", async () => {
    const customer = await invoiced("processing");
    for (const hours of [1, 2, 30, 120]) await customer.close(MADE + hours * HOUR_MS);
    expect([await customer.status(), customer.intents().length]).toEqual(["issued", 1]);
    const [intent] = customer.intents();
    if (intent !== undefined) stripe.finish(intent, "succeeded");
    await customer.close(MADE + 121 * HOUR_MS);
    for (const _ of [1, 2]) expect(await customer.hears("payment_intent.succeeded")).toMatchObject({ status: 200 });
    expect([await customer.status(), await customer.balance(), customer.alarms()]).toEqual(["paid", "0.00", []]);
    expect(await customer.payments()).toMatchObject([{ number: 1, state: "succeeded", cents: 55_645, intent_id: intent?.id }]);
  });
  it("keeps of what Stripe says about its failure the beginning, in whole characters", async () => {
    const customer = await invoiced("processing");
    const [intent] = customer.intents();
    const last_payment_error = { message: `${"x".repeat(499)}\u{1f600}${"y".repeat(400_000)}` };
    const object = { ...intent, status: "requires_payment_method", last_payment_error };
    const notice = JSON.stringify({ type: "payment_intent.payment_failed", data: { object } });
    expect(await customer.told(notice)).toMatchObject({ status: 200 });
    expect(await customer.payments()).toMatchObject([{ state: "failed", error: `${"x".repeat(499)}\ufffd` }]);
  });
  it("whose failure is told again while the next one runs fails nothing", async () => {
    const customer = await invoiced("declined", "processing");
    const failure = JSON.stringify(stripe.events.findLast(({ type }) => type === "payment_intent.payment_failed"));
    await customer.close(MADE + DAY_MS);
    expect(await customer.status()).toBe("issued");
    expect(await customer.told(failure)).toMatchObject({ status: 200 });
    expect(await customer.status()).toBe("issued");
    expect(await customer.payments()).toMatchObject([
      { number: 1, state: "failed", failure: "declined" },
      { number: 2, state: "processing" },
    ]);
  });
  it("that succeeds after all pays, and what the next one collected beside it becomes credit and an alarm", async () => {
    const customer = await invoiced("declined", "processing");
    await customer.close(MADE + DAY_MS);
    const [first, second] = customer.intents();
    if (first === undefined || second === undefined) throw new Error("two payments were begun");
    stripe.collectLate(first);
    await customer.hears("payment_intent.succeeded");
    expect([await customer.status(), await customer.balance()]).toEqual(["paid", "0.00"]);
    stripe.finish(second, "succeeded");
    for (const _ of [1, 2]) await customer.hears("payment_intent.succeeded");
    expect([await customer.status(), await customer.balance(), customer.alarms()]).toEqual(["paid", "556.45", ["payment_surplus"]]);
    expect(customer.counted).toEqual(["PaymentsToReview"]);
    const { grants } = await readCustomerState(customer.world.table, customer.organization.id);
    expect(grants).toMatchObject([{ source: "refund", expires_at: null, priority: 1, cents: 55_645 }]);
    stripe.refund(second, 1_000_000);
    await customer.hears("charge.refunded");
    expect(await customer.balance()).toBe("0.00");
  });
  it.each([
    ["all", 55_645, "0.00"],
    ["a part", 10_000, "456.45"],
  ])(
    "that became credit, was used and is refunded, %s of it, is no credit again when the invoice that used it is voided",
    async (_, refunded, left) => {
      const customer = await invoiced("processing", "processing");
      await customer.close(MADE + 14 * DAY_MS);
      await stepInvoice(customer.world, customer.july, "void");
      const [intent] = customer.intents();
      if (intent === undefined) throw new Error("a payment was begun");
      stripe.finish(intent, "succeeded");
      await customer.close(MADE + 15 * DAY_MS);
      await customer.close(MADE + 31 * DAY_MS);
      expect(await customer.get("get_invoices/?status=open")).toMatchObject({
        results: [{ total_usd: "750.00", amount_due_usd: "193.55" }],
      });
      stripe.refund(intent, refunded);
      for (const _ of [1, 2]) await customer.hears("charge.refunded");
      await stepInvoice(customer.world, { ...customer.july, period_start: day(8, 1) }, "void");
      expect(await customer.balance()).toBe(left);
      const entries = await list(customer.world.table, CreditEntries, "key", { organization_id: customer.organization.id });
      expect((entries.reduce((sum, { delta_cents }) => sum + delta_cents, 0) / 100).toFixed(2)).toBe(left);
    },
  );
  it.each([
    ["void", "voided", "556.45", ["payment_surplus"]],
    ["write_off", "paid", "0.00", []],
  ] as const)("that succeeds after a %s leaves the invoice %s and %s dollars of credit", async (step, status, balance, alarms) => {
    const customer = await invoiced("processing");
    await customer.close(MADE + 14 * DAY_MS);
    expect(await customer.status()).toBe("overdue");
    await stepInvoice(customer.world, customer.july, step);
    const [intent] = customer.intents();
    if (intent !== undefined) stripe.finish(intent, "succeeded");
    await customer.close(MADE + 15 * DAY_MS);
    expect([await customer.status(), await customer.balance(), customer.alarms()]).toEqual([status, balance, alarms]);
  });
  it.each(["lost", "reset", "busy", "in flight", "no key", "delayed"] as const)(
    "whose answer is %s is made again under its key, and charged once",
    async (fault) => {
      const customer = await invoiced();
      const september = MADE + 31 * DAY_MS;
      stripe.faults.push(fault);
      await customer.close(september);
      stripe.catchUp();
      await customer.close(september + HOUR_MS);
      await customer.close(september + 26 * HOUR_MS);
      const results = Object(await customer.get("get_invoices/")).results;
      expect(results.map(({ status }: { readonly status: string }) => status)).toEqual(["paid", "paid"]);
      expect(customer.intents()).toHaveLength(2);
      expect(stripe.violations).toEqual([]);
    },
  );
  it("without an answer is made again with the card of its first call, whatever card was authorized since", async () => {
    const customer = await invoiced();
    const september = MADE + 31 * DAY_MS;
    stripe.faults.push("lost");
    await customer.close(september);
    const { clientSecret } = Object((await customer.post("activate/authorize/", {})).json);
    const [id = ""] = String(clientSecret).split("_secret_");
    Object.assign(stripe.intents.get(id) ?? {}, { status: "requires_capture", payment_method: OTHER_CARD });
    await customer.post("activate/authorize/status/", { payment_intent_id: id });
    await customer.close(september + HOUR_MS);
    expect(stripe.violations).toEqual([]);
    expect((await customer.payments()).map(({ state, method_id }) => [state, method_id])).toEqual([
      ["succeeded", CARD],
      ["succeeded", CARD],
    ]);
  });
  it("without an answer is looked for when its key is forgotten, and not made blindly", async () => {
    const customer = await invoiced();
    stripe.faults.push("lost");
    const september = MADE + 31 * DAY_MS;
    await customer.close(september);
    stripe.state.isDown = true;
    await customer.close(september + HOUR_MS);
    stripe.state.isDown = false;
    await customer.close(september + 30 * HOUR_MS);
    expect(customer.intents()).toHaveLength(2);
    const statuses = Object(await customer.get("get_invoices/")).results.map(({ status }: { readonly status: string }) => status);
    expect([statuses, stripe.violations]).toEqual([["paid", "paid"], []]);
  });
  it("that Stripe does not take is not made again before somebody says so: the invoice waits, and an alarm tells", async () => {
    const customer = await invoiced();
    const september = MADE + 31 * DAY_MS;
    stripe.faults.push("not taken");
    await customer.close(september);
    await customer.close(september + 3 * DAY_MS);
    expect(customer.alarms()).toEqual(["payment_not_taken"]);
    expect(await customer.payments()).toMatchObject([{ state: "succeeded" }, { state: "failed", failure: "ours" }]);
    const statuses = async () => Object(await customer.get("get_invoices/")).results.map(({ status }: { status: string }) => status);
    expect(await statuses()).toEqual(["issued", "paid"]);
    await stepInvoice(customer.world, { ...customer.july, period_start: day(8, 1) }, "retry");
    await customer.close(september + 3 * DAY_MS);
    expect(await statuses()).toEqual(["paid", "paid"]);
  });
  it("refunds and disputes are kept with it, in whatever order they are told, and the invoice stays paid", async () => {
    const customer = await invoiced();
    const [intent] = customer.intents();
    if (intent === undefined) throw new Error("a payment was made");
    stripe.refund(intent, 100);
    stripe.refund(intent, 1_000_000);
    stripe.dispute(intent);
    for (const event of stripe.events.filter(({ type }) => /refund|dispute/.test(type)).toReversed())
      for (const _ of [1, 2]) expect(await customer.told(JSON.stringify(event))).toMatchObject({ status: 200 });
    expect(await customer.payments()).toMatchObject([{ state: "succeeded", refunded_cents: 55_645, disputed_cents: 55_645 }]);
    expect([await customer.status(), await customer.balance(), customer.alarms()]).toEqual(["paid", "0.00", ["payment_disputed"]]);
    stripe.closeDispute(intent, "won");
    await customer.hears("charge.dispute.closed");
    expect(await customer.payments()).toMatchObject([{ disputed_cents: 0 }]);
  });
});

describe("credit that is bought", () => {
  it("and whose payment has no answer waits for it, and is owed for once", async () => {
    const customer = await aCustomer();
    await authorized(customer);
    stripe.faults.push("lost");
    expect(await customer.post("credits/purchase/", order, "one")).toMatchObject({ status: 200, json: { status: "pending" } });
    expect(await customer.post("credits/purchase/", order, "one")).toMatchObject({ status: 200, json: { status: "active" } });
    const { world, organization } = customer;
    expect(await readReceivables(world.table, organization.id)).toMatchObject([{ state: "paid", cents: 10_000, kind: "credit_purchase" }]);
    expect(await readPayments(world.table, organization.id)).toHaveLength(1);
  });
  it("502: and that Stripe does not take is not bought, which an alarm tells", async () => {
    const customer = await aCustomer();
    await authorized(customer);
    stripe.faults.push("not taken");
    expect(await customer.post("credits/purchase/", order)).toMatchObject({ status: 502, json: { code: "billing_service_error" } });
    expect(await readReceivables(customer.world.table, customer.organization.id)).toMatchObject([{ state: "voided" }]);
    expect(customer.counted).toEqual(["PaymentsToReview"]);
  });
});

describe("POST /api/billing/webhooks/stripe/", () => {
  it("200: what is signed is believed; 400: anything else is not read", async () => {
    const customer = await invoiced("processing");
    const [intent] = customer.intents();
    if (intent !== undefined) stripe.finish(intent, "succeeded");
    const body = JSON.stringify(stripe.events.at(-1));
    for (const wrong of [
      "",
      "t=1,v1=00",
      signatureOf(`${body} `, MADE),
      signatureOf(body, MADE, "other"),
      signatureOf(body, MADE - 400_000),
    ])
      for (const sent of [body, "no JSON", `{"deep": ${"[".repeat(1_000)}`])
        expect(await customer.told(sent, wrong)).toMatchObject({ status: 400, json: { code: "invalid_input" } });
    expect(await customer.status()).toBe("issued");
    expect(await customer.told(body)).toMatchObject({ status: 200, json: { received: true } });
    expect(await customer.status()).toBe("paid");
  });
  it.each([
    "no JSON",
    "null",
    "[]",
    "{}",
    '{"type": "payment_intent.succeeded"}',
    '{"type": "payment_intent.succeeded", "data": {"object": 1}}',
  ])("400: %s is signed and no event, and nothing of ours is told", async (body) => {
    const customer = await invoiced();
    const answer = await customer.told(body);
    expect(answer).toMatchObject({ status: 400, json: { code: "parse_error" } });
    expect(Object(answer.json).detail).toBe("JSON parse error - this is signed, and no event of the payment provider.");
  });
  it("200: what is of another type, or of no payment of ours, is heard and left", async () => {
    const customer = await invoiced();
    for (const [type, object] of [
      ["customer.created", { id: "cus_1" }],
      ["charge.refunded", { id: "ch_1", payment_intent: null }],
      ["payment_intent.succeeded", { id: "pi_other", status: "succeeded", amount_received: 100, metadata: {} }],
      ...["in_1", "half \ud83d", "a#b"].map((id) => {
        const metadata = { organization_id: customer.organization.id, kind: "invoice", id, attempt: "1" };
        return ["payment_intent.succeeded", { id: "pi_named", status: "succeeded", amount_received: 100, metadata }] as const;
      }),
    ] as const)
      expect(await customer.told(JSON.stringify({ type, data: { object } }))).toMatchObject({ status: 200 });
    expect(await customer.payments()).toHaveLength(1);
  });
  it("413: more than a megabyte is not read", async () => {
    const customer = await invoiced();
    expect(await customer.told(" ".repeat(1_000_001))).toMatchObject({ status: 413, json: { code: "payload_too_large" } });
  });
});
