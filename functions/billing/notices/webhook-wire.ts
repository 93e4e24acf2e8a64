import * as z from "zod";
import type { readDeliveries, readWebhook } from "../../../lib/billing/webhooks.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import { boolean, text } from "../../../lib/http/fields.ts";

/** Endpoints and their deliveries as sent. */

const EVENTS = ["billing.limit", "billing.invoice", "billing.payment"] as const;

const MAX_URL = 500;

const fields = {
  url: text({ max: MAX_URL }),
  events: z.array(z.enum(EVENTS)).min(1).max(EVENTS.length),
  is_active: boolean(),
};

export const WebhookBody = z
  .object({ url: fields.url, events: fields.events.default([...EVENTS]), is_active: fields.is_active.default(true) })
  .meta({ id: "BillingWebhookBody" });

export const PatchedWebhook = z.object(fields).partial().meta({ id: "PatchedBillingWebhook" });

export const WebhookForm = z
  .object({ id: z.guid(), url: z.string(), events: z.array(z.enum(EVENTS)), is_active: z.boolean(), created_at: z.string() })
  .meta({ id: "BillingWebhook" });

/** Only the answer that registers one has its secret. */
export const NewWebhookForm = WebhookForm.extend({ secret: z.string() }).meta({ id: "NewBillingWebhook" });

type Webhook = Awaited<ReturnType<typeof readWebhook>>;

export const webhookForm = ({ id, url, events, is_active, created_at }: Webhook): z.input<typeof WebhookForm> => ({
  id,
  url,
  events,
  is_active,
  created_at: isoSeconds(created_at),
});

export const DeliveryForm = z
  .object({
    id: z.string(),
    type: z.enum(EVENTS),
    status: z.enum(["pending", "delivered", "failed"]),
    attempts: z.int(),
    next_attempt_at: z.string().nullable(),
    response_status: z.int().nullable(),
    error: z.string().nullable(),
    created_at: z.string(),
    delivered_at: z.string().nullable(),
  })
  .meta({ id: "BillingWebhookDelivery" });

type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number];

export const deliveryForm = (delivery: Delivery): z.input<typeof DeliveryForm> => ({
  id: delivery.event_id,
  type: delivery.type,
  status: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: delivery.due_at === null ? null : isoSeconds(delivery.due_at),
  response_status: delivery.response_status,
  error: delivery.error,
  created_at: isoSeconds(delivery.created_at),
  delivered_at: delivery.delivered_at === null ? null : isoSeconds(delivery.delivered_at),
});
