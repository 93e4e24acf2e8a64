import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { billingKey } from "../../lib/auth/billing-access.ts";
import { type Overview, readOverview, readPeriod } from "../../lib/billing/overview.ts";
import { isoSeconds } from "../../lib/core/time.ts";
import { json } from "../../lib/http/reply.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { BASE, portalLink, TAGS, TeamQuery } from "./operations.ts";
import { relayOverview } from "./upstream/overview.ts";
import { relay } from "./upstream/relay.ts";
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
    return overviewBody(await readOverview(world, grant.organization.id), request);
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
    await relay(world, grant, { method: "GET", path: "/api/billing" }, { shape: knownPeriod, unlicensed: knownPeriod(null) });
    const { start, end } = await readPeriod(world, grant.organization.id);
    return { current_period_start: isoSeconds(start), current_period_end: isoSeconds(end) };
  },
});

/** The period of a customer as a billing service knows it, if it does. */
const knownPeriod = (body: unknown): z.input<typeof BillingPeriodResponse> => {
  const read = z.object({ customer: z.object({ billing_period: BillingPeriodResponse }) }).safeParse(body);
  return read.success ? read.data.customer.billing_period : { current_period_start: null, current_period_end: null };
};

/** The overview with the addresses that its request leads to. */
export const overviewBody = (overview: Overview, request: HttpRequest): z.input<typeof BillingOverviewResponse> => ({
  ...overview,
  stripe_portal_url: portalLink(request),
  external_billing_provider_invoices_url: null,
});
