import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import * as coupons from "../../../lib/billing/coupons.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { text } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, idempotencyKey, REFUSALS, requestCommand, Success, TAGS, TeamQuery } from "../operations.ts";
import { relay } from "../upstream/relay.ts";

const ClaimBody = z
  .object({ code: text({ max: 100, blank: true }).nullish().meta({ description: "Required." }) })
  .meta({ id: "BillingCouponClaim" });

export const claimCoupon = route({
  method: "POST",
  path: `${BASE}/coupons/claim/`,
  summary: "Claim a coupon for the organization",
  description: "One of each campaign.",
  tags: TAGS,
  access: billingKey("billing:write", "full"),
  query: TeamQuery,
  body: ClaimBody,
  examples: { body: { code: "LAUNCH-0001" } },
  described: { body: ClaimBody.extend({ code: text({ max: 100 }) }).meta({ id: "BillingCouponClaim" }) },
  reply: json(200, Success.extend({ code: z.string(), campaign: z.string(), expires_at: z.string().nullable() })),
  errors: REFUSALS,
  async handle({ body: { code }, grant, world, request }) {
    if (!code) throw invalid("code", "Send the coupon's code.");
    await relay(world, grant, { method: "POST", path: "/api/coupons/claim", body: { code }, key: idempotencyKey(request) });
    return coupons.claimCoupon(world, requestCommand(grant, request, "coupons/claim", { code }), code);
  },
});

const ClaimedCoupon = z
  .object({
    code: z.string(),
    campaign_name: z.string(),
    campaign_slug: z.string(),
    claimed_at: z.string(),
    expires_at: z.string().nullable(),
    status: z.enum(["claimed", "expired", "exhausted"]),
  })
  .meta({ id: "BillingClaimedCoupon" });

export const retrieveCoupons = route({
  method: "GET",
  path: `${BASE}/coupons/overview/`,
  summary: "The coupons that the organization has claimed",
  description: "Oldest first.",
  tags: TAGS,
  access: billingKey("billing:read", "member"),
  query: TeamQuery,
  reply: json(200, z.object({ claimed_coupons: z.array(ClaimedCoupon) })),
  async handle({ grant, world }) {
    await relay(world, grant, { method: "GET", path: "/api/coupons/overview" }, { unlicensed: { claimed_coupons: [] } });
    const { claims } = await readCustomerState(world.table, grant.organization.id);
    return {
      claimed_coupons: coupons.currentClaims(claims, world.clock.now()).map((claim) => ({
        code: claim.code,
        campaign_name: claim.campaign_name,
        campaign_slug: claim.slug,
        claimed_at: isoSeconds(claim.claimed_at),
        expires_at: claim.expires_at === null ? null : isoSeconds(claim.expires_at),
        status: claim.status,
      })),
    };
  },
});
