import * as z from "zod";
import { DAY_MS } from "../../core/time.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { type Catalogue, findItem } from "../catalogue/catalogue.ts";
import type { PeriodPrices } from "../catalogue/period-prices.ts";
import { refused } from "../commands.ts";
import { ALL_PRODUCTS, type Choice, choice, itemsAt, parseChoices, type SubscriptionItem } from "./subscription.ts";

const TRIAL_TYPES = ["autosubscribe", "standard"] as const;
const TRIAL_STATUSES = ["active", "expired", "cancelled", "converted"] as const;

/** A trial of a plan or an addon. There is one per target, ever. */
export const Trial = z.object({
  organization_id: z.guid(),
  target: z.string(),
  type: z.enum(TRIAL_TYPES),
  status: z.enum(TRIAL_STATUSES),
  /** Milliseconds since 1970. */
  started_at: z.int(),
  expires_at: z.int(),
  /** When it was cancelled; null where it was not. */
  cancelled_at: z.int().nullable().default(null),
  /** When a running trial ends, null once it has: what the closing looks for. */
  due_at: z.int().nullable(),
  version: z.int().min(0),
});
export type Trial = z.output<typeof Trial>;

export const Trials = entity({
  name: "billing-trial",
  version: 1,
  schema: Trial,
  key: within("billing", "trial#{target}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-trials", sk: "{due_at}#{organization_id}" } },
});

/** The target of a trial of everything that is sold by use. */
const PAID = "paid";

const STANDARD_DAYS = 30;

/** The status of a trial at a moment; its end is derived, not stored. */
export const trialStatus = ({ status, expires_at, type }: Trial, now: number): Trial["status"] => {
  if (status !== "active" || expires_at > now) return status;
  return type === "standard" ? "expired" : "converted";
};

/** The trial that runs. */
export const activeTrial = (trials: readonly Trial[], now: number): Trial | undefined =>
  trials.find((trial) => trialStatus(trial, now) === "active");

/** A new trial of a target. */
export const newTrial = (
  { trials, organization_id }: { readonly trials: readonly Trial[]; readonly organization_id: string },
  catalogue: Catalogue,
  { type, target }: Pick<Trial, "type" | "target">,
  now: number,
): Trial => {
  const item = findItem(catalogue, target);
  if (item === undefined && target !== PAID)
    throw refused("product_not_found", "There is nothing of this name to try. Try `paid`, a product or an addon.");
  if (activeTrial(trials, now) !== undefined) throw refused("trial_already_used", "A trial is running. Cancel it, or wait for its end.");
  if (trials.some((trial) => trial.target === target))
    throw refused("trial_already_used", "This has been tried before. Subscribe to it to go on using it.");
  const days = item?.trial?.length ?? STANDARD_DAYS;
  const expires_at = now + days * DAY_MS;
  return {
    organization_id,
    target,
    type,
    status: "active",
    started_at: now,
    expires_at,
    cancelled_at: null,
    due_at: expires_at,
    version: 0,
  };
};

/** The running trial, cancelled. */
export const cancelActiveTrial = (trials: readonly Trial[], now: number): Trial => {
  const trial = activeTrial(trials, now);
  if (trial === undefined) throw refused("no_active_trial", "No trial is running, so there is none to cancel.");
  return { ...trial, status: "cancelled", cancelled_at: now, due_at: null };
};

/** When a trial ended or will end. Of one that was cancelled by a release that did not say when, nothing is known to have been tried. */
export const trialEnd = ({ status, cancelled_at, expires_at, started_at }: Trial): number =>
  status === "cancelled" ? (cancelled_at ?? started_at) : expires_at;

/** What a trial is of, and converts to; none where the price list no longer has its target. */
export const trialChoices = (catalogue: Catalogue, { target }: Pick<Trial, "target">): readonly Choice[] =>
  target === PAID
    ? parseChoices(catalogue, ALL_PRODUCTS)
    : findItem(catalogue, target) === undefined
      ? []
      : [choice(catalogue, target, "")];

/** What a trial that converts subscribes to when it ends: what it was of, but for what is paid for by then. */
export const conversionChoices = (
  items: readonly SubscriptionItem[],
  trial: Trial,
  { catalogue, plan }: PeriodPrices,
): readonly Choice[] => {
  const paidFor = itemsAt(items, trial.expires_at).filter((item) => plan(item, item.since)?.plan.is_free !== true);
  return trialChoices(catalogue, trial).filter((choice) => paidFor.every(({ product }) => product !== choice.product));
};
