import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { BillingAccounts } from "../../../lib/billing/accounts.ts";
import { currentCatalogue } from "../../../lib/billing/catalogue/current-catalogue.ts";
import { readCustomerState } from "../../../lib/billing/customer-state.ts";
import { replacing } from "../../../lib/billing/replacing.ts";
import { cancelled, trialOf } from "../../../lib/billing/subscriptions/trial.ts";
import { TRIAL_STATUSES, TRIAL_TYPES, Trials } from "../../../lib/billing/trials.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import { text } from "../../../lib/http/fields.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import { commandOf, idempotencyKey } from "../command.ts";
import { BASE, TAGS, TeamQuery } from "../place.ts";
import { REFUSALS, Success } from "../replies.ts";
import { runTermsCommand } from "../terms.ts";
import { relay } from "../upstream/relay.ts";

const access = billingKey("billing:write", "full");

const TrialBody = z
  .object({
    type: z.enum(TRIAL_TYPES),
    target: text({ max: 100 }),
  })
  .meta({ id: "BillingTrialActivate" });

export const BillingTrial = z
  .object({ type: z.enum(TRIAL_TYPES), status: z.enum(TRIAL_STATUSES), target: z.string(), expires_at: z.string() })
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
    return runTermsCommand(world, commandOf(grant, request, "trials/activate", body), async () => {
      const { account, trials } = await readCustomerState(world.table, grant.organization.id);
      const now = world.clock.now();
      const catalogue = await currentCatalogue(world.table, now);
      const trial = trialOf({ trials, organization_id: account.organization_id }, catalogue, body, now);
      const { type, status, target, expires_at } = trial;
      const answer = { success: true as const, trial: { type, status, target, expires_at: isoSeconds(expires_at) } };
      return { writes: [replacing(BillingAccounts, account), replacing(Trials, trial)], answer };
    });
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
    await runTermsCommand(world, commandOf(grant, request, "trials/cancel", body), async () => {
      const { account, trials } = await readCustomerState(world.table, grant.organization.id);
      const trial = cancelled(trials, world.clock.now());
      return { writes: [replacing(BillingAccounts, account), replacing(Trials, trial)], answer: null };
    });
  },
});
