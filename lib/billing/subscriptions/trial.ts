import { DAY_MS } from "../../core/time.ts";
import { type Catalogue, itemOf } from "../catalogue/catalogue.ts";
import { refused } from "../refusal.ts";
import type { Trial } from "../trials.ts";
import { ALL_PRODUCTS, type Choice, choice, choicesOf } from "./subscription.ts";

/** What a trial of no item of the price list is of: everything that is sold by use. */
const PAID = "paid";

const STANDARD_DAYS = 30;

/** How a trial stands at a moment: its end needs nobody to write it down. */
export const trialStatus = ({ status, expires_at, type }: Trial, now: number): Trial["status"] => {
  if (status !== "active" || expires_at > now) return status;
  return type === "standard" ? "expired" : "converted";
};

/** The trial that runs. */
export const activeTrial = (trials: readonly Trial[], now: number): Trial | undefined =>
  trials.find((trial) => trialStatus(trial, now) === "active");

/** A new trial of a target. */
export const trialOf = (
  { trials, organization_id }: { readonly trials: readonly Trial[]; readonly organization_id: string },
  catalogue: Catalogue,
  { type, target }: Pick<Trial, "type" | "target">,
  now: number,
): Trial => {
  const item = itemOf(catalogue, target);
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
    due_at: expires_at,
    version: 0,
  };
};

/** The running trial, cancelled. */
export const cancelled = (trials: readonly Trial[], now: number): Trial => {
  const trial = activeTrial(trials, now);
  if (trial === undefined) throw refused("no_active_trial", "No trial is running, so there is none to cancel.");
  return { ...trial, status: "cancelled", due_at: null };
};

/** What a trial that converts subscribes: nothing, where the price list has it no longer. */
export const conversionOf = (catalogue: Catalogue, { target }: Pick<Trial, "target">): readonly Choice[] =>
  target === PAID ? choicesOf(catalogue, ALL_PRODUCTS) : itemOf(catalogue, target) === undefined ? [] : [choice(catalogue, target, "")];
