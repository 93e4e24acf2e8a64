import * as z from "zod";
import { integer } from "../../lib/http/fields.ts";

export const LiveQuery = z.object({
  after: z.string().optional().meta({ description: "`next` of the answer before: only what came since. All else begins anew." }),
  event: z.string().optional().meta({ description: "Only events of this name." }),
  distinct_id: z.string().optional().meta({ description: "Only events of this distinct id." }),
  person_id: z.string().optional().meta({ description: "Only events of this person, with all of its distinct ids." }),
  property: z.string().optional().meta({ description: "Only events that have this property." }),
  value: z.string().optional().meta({ description: "The value of `property`, as text." }),
  limit: integer({ min: 1, max: 200 }).default(50).meta({ description: "The most events of an answer, the newest." }),
});
export type LiveQuery = z.output<typeof LiveQuery>;

/** An event as it came. */
export const LiveEvent = z
  .object({
    uuid: z.string(),
    event: z.string(),
    timestamp: z.string(),
    created_at: z.string(),
    distinct_id: z.string(),
    person_id: z.string(),
    properties: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "LiveEvent" });
export type LiveEvent = z.input<typeof LiveEvent>;

/** What came since the answer before, and the minutes whose numbers that may have changed. */
export const LiveEvents = z
  .object({
    results: z.array(LiveEvent),
    next: z.string(),
    minutes: z.array(z.object({ minute: z.string(), events: z.int() })),
    has_more: z.boolean(),
  })
  .meta({ id: "LiveEvents" });
export type LiveEvents = z.input<typeof LiveEvents>;
