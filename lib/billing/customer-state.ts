import type * as z from "zod";
import type { Item, Table } from "../ports/table.ts";
import { decode, type Entity, type KeyTemplate, keyOf, type Patterns } from "../table/entity.ts";
import { type BillingAccount, BillingAccounts } from "./accounts.ts";
import { type CouponClaim, CouponClaims } from "./coupon-claims.ts";
import { type CreditGrant, CreditGrants } from "./credits.ts";
import { type Subscription, Subscriptions } from "./subscriptions.ts";
import { type Trial, Trials } from "./trials.ts";

/** An organization as a customer: everything but its use and its invoices, as of one reading. */
export interface CustomerState {
  readonly account: BillingAccount;
  readonly subscription: Subscription | undefined;
  readonly trials: readonly Trial[];
  /** Oldest first. */
  readonly claims: readonly CouponClaim[];
  readonly grants: readonly CreditGrant[];
}

/** Periods begin with the month, unless somebody says otherwise. */
const FIRST_DAY = 1;

/** An organization that never wrote anything. Its version is 0, which no stored account has. */
const newAccount = (organization_id: string): BillingAccount =>
  BillingAccounts.schema.parse({
    organization_id,
    customer_id: `cus_${organization_id.replaceAll("-", "")}`,
    anchor_day: FIRST_DAY,
    status: "free",
    version: 0,
  });

/** Reads one partition, which a customer's few items share. */
export const readCustomerState = async (table: Table, organization_id: string): Promise<CustomerState> => {
  const { pk } = keyOf(BillingAccounts, { organization_id });
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
