import type { BillingAccount } from "../accounts.ts";
import type { Subscription } from "../subscriptions.ts";
import { subscriptionState } from "./subscription.ts";

/** An account as its subscription makes it: paid or free. One that an operator suspended stays so until he says otherwise. */
export const withStatus = (account: BillingAccount, subscription: Pick<Subscription, "items"> | undefined, now: number): BillingAccount =>
  account.status === "suspended" ? account : { ...account, status: subscriptionState(subscription, now) === "ended" ? "free" : "paid" };

/** An account that an operator suspends. */
export const suspended = (account: BillingAccount): BillingAccount => ({ ...account, status: "suspended" });

/** An account that an operator lets go on. */
export const resumed = (account: BillingAccount, subscription: Pick<Subscription, "items"> | undefined, now: number): BillingAccount =>
  withStatus({ ...account, status: "free" }, subscription, now);
