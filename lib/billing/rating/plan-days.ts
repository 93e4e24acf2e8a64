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
