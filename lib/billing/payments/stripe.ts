import Stripe from "stripe";
import * as z from "zod";
import { readText } from "../../core/read-text.ts";
import { HOUR_MS, SECOND_MS } from "../../core/time.ts";
import { parseError, standardError } from "../../http/errors.ts";
import type { Config } from "../../ports/config.ts";
import type { BillingAccount } from "../customer/account.ts";
import type { AuthorizationStatus, PaymentNotice, PaymentOrder, PaymentProvider, PaymentReport } from "./payment-provider.ts";
import { stripeNotice } from "./stripe-notice.ts";
import { errorReport, intentReport, keptSentence } from "./stripe-reports.ts";
import { STRIPE_TERMS } from "./stripe-terms.ts";

/** One call with its one repetition fits well into a request. */
const REQUEST_TIMEOUT_MS = 8_000;
const REPETITIONS = 1;

/** Held for a moment to see whether a card can be charged; cents. */
const AUTHORIZED_CENTS = 100;

/** How old a signed notice may be, seconds. */
const TOLERANCE_S = 300;

const UNKNOWN_KEY = 401;

type StripeConfig = Pick<Config, "stripeUrl" | "stripeSecretKey" | "stripeWebhookSecret">;

/** Payments through Stripe, at the configured address and no other. */
export const stripe = (config: StripeConfig): PaymentProvider => {
  const opened = (): Promise<Stripe> => openClient(config);
  return {
    ...STRIPE_TERMS,
    async authorize(account, id) {
      const client = await opened();
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
      const client = await opened();
      return authorizationStatus(await answered(client.paymentIntents.retrieve(id)));
    },
    async release(id) {
      const client = await opened();
      await answered(client.paymentIntents.cancel(id).catch(releasedBefore));
    },
    async charge(order) {
      const created = opened().then((client) =>
        client.paymentIntents.create(
          {
            amount: order.cents,
            currency: "usd",
            customer: order.customer_id,
            payment_method: order.method_id,
            off_session: true,
            confirm: true,
            metadata: orderMetadata(order),
          },
          { idempotencyKey: `${order.kind}-${order.organization_id}-${order.subject_id}-${order.number}` },
        ),
      );
      return created.then(intentReport, errorReport);
    },
    async find(order) {
      const found = opened().then((client) => findIntent(client, order));
      return found.then((intent) => intent && intentReport(intent), silence);
    },
    async retrieve(intent) {
      const retrieved = opened().then((client) => client.paymentIntents.retrieve(intent));
      return retrieved.then(intentReport, silence);
    },
    async takenBack(intent) {
      const client = await opened();
      const [{ metadata, latest_charge }, disputes] = await Promise.all([
        answered(client.paymentIntents.retrieve(intent, { expand: ["latest_charge"] })),
        answered(client.disputes.list({ payment_intent: intent, limit: MOST_DISPUTES })),
      ]);
      const refunded_cents = typeof latest_charge === "object" ? (latest_charge?.amount_refunded ?? 0) : 0;
      const disputed = disputes.data.filter(({ status }) => !SETTLED_DISPUTES.has(status));
      return { metadata, refunded_cents, disputed_cents: disputed.reduce((sum, { amount }) => sum + amount, 0) };
    },
    async portal({ provider_customer_id: customer }, returnUrl) {
      if (customer === null) return null;
      const client = await opened();
      return (await answered(client.billingPortal.sessions.create({ customer, return_url: returnUrl }))).url;
    },
    async hear(body, signature, now) {
      if (signature === undefined) return undefined;
      // Anybody may send what is not signed, so that is no reason to ask for the secret anew; Stripe signs with the former one, too, for a day.
      const secret = await config.stripeWebhookSecret.read();
      if (secret === "") return undefined;
      return signedNotice(() => Stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, now));
    },
  };
};

/** A client for one call, since the key may be another one for the next. */
const openClient = async ({ stripeUrl, stripeSecretKey }: StripeConfig): Promise<Stripe> => {
  const { hostname, port, protocol } = new URL(stripeUrl);
  const client = new Stripe(await stripeSecretKey.read(), {
    host: hostname,
    ...(port !== "" && { port }),
    protocol: protocol === "http:" ? "http" : "https",
    timeout: REQUEST_TIMEOUT_MS,
    maxNetworkRetries: REPETITIONS,
    httpClient: Stripe.createFetchHttpClient(fetchAnswer),
    telemetry: false,
  });
  client.on("response", ({ status }: Stripe.ResponseEvent) => {
    if (status === UNKNOWN_KEY) stripeSecretKey.renew();
  });
  return client;
};

/** Far more than a page of payments has. */
const MOST_BYTES = 4_000_000;

/**
 * The package's own client waits for as long as anything comes, and holds all of it. What is no answer of Stripe's, each of which says what
 * it is, counts as none: then nobody knows what was done.
 */
const fetchAnswer: typeof fetch = async (url, options) => {
  const reply = await fetch(url, { ...options, redirect: "error" });
  const text = await readText(reply, MOST_BYTES);
  if (reply.ok && !Answer.safeParse(parsed(text)).success) throw new Error("this is no answer of the payment provider");
  return new Response(text, reply);
};

const Answer = z.object({ object: z.string() });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const newCustomer = async (client: Stripe, { customer_id, organization_id }: BillingAccount): Promise<string> =>
  (await client.customers.create({ metadata: { customer_id, organization_id } }, { idempotencyKey: `customer-${customer_id}` })).id;

const AUTHORIZED: ReadonlySet<string> = new Set(["succeeded", "requires_capture"]);

const authorizationStatus = (intent: Stripe.PaymentIntent): AuthorizationStatus => {
  const { status, last_payment_error } = intent;
  const method = paymentMethod(intent);
  if (AUTHORIZED.has(status)) return { state: "success", error: null, method };
  const error = keptSentence(last_payment_error?.message);
  const isOver = status === "canceled" || (status === "requires_payment_method" && last_payment_error != null);
  return isOver ? { state: "failed", error: error ?? "The payment was cancelled.", method } : { state: "pending", error: null, method };
};

const paymentMethod = ({ payment_method: method }: Stripe.PaymentIntent): AuthorizationStatus["method"] =>
  typeof method === "string" ? method : (method?.id ?? null);

/** What travels with a payment, so that whoever hears of it finds its attempt. */
const orderMetadata = ({ organization_id, kind, subject_id, number }: PaymentOrder) => ({
  organization_id,
  kind,
  id: subject_id,
  attempt: String(number),
});

/** Clocks differ: a payment is looked for from so long before its attempt was written. */
const CLOCKS_MS = HOUR_MS;

/** The customer's payments are listed and not searched for: the list has one at once, the search minutes later. */
const findIntent = async (client: Stripe, order: PaymentOrder): Promise<Stripe.PaymentIntent | undefined> => {
  const gte = Math.floor((order.created_at - CLOCKS_MS) / SECOND_MS);
  const wanted = Object.entries(orderMetadata(order));
  for await (const intent of client.paymentIntents.list({ customer: order.customer_id, created: { gte }, limit: 100 }))
    if (wanted.every(([name, value]) => intent.metadata[name] === value)) return intent;
  return undefined;
};

/** An error of a call that only asks says nothing of a payment. */
const silence = (thrown: unknown): PaymentReport => ({ ...errorReport(thrown), state: "unknown" });

/** A payment has hardly ever more than one. */
const MOST_DISPUTES = 100;

/** What ended for us, or was asked and not taken. */
const SETTLED_DISPUTES: ReadonlySet<string> = new Set([
  "won",
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "prevented",
]);

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
const signedNotice = (readEvent: () => unknown): PaymentNotice | undefined => {
  try {
    return stripeNotice(readEvent());
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw parseError("this is signed, and no event of the payment provider.", thrown);
  }
};
