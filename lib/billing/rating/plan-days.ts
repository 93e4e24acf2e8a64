import * as z from "zod";

/** What a product ran on over whole UTC days (since 1970, both inclusive): which plan was in force for most of each of them. */
export const PlanDays = z.object({
  product: z.string(),
  plan_key: z.string(),
  /** Whether it was tried and not held, so that nothing is asked for it. */
  is_trial: z.boolean(),
  first_day: z.int(),
  last_day: z.int(),
});
export type PlanDays = z.output<typeof PlanDays>;

/** What of some runs lies on some days, both inclusive. */
export const cut = (runs: readonly PlanDays[], from: number, to: number): readonly PlanDays[] =>
  runs
    .filter(({ first_day, last_day }) => last_day >= from && first_day <= to)
    .map((run) => ({ ...run, first_day: Math.max(run.first_day, from), last_day: Math.min(run.last_day, to) }));
