import * as z from "zod";
import type { PaymentNotice } from "./payment-provider.ts";
import { intentReport } from "./stripe-reports.ts";

const Event = z.object({ type: z.string(), data: z.object({ object: z.unknown() }) });

const Intent = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: z.int().min(0).default(0),
  metadata: z.unknown(),
  last_payment_error: z.object({ message: z.string().nullish() }).nullish(),
});

/** A charge, a refund or a dispute; those that belong to no payment intent are none of ours. */
const OfIntent = z.object({ payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish() });

const PAYMENTS: ReadonlySet<string> = new Set([
  "payment_intent.processing",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
]);
const TAKEN_BACK = /^(charge\.refunded|charge\.refund\.\w+|refund\.\w+|charge\.dispute\.\w+)$/;

/** What an event of Stripe's says, whatever type it is of. Throws for what is no event. */
export const stripeNotice = (event: unknown): PaymentNotice => {
  const { type, data } = Event.parse(event);
  if (PAYMENTS.has(type)) return { kind: "payment", payment: intentReport(Intent.parse(data.object)) };
  if (!TAKEN_BACK.test(type)) return { kind: "other" };
  const { payment_intent } = OfIntent.parse(data.object);
  const intent_id = typeof payment_intent === "object" ? payment_intent?.id : payment_intent;
  return intent_id == null ? { kind: "other" } : { kind: "taken back", intent_id };
};
