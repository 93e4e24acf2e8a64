import { expect, it } from "vitest";
import { notices, sendNotices } from "../../../functions/notices/schedule.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { aStripe, SECRET_KEY } from "../../support/fakes/stripe.ts";
import { CARD } from "../../support/fakes/stripe-account.ts";
import { signatureOf, WEBHOOK_SECRET } from "../../support/fakes/stripe-server.ts";
import { aWebhookReceiver } from "../../support/fakes/webhook-receiver.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const stripe = aStripe();
const receiver = aWebhookReceiver();
const MADE = day(8, 8) + 1;

/** A customer with a card and an endpoint, whose first invoice is to be made. */
const aCustomer = async () => {
  const customer = await billingWorld(day(7, 9), {
    ...{ paymentProvider: "stripe", stripeUrl: stripe.place.url, stripeSecretKey: SECRET_KEY, stripeWebhookSecret: WEBHOOK_SECRET },
    webhookHosts: "127.0.0.1",
  });
  const { clientSecret } = Object((await customer.post("activate/authorize/", {})).json);
  const [authorization = ""] = String(clientSecret).split("_secret_");
  Object.assign(stripe.intents.get(authorization) ?? {}, { status: "requires_capture", payment_method: CARD });
  await customer.post("activate/authorize/status/", { payment_intent_id: clientSecret });
  await customer.post("activate/", { products: "teams:" });
  await customer.call("POST", "webhooks/", { body: { url: receiver.state.url, events: ["billing.payment"] } });
  receiver.heard.length = 0;
  const mail = { send: async () => undefined };
  return { ...customer, send: () => asFunction(notices, () => sendNotices({ ...customer.world, mail }, { remainingMs: () => 60_000 })) };
};

it("payments that fail, succeed and are given back are told once each, also of credit that is bought", async () => {
  const customer = await aCustomer();
  stripe.state.isCardDeclined = true;
  customer.at(MADE);
  await customer.close();
  stripe.state.isCardDeclined = false;
  customer.at(MADE + DAY_MS);
  for (const _ of [1, 2]) await customer.close();
  const paid = [...stripe.intents.values()].findLast(({ status }) => status === "succeeded");
  if (paid === undefined) throw new Error("a payment was made");
  stripe.refund(paid, 100);
  const body = JSON.stringify(stripe.events.findLast(({ type }) => type === "charge.refunded"));
  const headers = { "content-type": "application/json", "stripe-signature": signatureOf(body, MADE + DAY_MS) };
  for (const _ of [1, 2]) await customer.call("POST", "webhooks/stripe/", { key: "", body, headers });
  const order = { annual_amount_usd: 100, discount_percent: 0, collection_method: "charge_automatically" };
  await customer.post("credits/purchase/", order);
  await customer.send();
  const [invoice] = Object(await customer.get("get_invoices/")).results;
  const heard = receiver.heard.map((call) => JSON.parse(call.body));
  expect(new Set(heard.map(({ type, id }) => `${type} ${id}`)).size).toBe(4);
  const ofInvoice = { invoice_id: invoice.id, receivable_id: null, amount_usd: "556.45", disputed_usd: "0.00" };
  const told = heard
    .map(({ data }) => data)
    .toSorted((a, b) => (`${a.receivable_id}${a.status}` < `${b.receivable_id}${b.status}` ? -1 : 1));
  expect(told).toMatchObject([
    { ...ofInvoice, id: `${invoice.id}_1`, status: "failed", error: "Your card was declined." },
    { ...ofInvoice, id: `${invoice.id}_2`, status: "refunded", refunded_usd: "1.00" },
    { ...ofInvoice, id: `${invoice.id}_2`, status: "succeeded", refunded_usd: "0.00", error: null },
    { invoice_id: null, receivable_id: expect.stringMatching(/^rc_/), status: "succeeded", amount_usd: "100.00" },
  ]);
});

it("a payment that failed because of the deployment itself is told to its operator, and to nobody else", async () => {
  const customer = await aCustomer();
  stripe.faults.push("not taken");
  customer.at(MADE);
  await customer.close();
  await customer.send();
  expect(customer.log.lines.filter(({ event }) => event === "payment_not_taken")).toHaveLength(1);
  expect(receiver.heard).toEqual([]);
});
