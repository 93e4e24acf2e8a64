import * as z from "zod";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { type Subscription, subscriptionState } from "./subscription.ts";

const ACCOUNT_STATUSES = ["free", "paid", "suspended"] as const;

/** An application for the startup program, its fields as JSON. */
const StartupApplication = z.object({ at: z.string(), fields: z.string() });

/** How the last application was answered: the label that was given, null where it was refused. */
const StartupDecision = z.object({ at: z.string(), label: z.string().nullable() });

/** An organization as a customer. One that never wrote anything has none, and is read as a new one. */
export const BillingAccount = z.object({
  organization_id: z.guid(),
  customer_id: z.string(),
  /** The day of the month on which periods begin; a shorter month's last day stands for it. */
  anchor_day: z.int().min(1).max(31),
  status: z.enum(ACCOUNT_STATUSES),
  startup_label: z.string().nullable().default(null),
  startup_application: StartupApplication.nullable().default(null),
  startup_decision: StartupDecision.nullable().default(null),
  /** The payment provider's name for it; null while it does not know it. */
  provider_customer_id: z.string().nullable().default(null),
  /** Whether the payment provider may collect from it, and the provider's name for the payment method. */
  has_payment_method: z.boolean().default(false),
  payment_method_id: z.string().nullable().default(null),
  never_drop_data: z.boolean().default(false),
  /** Whether data are kept past a limit that does not hold yet. */
  retain_data: z.boolean().default(false),
  /** Cents by product type or usage key; null for none. */
  custom_limits: z.record(z.string(), z.int().min(0).nullable()).default({}),
  /** Those that hold from the start of the period after `next_limits_set_in`. */
  next_limits: z.record(z.string(), z.int().min(0).nullable()).default({}),
  /** Start of the period in which `next_limits` was written, milliseconds. */
  next_limits_set_in: z.int().nullable().default(null),
  /** Every change of what an organization has subscribed, tries or pays with counts this up, so that no two are made from one reading. */
  version: z.int().min(0),
});
export type BillingAccount = z.output<typeof BillingAccount>;

export const BillingAccounts = entity({
  name: "billing-account",
  version: 1,
  schema: BillingAccount,
  key: within("billing", "account", { organization: "organization_id" }),
  patterns: {},
});

/** Periods begin with the month, unless somebody says otherwise. */
const FIRST_DAY = 1;

/** The account of an organization that never wrote anything. Its version is 0, which no stored account has. */
export const newAccount = (organization_id: string): BillingAccount =>
  BillingAccounts.schema.parse({
    organization_id,
    customer_id: `cus_${organization_id.replaceAll("-", "")}`,
    anchor_day: FIRST_DAY,
    status: "free",
    version: 0,
  });

/** An account as its subscription makes it: paid or free. One that an operator suspended stays so until the operator says otherwise. */
export const withStatus = (account: BillingAccount, subscription: Pick<Subscription, "items"> | undefined, now: number): BillingAccount =>
  account.status === "suspended" ? account : { ...account, status: subscriptionState(subscription, now) === "ended" ? "free" : "paid" };
