import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { withLink } from "../../../lib/billing/commands.ts";
import * as plans from "../../../lib/billing/plans.ts";
import { boolean, text } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, idempotencyKey, portalLink, REFUSALS, requestCommand, Success, TAGS, TeamQuery } from "../operations.ts";
import { overviewBody } from "../overview.ts";
import { relayChange } from "../upstream/overview.ts";
import { relay } from "../upstream/relay.ts";
import { BillingOverviewResponse } from "../wire.ts";

const access = billingKey("billing:write", "full");

const ActivateBody = z
  .object({
    products: text({ max: 10_000 }).meta({
      examples: ["product_analytics:paid-20260101,surveys:"],
    }),
  })
  .meta({ id: "BillingActivate" });

export const activate = route({
  method: "POST",
  path: `${BASE}/activate/`,
  summary: "Subscribe to products",
  description: "What is subscribed already stays as it is.",
  tags: TAGS,
  access,
  query: TeamQuery,
  body: ActivateBody,
  examples: { body: { products: "product_analytics:,surveys:" } },
  reply: json(200, Success.extend({ products: z.array(z.string()) })),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relay(world, grant, { method: "POST", path: "/api/activate", body, key: idempotencyKey(request) });
    const { products } = await plans.subscribe(world, requestCommand(grant, request, "activate", body), body.products);
    return { success: true as const, products: [...products] };
  },
});

const SwitchBody = z
  .object({
    from_product_key: text({ max: 100 }),
    from_plan_key: text({ max: 100 }),
    to_product_key: text({ max: 100 }),
    to_plan_key: text({ max: 100 }),
  })
  .meta({ id: "BillingSwitchPlan" });

export const switchPlan = route({
  method: "POST",
  path: `${BASE}/subscription/switch-plan/`,
  summary: "Subscribe to one plan in the place of another",
  description: "Fees of both are charged for the whole days that each ran.",
  tags: TAGS,
  access,
  query: TeamQuery,
  body: SwitchBody,
  examples: {
    body: {
      from_product_key: "product_analytics",
      from_plan_key: "paid-20260101",
      to_product_key: "product_analytics",
      to_plan_key: "free-20260101",
    },
  },
  reply: json(200, Success),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relay(world, grant, { method: "POST", path: "/api/subscription/switch-plan/", body, key: idempotencyKey(request) });
    const from = { product: body.from_product_key, plan_key: body.from_plan_key };
    const to = { product: body.to_product_key, plan_key: body.to_plan_key };
    return plans.switchPlan(world, requestCommand(grant, request, "switch-plan", body), from, to);
  },
});

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
    return withLink(portalLink(request), async () => {
      await relayChange(world, grant, request, { method: "POST", path: "/api/billing/deactivate", body, key: idempotencyKey(request) });
      const ending = { products: body.products, atPeriodEnd: body.cancel_at_period_end ?? false };
      return plans.unsubscribe(world, requestCommand(grant, request, "deactivate", body), ending, (overview) =>
        overviewBody(overview, request),
      );
    });
  },
});
