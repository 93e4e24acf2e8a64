import { BillingAccounts } from "../accounts.ts";
import { readCustomerState } from "../customer-state.ts";
import type { ClosingParts } from "../invoices/close-invoice.ts";
import { currentPrices } from "../invoices/open-invoice.ts";
import { replacing } from "../replacing.ts";
import { runCommand } from "../run-command.ts";
import { Subscriptions } from "../subscriptions.ts";
import { type Trial, Trials } from "../trials.ts";
import { activated } from "./subscription.ts";
import { withStatus } from "./suspension.ts";
import { conversionOf, trialStatus } from "./trial.ts";

/** Ends a trial that is over: one that converts subscribes to what was tried. */
export const endTrial = async (
  parts: ClosingParts,
  { organization_id, target }: Pick<Trial, "organization_id" | "target">,
): Promise<void> => {
  const { table, clock, ids } = parts;
  await runCommand(parts, { organization: organization_id, operation: "end-trial", key: undefined, body: null }, async () => {
    const now = clock.now();
    const { account, subscription, trials } = await readCustomerState(table, organization_id);
    const trial = trials.find((each) => each.target === target);
    if (trial?.status !== "active" || trial.expires_at > now) return { writes: [], answer: null };
    const status = trialStatus(trial, now);
    const ended = replacing(Trials, { ...trial, status, due_at: null });
    if (status !== "converted") return { writes: [ended], answer: null };
    const { catalogue, opening } = await currentPrices(table, account, now);
    const next = activated(subscription, { organization_id, id: ids.ulid() }, conversionOf(catalogue, trial), now);
    return {
      writes: [ended, replacing(BillingAccounts, withStatus(account, next, now)), replacing(Subscriptions, next), ...opening],
      answer: null,
    };
  });
};
