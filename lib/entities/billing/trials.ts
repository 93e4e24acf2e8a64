import * as z from "zod";
import { entity } from "../../table/entity.ts";

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
  version: z.int().positive(),
});
export type Trial = z.output<typeof Trial>;

export const Trials = entity({
  name: "billing-trial",
  version: 1,
  schema: Trial,
  key: { pk: "billing#{organization_id}", sk: "trial#{target}" },
  patterns: {},
});
