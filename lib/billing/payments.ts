import * as z from "zod";
import { DAY_MS } from "../core/time.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const PAYMENT_STATES = ["pending", "success", "failed", "expired"] as const;

/** A payment method on its way to be authorized. Its secret is kept hashed; what has ended never changes. */
export const PaymentAuthorization = z.object({
  organization_id: z.guid(),
  /** The provider's own, where it has one. */
  id: z.string(),
  secret_hash: z.string(),
  state: z.enum(PAYMENT_STATES),
  error: z.string().nullable(),
  /** Milliseconds since 1970. */
  created_at: z.int(),
  expires_at: z.int(),
  /** Since when it holds some money that is to be given back; null once it is, and where nothing is held. */
  held_since: z.int().nullable().default(null),
  version: z.int().min(0),
});
export type PaymentAuthorization = z.output<typeof PaymentAuthorization>;

/** How long an authorization that has ended may still be asked for. */
const KEPT_MS = 90 * DAY_MS;

export const PaymentAuthorizations = entity({
  name: "billing-payment-authorization",
  version: 1,
  schema: PaymentAuthorization,
  key: within("payments", "{id}", { organization: "organization_id" }),
  patterns: { held: { index: "due", pk: "billing-holds", sk: "{held_since}#{organization_id}#{id}" } },
  ttl: ({ created_at }) => Math.ceil((created_at + KEPT_MS) / 1_000),
});
