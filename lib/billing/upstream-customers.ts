import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** A customer as the upstream billing service last told of it: what its quotas follow from where that service does the billing. */
export const UpstreamCustomer = z.object({
  organization_id: z.guid(),
  /** The billing period, milliseconds since 1970; null where it was not told. */
  period: z.object({ start: z.int(), end: z.int() }).nullable(),
  /** Units of the period up to the last report, and what it may use of them, by usage key. */
  usage: z.record(z.string(), z.object({ usage: z.number(), limit: z.number().nullable() })),
  never_drop_data: z.boolean(),
  /** How far it is trusted to pay, by usage key. */
  trust: z.record(z.string(), z.number()),
  /** Milliseconds since 1970. */
  told_at: z.int(),
});
export type UpstreamCustomer = z.output<typeof UpstreamCustomer>;

export const UpstreamCustomers = entity({
  name: "billing-upstream-customer",
  version: 1,
  schema: UpstreamCustomer,
  key: within("billing", "upstream", { organization: "organization_id" }),
  patterns: {},
});
