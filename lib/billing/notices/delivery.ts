import * as z from "zod";
import { DAY_MS } from "../../core/time.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { EVENT_TYPES } from "./notice.ts";

const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;

/** So long deliveries are shown, and a day later they may go. */
export const SHOWN_MS = 30 * DAY_MS;

/** One event on its way to one endpoint. */
export const Delivery = z.object({
  organization_id: z.guid(),
  webhook_id: z.string(),
  event_id: z.string(),
  type: z.enum(EVENT_TYPES),
  body: z.string(),
  created_at: z.int(),
  state: z.enum(DELIVERY_STATES),
  /** How often it was sent. */
  attempts: z.int().min(0),
  /** How often since it was last asked for. */
  tries: z.int().min(0),
  due_at: z.int().nullable(),
  response_status: z.int().nullable(),
  /** Why the last try failed; null where none has, or it arrived. */
  error: z.string().nullable(),
  delivered_at: z.int().nullable(),
  version: z.int().min(0),
});
export type Delivery = z.output<typeof Delivery>;

export const Deliveries = entity({
  name: "billing-delivery",
  version: 1,
  schema: Delivery,
  key: within("notices", "delivery#{webhook_id}#{event_id}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-deliveries", sk: "{due_at}#{organization_id}#{webhook_id}#{event_id}" } },
  ttl: ({ created_at }) => Math.ceil((created_at + SHOWN_MS + DAY_MS) / 1_000),
});
