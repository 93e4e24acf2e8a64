import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import type { World } from "../../lib/app/world.ts";
import { billingKey } from "../../lib/auth/billing-access.ts";
import { readCustomerState } from "../../lib/billing/customer-state.ts";
import { currentPrices } from "../../lib/billing/invoices/open-invoice.ts";
import { Licenses } from "../../lib/billing/licenses.ts";
import { type Outlook, outlookAt } from "../../lib/billing/overview/outlook.ts";
import { overviewOf } from "../../lib/billing/overview/overview.ts";
import { periodAt } from "../../lib/billing/period.ts";
import { usageIn } from "../../lib/billing/period-usage.ts";
import { isoSeconds } from "../../lib/core/time.ts";
import { json } from "../../lib/http/reply.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { get } from "../../lib/table/store.ts";
import { BASE, portalLink, TAGS, TeamQuery } from "./place.ts";
import { relay } from "./upstream/relay.ts";
import { relayOverview } from "./upstream/relay-overview.ts";
import { BillingOverviewResponse, BillingPeriodResponse } from "./wire.ts";

export const retrieveOverview = route({
  method: "GET",
  path: `${BASE}/`,
  summary: "What an organization has subscribed, uses and pays",
  description: "Needs full access to the organization's billing.",
  tags: TAGS,
  access: billingKey("billing:read", "full"),
  query: TeamQuery.extend({
    include_forecasting: z.string().optional().meta({ type: "boolean", description: "Taken and ignored: forecasts are always included." }),
  }),
  reply: json(200, BillingOverviewResponse),
  errors: [404],
  async handle({ grant, world, request, query }) {
    await relayOverview(world, grant, request, { include_forecasting: query.include_forecasting });
    return overviewBody(world, await readOutlook(world, grant.organization.id), request);
  },
});

export const retrievePeriod = route({
  method: "GET",
  path: `${BASE}/period/`,
  summary: "The current billing period of an organization",
  tags: TAGS,
  access: billingKey("llm_gateway:read", "member"),
  query: TeamQuery,
  reply: json(200, BillingPeriodResponse),
  async handle({ grant, world }) {
    await relay(world, grant, { method: "GET", path: "/api/billing" }, { shape: periodOf, unlicensed: periodOf(null) });
    const { account } = await readCustomerState(world.table, grant.organization.id);
    const { start, end } = periodAt(account.anchor_day, world.clock.now());
    return { current_period_start: isoSeconds(start), current_period_end: isoSeconds(end) };
  },
});

/** The period of a customer as a billing service knows it, if it does. */
const periodOf = (body: unknown): z.input<typeof BillingPeriodResponse> => {
  const read = z.object({ customer: z.object({ billing_period: BillingPeriodResponse }) }).safeParse(body);
  return read.success ? read.data.customer.billing_period : { current_period_start: null, current_period_end: null };
};

/** Where an organization stands at this moment. */
export const readOutlook = async (world: World, organization: string): Promise<Outlook> => {
  const now = world.clock.now();
  const customer = await readCustomerState(world.table, organization);
  const { catalogue } = await currentPrices(world.table, customer.account, now);
  const usage = await usageIn(world, organization, periodAt(customer.account.anchor_day, now));
  return outlookAt(customer, catalogue, usage, now);
};

/** The overview with what lies outside the ledger. */
export const overviewBody = async (
  { table }: Pick<World, "table">,
  outlook: Outlook,
  request: HttpRequest,
): Promise<z.input<typeof BillingOverviewResponse>> => {
  const license = await get(table, Licenses, {});
  return {
    ...overviewOf(outlook),
    license: license === undefined ? null : { plan: license.plan },
    stripe_portal_url: portalLink(request),
    external_billing_provider_invoices_url: null,
  };
};
