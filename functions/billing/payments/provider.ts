import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { anyone } from "../../../lib/auth/access.ts";
import { type BillingGrant, billingKey } from "../../../lib/auth/billing-access.ts";
import { isUpstream } from "../../../lib/billing/billing-service.ts";
import { findLicense } from "../../../lib/billing/license.ts";
import * as payments from "../../../lib/billing/payments.ts";
import { isFields } from "../../../lib/event/fields.ts";
import { ApiError, bare, invalid } from "../../../lib/http/errors.ts";
import { text } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { faultFields } from "../../../lib/http/request-log.ts";
import { BASE, billingPage, idempotencyKey, REFUSALS, requestCommand, Success, TAGS, TeamQuery } from "../operations.ts";
import { acceptedBody, callBillingService, relay } from "../upstream/relay.ts";

const access = billingKey("billing:write", "member");

export const authorize = route({
  method: "POST",
  path: `${BASE}/activate/authorize/`,
  summary: "Begin to authorize a payment method",
  description: "Answers the secret with which the provider's page goes on.",
  tags: TAGS,
  access,
  query: TeamQuery,
  body: z.object({}).meta({ id: "BillingAuthorize" }),
  examples: { body: {} },
  reply: json(200, Success.extend({ clientSecret: z.string() })),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relay(world, grant, { method: "POST", path: "/api/activate/authorize", body, key: idempotencyKey(request) });
    return payments.beginAuthorization(world, requestCommand(grant, request, "activate/authorize", body));
  },
});

const StatusBody = z.object({ payment_intent_id: text({ max: 500 }) }).meta({ id: "BillingAuthorizeStatus" });

export const authorizeStatus = route({
  method: "POST",
  path: `${BASE}/activate/authorize/status/`,
  summary: "How the authorization of a payment method stands",
  description: "To be asked again until it is no longer `pending`.",
  tags: TAGS,
  access,
  query: TeamQuery,
  body: StatusBody,
  examples: { body: { payment_intent_id: "pi_0123456789" } },
  reply: json(
    200,
    z
      .object({ status: z.enum(["pending", "success", "failed", "expired"]), error: z.string().optional() })
      .meta({ id: "BillingAuthorizationStatus" }),
  ),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relay(world, grant, { method: "POST", path: "/api/activate/authorize/status", body, key: idempotencyKey(request) });
    const command = requestCommand(grant, request, "activate/authorize/status", body);
    return payments.checkAuthorization(world, command, body.payment_intent_id, (fault) =>
      world.log.line("warn", "authorization_not_released", faultFields(fault)),
    );
  },
});

const PAGE = "text/html";
const FOUND = 302;

export const retrievePortal = route({
  method: "GET",
  path: `${BASE}/portal/`,
  summary: "Where invoices are seen and paid",
  description: "Leads browsers on; tells others the address.",
  tags: TAGS,
  access: billingKey("billing:read", "full"),
  query: TeamQuery,
  reply: { ...json(200, Success.extend({ url: z.string().nullable() })), accepts: PAGE },
  errors: [{ status: FOUND, description: "The address, for whoever accepts a page.", body: null }],
  async handle({ query, grant, world, request }) {
    const page = billingPage(request, query.team_id);
    const url = await (isUpstream(world) ? upstreamPortal(world, grant) : payments.portalUrl(world, grant.organization.id, page));
    if (!(request.headers.accept ?? "").includes(PAGE)) return { success: true as const, url };
    throw new ApiError(FOUND, null, { headers: { location: url ?? page } });
  },
});

/** The billing service's portal; without a license there is none. */
const upstreamPortal = async (world: World, grant: BillingGrant): Promise<string | null> => {
  const license = await findLicense(world);
  if (license === undefined) throw bare(200, { success: true });
  const body = acceptedBody(await callBillingService(world, license, grant, { method: "GET", path: "/api/billing/portal" }));
  return isFields(body) && typeof body.url === "string" ? body.url : null;
};

/** Several times the largest event. */
const MAX_NOTICE_BYTES = 1_000_000;

const Notice = z
  .looseObject({ type: z.string(), data: z.looseObject({ object: z.looseObject({}) }) })
  .meta({ id: "StripeEvent", description: "An event as the payment provider sends it, with its signature in `Stripe-Signature`." });

export const hearOfPayment = route({
  method: "POST",
  path: `${BASE}/webhooks/stripe/`,
  summary: "Hear from the payment provider how a payment came out",
  description: "Only bytes that carry the provider's signature are read; what they say of anything else is taken and left.",
  tags: TAGS,
  access: anyone,
  throttle: "none",
  rawBody: { maxBytes: MAX_NOTICE_BYTES, shown: Notice },
  examples: {
    body: {
      type: "payment_intent.succeeded",
      data: { object: { id: "pi_0123456789", status: "succeeded", amount_received: 9_288, metadata: {} } },
    },
  },
  reply: json(200, z.object({ received: z.literal(true) })),
  async handle({ world, request }) {
    const isSigned = await payments.hearOfPayment(world, request.body, request.headers["stripe-signature"]);
    if (!isSigned) throw invalid(null, "This call is not signed by the payment provider of this deployment.");
    return { received: true as const };
  },
});
