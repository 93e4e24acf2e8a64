import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { BillingAccounts } from "../../../lib/billing/accounts.ts";
import type { Catalogue } from "../../../lib/billing/catalogue/catalogue.ts";
import { type CustomerState, readCustomerState } from "../../../lib/billing/customer-state.ts";
import { readInvoices } from "../../../lib/billing/invoices/invoice-list.ts";
import { isUnpaid } from "../../../lib/billing/invoices/invoice-states.ts";
import { currentPrices } from "../../../lib/billing/invoices/open-invoice.ts";
import { outlookAt } from "../../../lib/billing/overview/outlook.ts";
import { periodAt } from "../../../lib/billing/period.ts";
import { usageIn } from "../../../lib/billing/period-usage.ts";
import { refused } from "../../../lib/billing/refusal.ts";
import { replacing } from "../../../lib/billing/replacing.ts";
import { choicesOf, deactivated } from "../../../lib/billing/subscriptions/subscription.ts";
import { withStatus } from "../../../lib/billing/subscriptions/suspension.ts";
import { Subscriptions } from "../../../lib/billing/subscriptions.ts";
import { boolean, text } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { commandOf, idempotencyKey } from "../command.ts";
import { overviewBody } from "../overview.ts";
import { BASE, portalLink, TAGS, TeamQuery } from "../place.ts";
import { REFUSALS } from "../replies.ts";
import { runTermsCommand } from "../terms.ts";
import { relayChange } from "../upstream/relay-overview.ts";
import { BillingOverviewResponse } from "../wire.ts";

const DeactivateBody = z
  .object({
    products: text({ max: 10_000 }),
    cancel_at_period_end: boolean().optional(),
  })
  .meta({ id: "BillingDeactivate" });

export const deactivate = route({
  method: "POST",
  path: `${BASE}/deactivate/`,
  summary: "End the subscription to products",
  description: "At once, or with the period. What was used until then lands on the current invoice. Refused while an invoice is unpaid.",
  tags: TAGS,
  access: billingKey("billing:write", "full"),
  query: TeamQuery,
  body: DeactivateBody,
  examples: { body: { products: "surveys", cancel_at_period_end: true } },
  reply: json(200, BillingOverviewResponse),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    const more = { link: portalLink(request) };
    await relayChange(world, grant, request, { method: "POST", path: "/api/billing/deactivate", body, key: idempotencyKey(request) }, more);
    return runTermsCommand(world, commandOf(grant, request, "deactivate", body), async () => {
      const organization = grant.organization.id;
      const now = world.clock.now();
      const customer = await readCustomerState(world.table, organization);
      const { account, subscription } = customer;
      const { catalogue } = await currentPrices(world.table, account, now);
      const products = withAddons(
        catalogue,
        choicesOf(catalogue, body.products).map(({ product }) => product),
      );
      const unpaid = (await readInvoices(world.table, organization)).filter(isUnpaid);
      if (unpaid.length > 0) throw refused("open_invoices_error", OPEN_INVOICES, { link: portalLink(request) });
      const period = periodAt(account.anchor_day, now);
      const next = subscription && deactivated(subscription, products, now, body.cancel_at_period_end ? period.end : now);
      const then: CustomerState = { ...customer, account: withStatus(account, next, now), subscription: next };
      const usage = await usageIn(world, organization, period);
      const answer = await overviewBody(world, outlookAt(then, catalogue, usage, now), request);
      const writes = next === undefined ? [] : [replacing(BillingAccounts, then.account), replacing(Subscriptions, next)];
      return { writes, answer };
    });
  },
});

const OPEN_INVOICES = "There are unpaid invoices. Pay them first, then end the subscription.";

const withAddons = ({ products }: Catalogue, ended: readonly string[]): readonly string[] => [
  ...ended,
  ...products.filter(({ type }) => ended.includes(type)).flatMap(({ addons }) => addons.map(({ type }) => type)),
];
