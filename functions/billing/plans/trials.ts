import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import * as plans from "../../../lib/billing/plans.ts";
import { text } from "../../../lib/http/fields.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import { BASE, idempotencyKey, REFUSALS, requestCommand, Success, TAGS, TeamQuery } from "../operations.ts";
import { relay } from "../upstream/relay.ts";

const access = billingKey("billing:write", "full");

const TrialType = z.enum(["autosubscribe", "standard"]);

const TrialBody = z
  .object({
    type: TrialType,
    target: text({ max: 100 }),
  })
  .meta({ id: "BillingTrialActivate" });

export const BillingTrial = z
  .object({ type: TrialType, status: z.enum(["active", "expired", "cancelled", "converted"]), target: z.string(), expires_at: z.string() })
  .meta({ id: "BillingTrial" });

export const activateTrial = route({
  method: "POST",
  path: `${BASE}/trials/activate/`,
  summary: "Begin a trial",
  description: "One at a time, and each target once.",
  tags: TAGS,
  access,
  query: TeamQuery,
  body: TrialBody,
  examples: { body: { type: "standard", target: "paid" } },
  reply: json(200, Success.extend({ trial: BillingTrial })),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relay(world, grant, { method: "POST", path: "/api/trials/activate", body, key: idempotencyKey(request) });
    return plans.startTrial(world, requestCommand(grant, request, "trials/activate", body), body);
  },
});

export const cancelTrial = route({
  method: "POST",
  path: `${BASE}/trials/cancel/`,
  summary: "End the running trial",
  tags: TAGS,
  access,
  query: TeamQuery,
  body: z.object({}).meta({ id: "BillingTrialCancel" }),
  examples: { body: {} },
  reply: empty(200),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relay(
      world,
      grant,
      { method: "POST", path: "/api/trials/cancel", body, key: idempotencyKey(request) },
      { shape: () => null, unlicensed: null },
    );
    await plans.cancelTrial(world, requestCommand(grant, request, "trials/cancel", body));
  },
});
