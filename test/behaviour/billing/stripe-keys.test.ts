import { expect, it } from "vitest";
import { newAttempt } from "../../../lib/billing/payments/payment-attempt.ts";
import { stripe as openStripe } from "../../../lib/billing/payments/stripe.ts";
import { MINUTE_MS, SECOND_MS } from "../../../lib/core/time.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { aStripe, SECRET_KEY } from "../../support/fakes/stripe.ts";
import { signatureOf } from "../../support/fakes/stripe-server.ts";
import { heldSecrets } from "../../support/held-secrets.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const stripe = aStripe();

/** A customer of a deployment that reads its two secrets where the test keeps them, by the test's clock. */
const aCustomer = async (text: string | Error) => {
  const { store, time, log, secretOf } = heldSecrets(text);
  const settings: Readonly<Record<string, string>> = { paymentProvider: "stripe", stripeUrl: stripe.place.url };
  const customer = await billingWorld(day(7, 9), {}, { config: readConfig((field) => settings[field], secretOf) });
  return { ...customer, store, time, lines: log.lines };
};

it("a key that Stripe refuses is read anew, so that the next call is made with the one that took its place", async () => {
  const { post, store, time } = await aCustomer("sk_of_old");
  const refused = { status: 502, json: { code: "billing_service_error" } };
  expect(await post("activate/authorize/", {})).toMatchObject(refused);
  store.text = SECRET_KEY;
  expect(await post("activate/authorize/", {})).toMatchObject(refused);
  time.now += 10 * SECOND_MS;
  expect(await post("activate/authorize/", {})).toMatchObject({ status: 200 });
});

it("503 while the key cannot be read; a line names the parameter", async () => {
  const { post, store, time, lines } = await aCustomer(new Error("the parameter store answered 400: AccessDeniedException"));
  expect(await post("activate/authorize/", {})).toMatchObject({ status: 503, json: { code: "service_unavailable" } });
  expect(lines).toMatchObject([{ event: "secret.unread", fields: { setting: "stripeSecretKey", name: "/platform/stripeSecretKey" } }]);
  store.text = SECRET_KEY;
  time.now += 10 * SECOND_MS;
  expect(await post("activate/authorize/", {})).toMatchObject({ status: 200 });
});

it("a payment is neither made nor failed while the key cannot be read, and somebody hears of it", async () => {
  const { secretOf } = heldSecrets(new Error("AccessDeniedException"));
  const provider = openStripe(readConfig((field) => (field === "stripeUrl" ? stripe.place.url : undefined), secretOf));
  const subject = { organization_id: "o1", kind: "invoice", subject_id: "1" } as const;
  const attempt = newAttempt(subject, [], { cents: 100, customer_id: "cus_1", method_id: "pm_1" }, day(7, 9));
  const unknown = { state: "unknown", failure: "ours", error: expect.stringContaining("stripeSecretKey") };
  expect([await provider.charge(attempt), await provider.find(attempt), await provider.retrieve("pi_1")]).toMatchObject([
    unknown,
    unknown,
    unknown,
  ]);
});

it("a notice counts by the secret that is kept now: another one is noticed after five minutes", async () => {
  const { call, store, time } = await aCustomer("whsec_of_old");
  const body = JSON.stringify({ type: "other.event", data: { object: {} } });
  const notice = async (secret: string) =>
    (
      await call("POST", "webhooks/stripe/", {
        body,
        headers: { "content-type": "application/json", "stripe-signature": signatureOf(body, day(7, 9), secret) },
      })
    ).status;
  expect([await notice("whsec_of_old"), await notice("whsec_new")]).toEqual([200, 400]);
  store.text = "whsec_new";
  expect(await notice("whsec_new")).toBe(400);
  time.now += 5 * MINUTE_MS;
  expect([await notice("whsec_of_old"), await notice("whsec_new")]).toEqual([400, 200]);
});
