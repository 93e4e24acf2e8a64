import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { BillingAccount } from "../../entities/billing/accounts.ts";
import { standardError } from "../../http/errors.ts";
import type { Config } from "../../ports/config.ts";
import type { PaymentProvider, PaymentStatus } from "./payment-provider.ts";

/** Stripe's interface: forms over HTTPS, answered with JSON; one version of it, so that an upgrade over there changes nothing here. */
const VERSION = "2024-06-20";
const REQUEST_TIMEOUT_MS = 8_000;
const MAX_REPLY_BYTES = 200_000;

/** Held for a moment to see whether a card can be charged; cents. */
const AUTHORIZED_CENTS = 100;

const Intent = z.object({
  id: z.string(),
  status: z.string(),
  client_secret: z.string().nullish(),
  last_payment_error: z.object({ message: z.string().nullish() }).nullish(),
});
type Intent = z.output<typeof Intent>;

const Named = z.object({ id: z.string() });
const Session = z.object({ url: z.url() });
const Declined = z.object({ error: z.object({ type: z.literal("card_error"), message: z.string().nullish() }) });

type StripeConfig = Pick<Config, "stripeUrl" | "stripeSecretKey">;

/** Payments through Stripe. Its address is the configured one and no other: redirects are not followed. */
export const stripe = (config: StripeConfig): PaymentProvider => ({
  collects: true,
  async authorize(account, id) {
    const customer = account.provider_customer_id ?? (await newCustomer(config, account));
    const form = {
      amount: String(AUTHORIZED_CENTS),
      currency: "usd",
      customer,
      capture_method: "manual",
      setup_future_usage: "off_session",
    };
    const intent = Intent.parse(await call(config, "POST", "/v1/payment_intents", form, id));
    return { id: intent.id, clientSecret: intent.client_secret ?? "", customerId: customer };
  },
  status: async (id) => statusOf(Intent.parse(await call(config, "GET", `/v1/payment_intents/${encodeURIComponent(id)}`))),
  async charge(account, cents, subject) {
    const form = {
      amount: String(cents),
      currency: "usd",
      customer: account.provider_customer_id ?? "",
      off_session: "true",
      confirm: "true",
      "metadata[organization_id]": subject.organization_id,
      "metadata[kind]": subject.kind,
      "metadata[id]": subject.id,
    };
    const answer = await call(config, "POST", "/v1/payment_intents", form, `${subject.kind}-${subject.organization_id}-${subject.id}`);
    const declined = Declined.safeParse(answer);
    return declined.success ? { state: "failed", error: declined.data.error.message ?? null } : statusOf(Intent.parse(answer));
  },
  async portal(account, returnUrl) {
    if (account.provider_customer_id === null) return null;
    const form = { customer: account.provider_customer_id, return_url: returnUrl };
    return Session.parse(await call(config, "POST", "/v1/billing_portal/sessions", form)).url;
  },
});

const newCustomer = async (config: StripeConfig, { customer_id, organization_id }: BillingAccount): Promise<string> => {
  const form = { "metadata[customer_id]": customer_id, "metadata[organization_id]": organization_id };
  return Named.parse(await call(config, "POST", "/v1/customers", form, `customer-${customer_id}`)).id;
};

const SUCCESSFUL: ReadonlySet<string> = new Set(["succeeded", "requires_capture"]);

const statusOf = ({ status, last_payment_error }: Intent): PaymentStatus => {
  if (SUCCESSFUL.has(status)) return { state: "success", error: null };
  const error = last_payment_error?.message ?? null;
  const isOver = status === "canceled" || (status === "requires_payment_method" && last_payment_error != null);
  return isOver ? { state: "failed", error: error ?? "The payment was cancelled." } : { state: "pending", error: null };
};

/** A declined card is an answer; anything else but success is 502, with the reason in the log alone. */
const call = async (
  { stripeUrl, stripeSecretKey }: StripeConfig,
  method: "GET" | "POST",
  path: string,
  form?: Readonly<Record<string, string>>,
  idempotencyKey?: string,
): Promise<unknown> => {
  const headers = {
    authorization: `Bearer ${stripeSecretKey}`,
    "stripe-version": VERSION,
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const body = form === undefined ? {} : { body: new URLSearchParams(form) };
  try {
    const reply = await fetch(new URL(path, stripeUrl), { method, headers, redirect: "error", signal, ...body });
    const text = await reply.text();
    if (text.length > MAX_REPLY_BYTES) throw new Error("the payment provider's answer is too long");
    const isAnswer = reply.ok || reply.status === PAYMENT_REQUIRED;
    if (!isAnswer) throw new Error(`the payment provider answered ${reply.status}`);
    return JSON.parse(text);
  } catch (cause) {
    throw standardError(502, "server_error", "billing_service_error", "The payment provider did not answer as it should. Try again.", {
      cause,
    });
  }
};

const PAYMENT_REQUIRED = 402;

/** How old a signed call may be, seconds. */
const TOLERANCE_S = 300;

/** Whether a call is the provider's own: its signature is that of these bytes at a time not long ago. */
export const isSigned = (secret: string, header: string | undefined, body: Uint8Array, nowMs: number): boolean => {
  const parts = (header ?? "").split(",").map((part) => part.split("=", 2));
  const time = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (secret === "" || !/^\d{1,12}$/.test(time) || Math.abs(nowMs / 1_000 - Number(time)) > TOLERANCE_S) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return parts.some(([name, value = ""]) => {
    const given = Buffer.from(value, "hex");
    return name === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
};
