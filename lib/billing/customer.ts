import type * as z from "zod";
import type { Item, Table } from "../ports/table.ts";
import { decode, type Entity, itemKey, type KeyTemplate, type Patterns } from "../table/entity.ts";
import { transact } from "../table/transact.ts";
import { nextVersion } from "../table/versions.ts";
import { type BillingParts, runCommand } from "./commands.ts";
import { type BillingAccount, BillingAccounts, newAccount, withStatus } from "./customer/account.ts";
import { type CouponClaim, CouponClaims } from "./customer/coupon-claim.ts";
import { type CreditGrant, CreditGrants } from "./customer/credit-grant.ts";
import { type Subscription, Subscriptions } from "./customer/subscription.ts";
import { type Trial, Trials } from "./customer/trial.ts";

/** An organization as a customer: everything but its use and its invoices, as of one reading. */
export interface CustomerState {
  readonly account: BillingAccount;
  readonly subscription: Subscription | undefined;
  readonly trials: readonly Trial[];
  /** Oldest first. */
  readonly claims: readonly CouponClaim[];
  readonly grants: readonly CreditGrant[];
}

/** Reads one partition, which a customer's few items share. */
export const readCustomerState = async (table: Table, organization_id: string): Promise<CustomerState> => {
  const { pk } = itemKey(BillingAccounts, { organization_id });
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk, consistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return {
    account: itemsOfType(BillingAccounts, items)[0] ?? newAccount(organization_id),
    subscription: itemsOfType(Subscriptions, items)[0],
    trials: itemsOfType(Trials, items),
    claims: itemsOfType(CouponClaims, items).toSorted((a, b) => a.claimed_at - b.claimed_at || (a.slug < b.slug ? -1 : 1)),
    grants: itemsOfType(CreditGrants, items),
  };
};

const itemsOfType = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  items: readonly Item[],
): readonly z.output<S>[] => items.filter((item) => item.entity === of.name).map((item) => decode(of, item));

/** Suspends an account, or lets it go on as its subscription makes it. Answers its status. */
export const setSuspension = (parts: BillingParts, organization: string, to: "suspended" | "resumed"): Promise<BillingAccount["status"]> =>
  runCommand(parts, { organization, operation: to, key: undefined, body: null }, async () => {
    const { account, subscription } = await readCustomerState(parts.table, organization);
    const next: BillingAccount =
      to === "suspended" ? { ...account, status: to } : withStatus({ ...account, status: "free" }, subscription, parts.clock.now());
    return { writes: next.status === account.status ? [] : [nextVersion(BillingAccounts, next)], answer: next.status };
  });

/** Whether limits drop an organization's data at all, and whether those do that do not hold yet. Writes nothing where nothing changes. */
export const setDroppingRules = async (
  table: Table,
  organization: string,
  rules: Readonly<Partial<Pick<BillingAccount, "never_drop_data" | "retain_data">>>,
): Promise<void> => {
  if (Object.keys(rules).length === 0) return;
  const { account } = await readCustomerState(table, organization);
  const next = { ...account, ...rules };
  if (next.never_drop_data === account.never_drop_data && next.retain_data === account.retain_data) return;
  await transact(table, [nextVersion(BillingAccounts, next)]);
};
