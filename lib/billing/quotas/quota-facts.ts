import type { Ports } from "../../ports/ports.ts";
import { get } from "../../table/store.ts";
import type { QuotaResource } from "../../usage/identifiers.ts";
import { QUOTA_RESOURCES } from "../../usage/project-quotas.ts";
import { type CustomerState, readCustomerState } from "../customer.ts";
import { readAccountPrices } from "../invoices/open-invoice.ts";
import { outlookAt } from "../overview/outlook.ts";
import { outlookOverview } from "../overview/overview.ts";
import { periodAt, readPeriodUsage } from "../rating/period.ts";
import { readUsedToday, UpstreamCustomers } from "../upstream-customers.ts";
import type { QuotaFacts } from "./quota-rules.ts";

type Parts = Pick<Ports, "table" | "objects" | "clock" | "config">;

/** Usage and limit of each resource, as counted by whoever bills the organization. A resource that nothing is sold by has none. */
export const quotaFacts = async (parts: Parts, organization: string): Promise<readonly QuotaFacts[]> => {
  const customer = await readCustomerState(parts.table, organization);
  return parts.config.billingServiceUrl === "" ? ownFacts(parts, customer) : upstreamFacts(parts, customer);
};

const ownFacts = async (parts: Parts, customer: CustomerState): Promise<readonly QuotaFacts[]> => {
  const now = parts.clock.now();
  const { organization_id, anchor_day, retain_data: retains } = customer.account;
  const period = periodAt(anchor_day, now);
  const [{ current }, usage] = await Promise.all([
    readAccountPrices(parts.table, customer.account, now),
    readPeriodUsage(parts, organization_id, period),
  ]);
  const overview = outlookOverview(outlookAt(customer, current, usage, now));
  const { usage_summary, products, customer_trust_scores, never_drop_data: neverDrops } = overview;
  return QUOTA_RESOURCES.flatMap((resource) => {
    const summary = usage_summary[resource];
    const product = products.find(({ usage_key }) => usage_key === resource);
    const trust = customer_trust_scores[product?.type ?? ""] ?? 0;
    return summary === undefined ? [] : [{ resource, ...summary, period, neverDrops, retains, trust }];
  });
};

/** As the billing service told last, with what was used today. Of whom it told nothing yet, nothing is limited. */
const upstreamFacts = async (parts: Parts, { account }: CustomerState): Promise<readonly QuotaFacts[]> => {
  const { organization_id, retain_data: retains } = account;
  const told = await get(parts.table, UpstreamCustomers, { organization_id }, { consistent: true });
  if (told === undefined || told.period === null) return [];
  const { period, usage, trust, never_drop_data: neverDrops } = told;
  const today = await readUsedToday(parts, organization_id);
  return QUOTA_RESOURCES.flatMap((resource: QuotaResource) => {
    const known = usage[resource];
    if (known === undefined) return [];
    return [
      { resource, usage: known.usage + today(resource), limit: known.limit, period, neverDrops, retains, trust: trust[resource] ?? 0 },
    ];
  });
};
