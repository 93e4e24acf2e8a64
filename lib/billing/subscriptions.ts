import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const SUBSCRIPTION_STATES = ["active", "canceling", "ended"] as const;

const SubscriptionItem = z.object({
  /** Type of a product or an addon. */
  product: z.string(),
  plan_key: z.string(),
  /** Milliseconds since 1970. */
  since: z.int(),
  /** When it ended or will end; null while it goes on. Ended ones stay until the invoice of their period is made. */
  until: z.int().nullable(),
});
export type SubscriptionItem = z.output<typeof SubscriptionItem>;

/** What an organization pays for. There is one; it ends with its last item and begins again with the next. `canceling`: all of it ends with the period. */
export const Subscription = z.object({
  organization_id: z.guid(),
  id: z.string(),
  state: z.enum(SUBSCRIPTION_STATES),
  items: z.array(SubscriptionItem).max(1_000),
  version: z.int().min(0),
});
export type Subscription = z.output<typeof Subscription>;

export const Subscriptions = entity({
  name: "billing-subscription",
  version: 1,
  schema: Subscription,
  key: within("billing", "subscription", { organization: "organization_id" }),
  patterns: {},
});
