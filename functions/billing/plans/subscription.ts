import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { BillingAccounts } from "../../../lib/billing/accounts.ts";
import { readCustomerState } from "../../../lib/billing/customer-state.ts";
import { currentPrices } from "../../../lib/billing/invoices/open-invoice.ts";
import { checkPaymentMethod } from "../../../lib/billing/payments/payment-provider.ts";
import { providerOf } from "../../../lib/billing/payments/provider-of.ts";
import { replacing } from "../../../lib/billing/replacing.ts";
import { activated, choice, choicesOf, switched } from "../../../lib/billing/subscriptions/subscription.ts";
import { withStatus } from "../../../lib/billing/subscriptions/suspension.ts";
import { Subscriptions } from "../../../lib/billing/subscriptions.ts";
import { text } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { commandOf, idempotencyKey } from "../command.ts";
import { BASE, TAGS, TeamQuery } from "../place.ts";
import { REFUSALS, Success } from "../replies.ts";
import { runTermsCommand } from "../terms.ts";
import { relay } from "../upstream/relay.ts";

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
    return runTermsCommand(world, commandOf(grant, request, "activate", body), async () => {
      const { account, subscription } = await readCustomerState(world.table, grant.organization.id);
      const now = world.clock.now();
      const { catalogue, opening } = await currentPrices(world.table, account, now);
      const choices = choicesOf(catalogue, body.products);
      checkPaymentMethod(providerOf(world.config, world.ids), account);
      const next = activated(subscription, { organization_id: account.organization_id, id: world.ids.ulid() }, choices, now);
      const answer = { success: true as const, products: choices.map(({ product }) => product) };
      if (next === subscription) return { writes: [], answer };
      return { writes: [replacing(BillingAccounts, withStatus(account, next, now)), replacing(Subscriptions, next), ...opening], answer };
    });
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
    return runTermsCommand(world, commandOf(grant, request, "switch-plan", body), async () => {
      const { account, subscription } = await readCustomerState(world.table, grant.organization.id);
      const now = world.clock.now();
      const { catalogue, opening } = await currentPrices(world.table, account, now);
      const to = choice(catalogue, body.to_product_key, body.to_plan_key);
      const next = switched(subscription, { product: body.from_product_key, plan_key: body.from_plan_key }, to, now);
      const answer = { success: true as const };
      if (next === subscription) return { writes: [], answer };
      return { writes: [replacing(BillingAccounts, account), replacing(Subscriptions, next), ...opening], answer };
    });
  },
});
