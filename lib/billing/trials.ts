import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const TRIAL_TYPES = ["autosubscribe", "standard"] as const;
export const TRIAL_STATUSES = ["active", "expired", "cancelled", "converted"] as const;

/** A trial of a plan or an addon. There is one per target, ever. */
export const Trial = z.object({
  organization_id: z.guid(),
  target: z.string(),
  type: z.enum(TRIAL_TYPES),
  status: z.enum(TRIAL_STATUSES),
  /** Milliseconds since 1970. */
  started_at: z.int(),
  expires_at: z.int(),
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
