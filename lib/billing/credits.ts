import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const GRANT_SOURCES = ["purchase", "coupon", "refund", "manual"] as const;
export const GRANT_STATES = ["pending", "active", "depleted", "expired", "voided"] as const;

/** Given credit is used before bought credit. */
export const GRANT_PRIORITY = { given: 1, bought: 10 } as const;

/** Credit that pays invoices. What is left of it is the sum of its entries, and changes only together with one. */
export const CreditGrant = z.object({
  organization_id: z.guid(),
  /** A ULID, so that the older of two sorts first. */
  id: z.string(),
  source: z.enum(GRANT_SOURCES),
  state: z.enum(GRANT_STATES),
  cents: z.int().positive(),
  /** What is paid for it, after its discount. */
  charge_cents: z.int().min(0),
  remaining_cents: z.int().min(0),
  priority: z.int().min(0),
  collection_method: z.enum(["charge_automatically", "send_invoice"]),
  /** Milliseconds since 1970. */
  created_at: z.int(),
  effective_at: z.int(),
  expires_at: z.int().nullable(),
  /** When what is left of it is written off, null where that is done or never comes: what the closing looks for. */
  due_at: z.int().nullable().default(null),
  version: z.int().min(0),
});
export type CreditGrant = z.output<typeof CreditGrant>;

export const CreditGrants = entity({
  name: "billing-credit-grant",
  version: 1,
  schema: CreditGrant,
  key: within("billing", "grant#{id}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-grants", sk: "{due_at}#{organization_id}#{id}" } },
});

export const ENTRY_REASONS = ["grant", "invoice", "invoice_voided", "expiry", "void"] as const;

/** One movement of a grant's credit. Written once, with what moved; never changed and never removed. */
export const CreditEntry = z.object({
  organization_id: z.guid(),
  grant_id: z.string(),
  id: z.string(),
  delta_cents: z.int(),
  invoice_id: z.string().nullable(),
  reason: z.enum(ENTRY_REASONS),
  at: z.int(),
});
export type CreditEntry = z.output<typeof CreditEntry>;

export const CreditEntries = entity({
  name: "billing-credit-entry",
  version: 1,
  schema: CreditEntry,
  key: within("creditUses", "{grant_id}#{id}", { organization: "organization_id" }),
  patterns: {},
});
