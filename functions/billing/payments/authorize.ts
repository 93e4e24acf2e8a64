import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { BillingAccounts } from "../../../lib/billing/accounts.ts";
import { readCustomerState } from "../../../lib/billing/customer-state.ts";
import {
  authorizationId,
  knowsSecret,
  newAuthorizationId,
  pendingAuthorization,
  resolved,
} from "../../../lib/billing/payments/authorization.ts";
import type { PaymentProvider } from "../../../lib/billing/payments/payment-provider.ts";
import { providerOf } from "../../../lib/billing/payments/provider-of.ts";
import { releaseHold } from "../../../lib/billing/payments/release-hold.ts";
import { PAYMENT_STATES, type PaymentAuthorization, PaymentAuthorizations } from "../../../lib/billing/payments.ts";
import { refused } from "../../../lib/billing/refusal.ts";
import { replacing } from "../../../lib/billing/replacing.ts";
import { runCommand } from "../../../lib/billing/run-command.ts";
import { text } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { faultFields } from "../../../lib/http/request-log.ts";
import { get } from "../../../lib/table/store.ts";
import { commandOf, idempotencyKey } from "../command.ts";
import { BASE, TAGS, TeamQuery } from "../place.ts";
import { REFUSALS, Success } from "../replies.ts";
import { relay } from "../upstream/relay.ts";

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
    const own = newAuthorizationId(world.ids);
    return runCommand(world, commandOf(grant, request, "activate/authorize", body), async () => {
      const { account } = await readCustomerState(world.table, grant.organization.id);
      const begun = await providerOf(world.config, world.ids).authorize(account, own);
      const authorization = pendingAuthorization(account.organization_id, begun, world.clock.now());
      const known =
        begun.customerId === account.provider_customer_id
          ? []
          : [replacing(BillingAccounts, { ...account, provider_customer_id: begun.customerId })];
      const answer = { clientSecret: begun.clientSecret, success: true as const };
      return { writes: [replacing(PaymentAuthorizations, authorization), ...known], answer };
    });
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
  reply: json(200, z.object({ status: z.enum(PAYMENT_STATES), error: z.string().optional() }).meta({ id: "BillingAuthorizationStatus" })),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relay(world, grant, { method: "POST", path: "/api/activate/authorize/status", body, key: idempotencyKey(request) });
    const provider = providerOf(world.config, world.ids);
    const { authorized, ...answer } = await runCommand<AuthorizationReply>(
      world,
      commandOf(grant, request, "activate/authorize/status", body),
      async () => {
        const sent = body.payment_intent_id;
        const organization_id = grant.organization.id;
        const found = await get(world.table, PaymentAuthorizations, { organization_id, id: authorizationId(sent) }, { consistent: true });
        if (found === undefined || !knowsSecret(found, sent))
          throw refused("authorization_not_found", "There is no such authorization. Begin a new one.");
        const asked = await provider.status(found.id);
        const next = resolved(found, asked, world.clock.now());
        const told = { status: next.state, ...(next.error !== null && { error: next.error }) };
        if (next === found) return { writes: [], answer: { ...told, authorized: null } };
        if (next.state !== "success") return { writes: [replacing(PaymentAuthorizations, next)], answer: { ...told, authorized: null } };
        const { account } = await readCustomerState(world.table, organization_id);
        const paying = { ...account, has_payment_method: true, payment_method_id: asked.method };
        const given = { ...next, held_since: provider.collects ? world.clock.now() : null };
        const writes = [replacing(PaymentAuthorizations, given), replacing(BillingAccounts, paying)];
        return { writes, answer: { ...told, authorized: found.id } };
      },
    );
    if (authorized !== null && provider.collects)
      await release(world, provider, { organization_id: grant.organization.id, id: authorized });
    return answer;
  },
});

/** What is told of an authorization, and which one has been given by this very call. */
interface AuthorizationReply {
  readonly status: (typeof PAYMENT_STATES)[number];
  readonly error?: string;
  readonly authorized: string | null;
}

/** What was held is given back at once; what cannot be is given back by a later hour. */
const release = async (
  world: World,
  provider: PaymentProvider,
  key: Pick<PaymentAuthorization, "organization_id" | "id">,
): Promise<void> => {
  await releaseHold(world, provider, key).catch((fault: unknown) =>
    world.log.line("warn", "authorization_not_released", faultFields(fault)),
  );
};
