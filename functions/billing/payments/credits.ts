import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { buyCredit, CREDIT_BRACKETS, readCredit } from "../../../lib/billing/credit.ts";
import { formatUsd } from "../../../lib/core/money.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import { integer, number } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, idempotencyKey, REFUSALS, requestCommand, Success, TAGS, TeamQuery } from "../operations.ts";
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
    const status = await buyCredit(world, requestCommand(grant, request, "credits/purchase", body), body);
    return { success: true as const, status, invoice_url: null };
  },
});

const CreditsOverview = z
  .object({
    eligible: z.boolean(),
    status: z.enum(["none", "pending", "active", "depleted", "expired", "voided"]),
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
    const { eligible, status, cents, expires_at, latest, projectedUsd } = await readCredit(world, grant.organization.id);
    return {
      eligible,
      status,
      estimated_monthly_credit_amount_usd: Number(projectedUsd),
      invoice_url: null,
      collection_method: latest?.collection_method ?? null,
      cc_last_four: null,
      cc_brand: null,
      email: null,
      credit_brackets: [...CREDIT_BRACKETS],
      balance_usd: formatUsd(cents),
      expires_at: expires_at === null ? null : isoSeconds(expires_at),
    };
  },
});
