import * as z from "zod";
import { entity } from "../table/entity.ts";
import { SEVERITIES } from "./issues.ts";
import { SEVERITY_RULE_LAYOUT } from "./stored/layouts.ts";

/** Says how severe a new issue is. The least `order_key` is asked first, then the oldest rule. */
export const SeverityRules = entity({
  ...SEVERITY_RULE_LAYOUT,
  schema: z.object({
    project: z.int(),
    id: z.guid(),
    /** JSON text of the property group as sent. */
    filters: z.string(),
    severity: z.enum(SEVERITIES),
    order_key: z.int(),
    /** JSON text of why and on what it failed; null while it is in force. */
    disabled_data: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
});
export type SeverityRule = z.output<typeof SeverityRules.schema>;
