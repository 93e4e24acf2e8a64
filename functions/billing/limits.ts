import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { billingKey } from "../../lib/auth/billing-access.ts";
import { setLimits } from "../../lib/billing/overview.ts";
import { json } from "../../lib/http/reply.ts";
import { BASE, idempotencyKey, REFUSALS, requestCommand, TAGS, TeamQuery } from "./operations.ts";
import { overviewBody } from "./overview.ts";
import { relayChange } from "./upstream/overview.ts";
import { BillingOverviewResponse } from "./wire.ts";

/** More dollars than anybody spends, and few enough to be whole cents exactly. */
const MAX_USD = 1_000_000_000;

const fromJson = (input: unknown): unknown => {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
};

const LimitsBody = z
  .object({
    custom_limits_usd: z.preprocess(fromJson, z.record(z.string(), z.number().min(0).max(MAX_USD).nullable())).optional(),
    reset_limit_next_period: z.preprocess(fromJson, z.union([z.boolean(), z.record(z.string(), z.boolean())])).optional(),
  })
  .meta({ id: "BillingLimits", description: "A form sends objects as JSON." });

export const updateLimits = route({
  method: "PATCH",
  path: `${BASE}/`,
  summary: "Set what a product may cost in a period",
  description: "Use beyond it is not taken. Answers the overview.",
  tags: TAGS,
  access: billingKey("billing:write", "full"),
  query: TeamQuery,
  body: LimitsBody,
  examples: {
    body: { custom_limits_usd: { product_analytics: 200, session_replay: null }, reset_limit_next_period: { product_analytics: true } },
  },
  reply: json(200, BillingOverviewResponse),
  errors: REFUSALS,
  async handle({ body, grant, world, request }) {
    await relayChange(world, grant, request, { method: "PATCH", path: "/api/billing/", body, key: idempotencyKey(request) });
    const change = { usd: body.custom_limits_usd ?? {}, reset: body.reset_limit_next_period };
    return setLimits(world, requestCommand(grant, request, "limits", body), change, (overview) => overviewBody(overview, request));
  },
});
