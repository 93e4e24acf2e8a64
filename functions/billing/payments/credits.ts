import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { balanceOf } from "../../../lib/billing/credit/credits.ts";
import { CREDIT_BRACKETS, granting, ordered } from "../../../lib/billing/credit/purchase.ts";
import { GRANT_STATES } from "../../../lib/billing/credits.ts";
import { readCustomerState } from "../../../lib/billing/customer-state.ts";
import { usd } from "../../../lib/billing/money.ts";
import { overviewOf } from "../../../lib/billing/overview/overview.ts";
import { checkPaymentMethod, type PaymentProvider } from "../../../lib/billing/payments/payment-provider.ts";
import { providerOf } from "../../../lib/billing/payments/provider-of.ts";
import { settle } from "../../../lib/billing/payments/settle.ts";
import { refused } from "../../../lib/billing/refusal.ts";
import { runCommand } from "../../../lib/billing/run-command.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import { integer, number } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { commandOf, idempotencyKey } from "../command.ts";
import { readOutlook } from "../overview.ts";
import { BASE, TAGS, TeamQuery } from "../place.ts";
import { REFUSALS, Success } from "../replies.ts";
import { relay } from "../upstream/relay.ts";

const COLLECTION_METHODS = ["charge_automatically", "send_invoice"] as const;
const MAX_DOLLARS = 1_000_000_000;

const PurchaseBody = z
  .object({
    annual_amount_usd: integer({ min: 1, max: MAX_DOLLARS }),
    discount_percent: number({ min: 0, max: 100 }),
    collection_method: z.enum(COLLECTION_METHODS),
  })
  .meta({ id: "BillingCreditPurchase" });

export const purchaseCredits = route({
  method: "POST",
  path: `${BASE}/credits/purchase/`,
  summary: "Buy credit for a year",
  description: "Credit pays invoices before anything else does. With `send_invoice` it is there once its invoice is paid.",
  tags: TAGS,
  access: billingKey("billing:write", "full"),
  query: TeamQuery,
  body: PurchaseBody,
  examples: { body: { annual_amount_usd: 6_000, discount_percent: 10, collection_method: "send_invoice" } },
  reply: json(200, Success.extend({ status: z.enum(["active", "pending"]), invoice_url: z.string().nullable() })),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relay(world, grant, { method: "POST", path: "/api/credits/purchase", body, key: idempotencyKey(request) });
    const provider = providerOf(world.config, world.ids);
    const bought = await runCommand(world, commandOf(grant, request, "credits/purchase", body), async () => {
      const { account } = await readCustomerState(world.table, grant.organization.id);
      if (body.collection_method === "charge_automatically") checkPaymentMethod(provider, account);
      const now = world.clock.now();
      const ordering = ordered(account.organization_id, body, provider, world.ids, now);
      return {
        writes: granting(ordering, world.ids, now),
        answer: { id: ordering.id, charge_cents: ordering.charge_cents, state: ordering.state },
      };
    });
    const isThere = bought.state === "active" || (await isCharged(world, provider, grant.organization.id, body, bought));
    return { success: true as const, status: isThere ? ("active" as const) : ("pending" as const), invoice_url: null };
  },
});

/** A grant that could not be paid is bought anew. */
const FIRST_ATTEMPT = 0;

/** Collects for a grant that waits for it, once however often it is asked; whether it is paid. */
const isCharged = async (
  world: World,
  provider: PaymentProvider,
  organization_id: string,
  { collection_method }: z.output<typeof PurchaseBody>,
  { id, charge_cents }: { readonly id: string; readonly charge_cents: number },
): Promise<boolean> => {
  if (!provider.collects || collection_method !== "charge_automatically") return false;
  const { account } = await readCustomerState(world.table, organization_id);
  const subject = { organization_id, kind: "grant", id } as const;
  const paid = await provider.charge(account, charge_cents, subject, FIRST_ATTEMPT);
  await settle(world, subject, paid);
  if (paid.state === "failed") throw refused("payment_failed", paid.error ?? "The payment failed. Authorize another payment method.");
  return paid.state === "success";
};

const CreditsOverview = z
  .object({
    eligible: z.boolean(),
    status: z.enum(["none", ...GRANT_STATES]),
    estimated_monthly_credit_amount_usd: z.number().nullable(),
    invoice_url: z.string().nullable(),
    collection_method: z.enum(COLLECTION_METHODS).nullable(),
    cc_last_four: z.string().nullable(),
    cc_brand: z.string().nullable(),
    email: z.string().nullable(),
    credit_brackets: z.array(
      z.object({ discount: z.number(), annual_credit_from_inclusive: z.int(), annual_credit_to_exclusive: z.int().nullable() }),
    ),
    balance_usd: z.string(),
    expires_at: z.string().nullable(),
  })
  .meta({ id: "BillingCreditsOverview" });

export const retrieveCredits = route({
  method: "GET",
  path: `${BASE}/credits/overview/`,
  summary: "The organization's credit, and what more would cost",
  tags: TAGS,
  access: billingKey("billing:read", "member"),
  query: TeamQuery,
  reply: json(200, CreditsOverview),
  async handle({ grant, world }) {
    await relay(world, grant, { method: "GET", path: "/api/credits/overview" });
    const outlook = await readOutlook(world, grant.organization.id);
    const { status, cents, expires_at, latest } = balanceOf(outlook.customer.grants, outlook.now);
    return {
      eligible: outlook.customer.account.status !== "suspended",
      status,
      estimated_monthly_credit_amount_usd: Number(overviewOf(outlook).projected_total_amount_usd),
      invoice_url: null,
      collection_method: latest?.collection_method ?? null,
      cc_last_four: null,
      cc_brand: null,
      email: null,
      credit_brackets: [...CREDIT_BRACKETS],
      balance_usd: usd(cents),
      expires_at: expires_at === null ? null : isoSeconds(expires_at),
    };
  },
});
