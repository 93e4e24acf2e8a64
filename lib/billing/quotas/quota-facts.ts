import type { Ports } from "../../ports/ports.ts";
import { get } from "../../table/store.ts";
import { type QuotaResource, USAGE_IDENTIFIERS } from "../../usage/identifiers.ts";
import { QUOTA_RESOURCES } from "../../usage/project-quotas.ts";
import type { LimitUse } from "../alerts.ts";
import { type CustomerState, readCustomerState } from "../customer.ts";
import { readAccountPrices } from "../invoices/open-invoice.ts";
import { outlookAt } from "../overview/outlook.ts";
import { outlookOverview } from "../overview/overview.ts";
import { periodAt, readPeriodUsage } from "../rating/period.ts";
import { readUsedToday, UpstreamCustomers } from "../upstream-customers.ts";
import type { QuotaFacts } from "./quota-rules.ts";

type Parts = Pick<Ports, "table" | "objects" | "clock" | "config">;

/** Usage and limits of an organization, as counted by whoever bills it. */
export interface UsageFacts {
  /** Of each resource whose data a limit drops; one that nothing is sold by has none. */
  readonly quotas: readonly QuotaFacts[];
  /** Of each product and addon that has a limit. */
  readonly limits: readonly Omit<LimitUse, "dropsFrom">[];
}

export const usageFacts = async (parts: Parts, organization: string): Promise<UsageFacts> => {
  const customer = await readCustomerState(parts.table, organization);
  return parts.config.billingServiceUrl === "" ? ownFacts(parts, customer) : upstreamFacts(parts, customer);
};

const ownFacts = async (parts: Parts, customer: CustomerState): Promise<UsageFacts> => {
  const now = parts.clock.now();
  const { organization_id, anchor_day, retain_data: retains } = customer.account;
  const period = periodAt(anchor_day, now);
  const [{ current }, usage] = await Promise.all([
    readAccountPrices(parts.table, customer.account, now),
    readPeriodUsage(parts, organization_id, period),
  ]);
  const overview = outlookOverview(outlookAt(customer, current, usage, now));
  const { usage_summary, products, customer_trust_scores, never_drop_data: neverDrops } = overview;
  const quotas = QUOTA_RESOURCES.flatMap((resource) => {
    const summary = usage_summary[resource];
    // What is sold as an addon is trusted like its product.
    const product = products.find((each) => [each, ...each.addons].some(({ usage_key }) => usage_key === resource));
    const trust = customer_trust_scores[product?.type ?? ""] ?? 0;
    return summary === undefined ? [] : [{ resource, ...summary, period, neverDrops, retains, trust }];
  });
  const limits = products
    .flatMap((product) => [product, ...product.addons])
    .flatMap(({ type: product, name, usage_key, current_usage: usage, usage_limit: limit }) =>
      usage_key === null || limit === null ? [] : [{ product, name, usage_key, usage, limit, period }],
    );
  return { quotas, limits };
};

/** As the billing service told last, with what was used today. Of whom it told nothing yet, nothing is limited. */
const upstreamFacts = async (parts: Parts, { account }: CustomerState): Promise<UsageFacts> => {
  const { organization_id, retain_data: retains } = account;
  const told = await get(parts.table, UpstreamCustomers, { organization_id }, { consistent: true });
  if (told === undefined || told.period === null) return { quotas: [], limits: [] };
  const { period, usage, trust, never_drop_data: neverDrops } = told;
  const today = await readUsedToday(parts, organization_id);
  const quotas = QUOTA_RESOURCES.flatMap((resource: QuotaResource) => {
    const known = usage[resource];
    if (known === undefined) return [];
    return [
      { resource, usage: known.usage + today(resource), limit: known.limit, period, neverDrops, retains, trust: trust[resource] ?? 0 },
    ];
  });
  const limits = quotas.flatMap(({ resource, usage: units, limit }) =>
    limit === null
      ? []
      : [{ product: resource, name: RESOURCE_NAMES.get(resource) ?? resource, usage_key: resource, usage: units, limit, period }],
  );
  return { quotas, limits };
};

/** What the billing service's resources are called where people read of them: it sells products of its own. */
const RESOURCE_NAMES: ReadonlyMap<string | null, string> = new Map(Object.values(USAGE_IDENTIFIERS).map(({ key, label }) => [key, label]));
