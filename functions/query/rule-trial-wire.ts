import * as z from "zod";

/** The trial of a rule: how many exceptions it would have decided about, and some of them. */
export const RuleTrial = z
  .object({
    matched: z.int(),
    looked_at: z.int(),
    unasked: z.int(),
    complete: z.boolean(),
    examples: z.array(
      z.object({
        uuid: z.guid(),
        timestamp: z.string(),
        distinct_id: z.string(),
        issue_id: z.guid().nullable(),
        type: z.string().nullable(),
        value: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "ErrorTrackingRuleTrial" });
export type RuleTrial = z.input<typeof RuleTrial>;
