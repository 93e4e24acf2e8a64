import Stripe from "stripe";
import { standardError } from "../../http/errors.ts";
import type { Config } from "../../ports/config.ts";
import type { BillingAccount } from "../customer/account.ts";
import { type AuthorizationStatus, type PaymentProvider, type PaymentStatus, STRIPE_MINIMUM_CENTS } from "./payment-provider.ts";

/** One call with its one repetition fits well into a request. */
const REQUEST_TIMEOUT_MS = 8_000;
const REPETITIONS = 1;

/** Held for a moment to see whether a card can be charged; cents. */
const AUTHORIZED_CENTS = 100;

/** How old a signed notice may be, seconds. */
const TOLERANCE_S = 300;

type StripeConfig = Pick<Config, "stripeUrl" | "stripeSecretKey" | "stripeWebhookSecret">;

/** Payments through Stripe, at the configured address and no other. */
export const stripe = (config: StripeConfig): PaymentProvider => {
  const client = openClient(config);
  return {
    collects: true,
    minimumCents: STRIPE_MINIMUM_CENTS,
    async authorize(account, id) {
      const customer = account.provider_customer_id ?? (await answered(newCustomer(client, account)));
      const intent = await answered(
        client.paymentIntents.create(
          { amount: AUTHORIZED_CENTS, currency: "usd", customer, capture_method: "manual", setup_future_usage: "off_session" },
          { idempotencyKey: id },
        ),
      );
      return { id: intent.id, clientSecret: intent.client_secret ?? "", customerId: customer };
    },
    async status(id) {
      const intent = await answered(client.paymentIntents.retrieve(id));
      return { ...paymentStatus(intent), method: paymentMethod(intent) };
    },
    async release(id) {
      await answered(client.paymentIntents.cancel(id).catch(releasedBefore));
    },
    async charge(account, cents, subject, attempt) {
      const charged = client.paymentIntents.create(
        {
          amount: cents,
          currency: "usd",
          customer: account.provider_customer_id ?? "",
          payment_method: account.payment_method_id ?? "",
          off_session: true,
          confirm: true,
          metadata: { ...subject },
        },
        { idempotencyKey: `${subject.kind}-${subject.organization_id}-${subject.id}-${attempt}` },
      );
      return charged.then(paymentStatus, declined);
    },
    async portal({ provider_customer_id: customer }, returnUrl) {
      if (customer === null) return null;
      return (await answered(client.billingPortal.sessions.create({ customer, return_url: returnUrl }))).url;
    },
    async hear(body, signature, now) {
      if (config.stripeWebhookSecret === "" || signature === undefined) return undefined;
      return signedBy(() => client.webhooks.constructEvent(body, signature, config.stripeWebhookSecret, TOLERANCE_S, undefined, now));
    },
  };
};

const openClient = ({ stripeUrl, stripeSecretKey }: StripeConfig): Stripe => {
  const { hostname, port, protocol } = new URL(stripeUrl);
  return new Stripe(stripeSecretKey, {
    host: hostname,
    ...(port !== "" && { port }),
    protocol: protocol === "http:" ? "http" : "https",
    timeout: REQUEST_TIMEOUT_MS,
    maxNetworkRetries: REPETITIONS,
    telemetry: false,
  });
};

const newCustomer = async (client: Stripe, { customer_id, organization_id }: BillingAccount): Promise<string> =>
  (await client.customers.create({ metadata: { customer_id, organization_id } }, { idempotencyKey: `customer-${customer_id}` })).id;

const SUCCESSFUL: ReadonlySet<string> = new Set(["succeeded", "requires_capture"]);

const paymentStatus = ({ status, last_payment_error }: Stripe.PaymentIntent): PaymentStatus => {
  if (SUCCESSFUL.has(status)) return { state: "success", error: null };
  const error = last_payment_error?.message ?? null;
  const isOver = status === "canceled" || (status === "requires_payment_method" && last_payment_error != null);
  return isOver ? { state: "failed", error: error ?? "The payment was cancelled." } : { state: "pending", error: null };
};

const paymentMethod = ({ payment_method: method }: Stripe.PaymentIntent): AuthorizationStatus["method"] =>
  typeof method === "string" ? method : (method?.id ?? null);

/** A declined card is an answer. */
const declined = (thrown: unknown): PaymentStatus => {
  if (thrown instanceof Stripe.errors.StripeCardError) return { state: "failed", error: thrown.message };
  throw unanswered(thrown);
};

/** A hold that was released before, also by Stripe itself after some days, is released. */
const releasedBefore = (thrown: unknown): void => {
  if (!(thrown instanceof Stripe.errors.StripeInvalidRequestError) || thrown.code !== "payment_intent_unexpected_state") throw thrown;
};

const answered = <T>(call: Promise<T>): Promise<T> =>
  call.catch((cause: unknown) => {
    throw unanswered(cause);
  });

/** 502, with the reason in the log alone. */
const unanswered = (cause: unknown) =>
  standardError(502, "server_error", "billing_service_error", "The payment provider did not answer as it should. Try again.", { cause });

/** The signed notice; undefined where the signature does not fit these bytes or is too old. */
const signedBy = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw thrown;
  }
};
