import { type Fields, isFields } from "../../event/fields.ts";
import type { Ports } from "../../ports/ports.ts";
import { put } from "../../table/store.ts";
import { BUILT_IN } from "../catalogue/built-in-catalogue.ts";
import { itemsOf } from "../catalogue/catalogue.ts";
import type { Period } from "../period.ts";
import { type UpstreamCustomer, UpstreamCustomers } from "../upstream-customers.ts";

/** Keeps what a billing service tells of a customer. */
export const keepCustomer = ({ table, clock }: Pick<Ports, "table" | "clock">, organization_id: string, customer: Fields): Promise<void> =>
  put(table, UpstreamCustomers, customerOf(organization_id, customer, clock.now()));

const customerOf = (organization_id: string, customer: Fields, told_at: number): UpstreamCustomer => {
  const keys = usageKeysOf(customer);
  const trust = entriesOf(customer.customer_trust_scores).flatMap(([product, score]) => {
    const key = keys.get(product);
    return key !== undefined && typeof score === "number" ? [[key, score] as const] : [];
  });
  return {
    organization_id,
    period: periodOf(customer.billing_period),
    usage: Object.fromEntries(
      entriesOf(customer.usage_summary).flatMap(([key, summary]) => (isFields(summary) ? [[key, used(summary)]] : [])),
    ),
    never_drop_data: customer.never_drop_data === true,
    trust: Object.fromEntries(trust),
    told_at,
  };
};

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] => (isFields(value) ? Object.entries(value) : []);

const used = ({ usage, limit }: Fields) => ({
  usage: typeof usage === "number" ? usage : 0,
  limit: typeof limit === "number" ? limit : null,
});

const periodOf = (told: unknown): Period | null => {
  const { current_period_start, current_period_end } = isFields(told) ? told : {};
  const [start, end] = [Date.parse(String(current_period_start)), Date.parse(String(current_period_end))];
  return Number.isNaN(start) || Number.isNaN(end) ? null : { start, end };
};

/** What each product is counted by: as the service's own products say, else as ours do. */
const usageKeysOf = ({ products }: Fields): ReadonlyMap<unknown, string> => {
  const all: readonly unknown[] = Array.isArray(products) && products.length > 0 ? products : itemsOf(BUILT_IN);
  return new Map(all.flatMap((each) => (isFields(each) && typeof each.usage_key === "string" ? [[each.type, each.usage_key]] : [])));
};
