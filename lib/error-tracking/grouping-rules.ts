import * as z from "zod";
import { entity } from "../table/entity.ts";
import { Assignee } from "./assignee.ts";
import { GROUPING_RULE_LAYOUT } from "./stored/layouts.ts";

/** Gives all exceptions that it matches the fingerprint `custom-rule:<id>`. The least `order_key` is asked first, then the oldest rule. */
export const GroupingRules = entity({
  ...GROUPING_RULE_LAYOUT,
  schema: z.object({
    project: z.int(),
    id: z.guid(),
    /** JSON text of the property group as sent. */
    filters: z.string(),
    assignee: Assignee.nullable(),
    description: z.string().nullable(),
    order_key: z.int(),
    /** JSON text of why and on what it failed; null while it is in force. */
    disabled_data: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
});
export type GroupingRule = z.output<typeof GroupingRules.schema>;
