import { Organizations } from "../../organizations/organizations.ts";
import type { Table } from "../../ports/table.ts";
import { getMany, pages } from "../../table/store.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ChosenPlan } from "../catalogue/price-history.ts";
import { BillingAccounts, newAccount } from "../customer/account.ts";
import { runningItems, Subscriptions } from "../customer/subscription.ts";
import { type Trial, Trials, trialChoices } from "../customer/trial.ts";
import { type Period, periodAt } from "../rating/period.ts";

/** A plan that an organization has chosen and that goes on. */
export interface HeldPlan extends ChosenPlan {
  readonly organization_id: string;
  /** Start of the period in which it was chosen. */
  readonly since: number;
  /** The organization's period that runs. */
  readonly period: Period;
}

/**
 * The plans that all organizations hold at a moment, and those that they try, by the list of that moment; of trials that lead to no
 * subscription only those that still run at `until`. Organizations that were removed choose nothing any more.
 */
export async function* heldPlans(
  table: Table,
  catalogue: Catalogue,
  { now, until }: { readonly now: number; readonly until: number },
): AsyncGenerator<HeldPlan> {
  const trials = await readTrials(table);
  for await (const organizations of pages(table, Organizations, "all", {})) {
    const keys = organizations.filter(({ state }) => state === "active").map(({ id }) => ({ organization_id: id }));
    const [subscriptions, accounts] = await Promise.all([
      getMany(table, Subscriptions, keys, { consistent: true }),
      getMany(table, BillingAccounts, keys, { consistent: true }),
    ]);
    const subscribed = byOrganization(subscriptions);
    const known = byOrganization(accounts);
    for (const { organization_id } of keys) {
      const { anchor_day } = known.get(organization_id) ?? newAccount(organization_id);
      const period = periodAt(anchor_day, now);
      for (const { product, plan_key, since } of runningItems(subscribed.get(organization_id), now))
        yield { organization_id, product, plan_key, since: periodAt(anchor_day, since).start, period };
      for (const trial of trials.get(organization_id) ?? []) {
        if (trial.type === "standard" && trial.expires_at <= until) continue;
        for (const choice of trialChoices(catalogue, trial)) yield { organization_id, ...choice, since: period.start, period };
      }
    }
  }
}

/** By organization, the trials that have not ended, or whose end nobody has written down yet. */
const readTrials = async (table: Table): Promise<ReadonlyMap<string, readonly Trial[]>> => {
  const read: Trial[] = [];
  for await (const trials of pages(table, Trials, "due", {})) read.push(...trials);
  return Map.groupBy(read, ({ organization_id }) => organization_id);
};

const byOrganization = <T extends { readonly organization_id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.organization_id, item]));
