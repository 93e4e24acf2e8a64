import Stripe from "stripe";
import { Unavailable } from "../../core/unavailable.ts";
import type { PaymentReport, ReportedPayment } from "./payment-provider.ts";

/** Stripe's words for payments, in ours. */

/** The part of a payment that is read, wherever it comes from. */
export interface ReadIntent extends Pick<Stripe.PaymentIntent, "id" | "amount_received"> {
  readonly status: string;
  readonly metadata: unknown;
  readonly last_payment_error?: { readonly message?: string | null | undefined } | null | undefined;
}

/** How a payment stands. None is confirmed a second time, so one whose method was refused has ended. */
export const intentReport = (intent: ReadIntent): ReportedPayment => {
  const given = { intent_id: intent.id, metadata: intent.metadata, cents: intent.amount_received };
  const refusal = keptSentence(intent.last_payment_error?.message);
  switch (intent.status) {
    case "succeeded":
      return { ...given, state: "succeeded", failure: null, error: null };
    case "canceled":
    case "requires_payment_method":
      return { ...given, state: "failed", failure: "declined", error: refusal ?? "The payment was cancelled." };
    default:
      return { ...given, state: "processing", failure: null, error: null };
  }
};

/** Characters that are kept of a sentence of Stripe's. */
const MOST_CHARACTERS = 500;

/** A sentence of Stripe's as the table takes it. */
export const keptSentence = (sentence: string | null | undefined): string | null =>
  sentence?.slice(0, MOST_CHARACTERS).toWellFormed() ?? null;

/**
 * What an answer that is an error says of a payment that was to be made. A refused card and a request that is not taken have moved no
 * money. Of anything else nobody knows whether an earlier call was carried out.
 */
export const errorReport = (thrown: unknown): PaymentReport => {
  // Our key cannot be read, so nobody was called.
  if (thrown instanceof Unavailable) return { state: "unknown", intent_id: null, failure: "ours", error: thrown.message };
  if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
  const intent_id = thrown.payment_intent?.id ?? null;
  const error = keptSentence(thrown.message);
  if (thrown instanceof Stripe.errors.StripeCardError) return { state: "failed", intent_id, failure: "declined", error };
  if (thrown instanceof Stripe.errors.StripeInvalidRequestError) return { state: "failed", intent_id: null, failure: "ours", error };
  return { state: "unknown", intent_id: null, failure: isOurs(thrown) ? "ours" : "retryable", error };
};

/** The key is wrong or may not do this, or the same call was made before in other words. */
const isOurs = (thrown: Stripe.errors.StripeError): boolean =>
  thrown instanceof Stripe.errors.StripeAuthenticationError ||
  thrown instanceof Stripe.errors.StripePermissionError ||
  thrown instanceof Stripe.errors.StripeIdempotencyError;
