import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { billingKey } from "../../lib/auth/billing-access.ts";
import { BillingAccounts } from "../../lib/billing/accounts.ts";
import { itemsOf } from "../../lib/billing/catalogue/catalogue.ts";
import { outlookAt } from "../../lib/billing/overview/outlook.ts";
import { withLimits } from "../../lib/billing/rating/limits.ts";
import { replacing } from "../../lib/billing/replacing.ts";
import { invalid } from "../../lib/http/errors.ts";
import { json } from "../../lib/http/reply.ts";
import { commandOf, idempotencyKey } from "./command.ts";
import { overviewBody, readOutlook } from "./overview.ts";
import { BASE, TAGS, TeamQuery } from "./place.ts";
import { REFUSALS } from "./replies.ts";
import { runTermsCommand } from "./terms.ts";
import { relayChange } from "./upstream/relay-overview.ts";
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
    return runTermsCommand(world, commandOf(grant, request, "limits", body), async () => {
      const outlook = await readOutlook(world, grant.organization.id);
      const known = new Set(itemsOf(outlook.catalogue).flatMap(({ type, usage_key }) => [type, usage_key ?? type]));
      const unknown = Object.keys(body.custom_limits_usd ?? {}).find((name) => !known.has(name));
      if (unknown !== undefined) throw invalid("custom_limits_usd", `There is no product "${unknown.slice(0, 60)}".`, "invalid_choice");
      const account = withLimits(
        outlook.customer.account,
        outlook.period,
        body.custom_limits_usd ?? {},
        body.reset_limit_next_period ?? false,
      );
      const then = outlookAt({ ...outlook.customer, account }, outlook.catalogue, outlook.usage, outlook.now);
      return { writes: [replacing(BillingAccounts, account)], answer: await overviewBody(world, then, request) };
    });
  },
});
