import * as z from "zod";
import { entity } from "../../table/entity.ts";
import { ALERT_NOTICE_LAYOUT } from "../stored/layouts.ts";
import { NOTICE_KEPT_MS } from "./kept.ts";

/** An alert on its way to one channel of its rule; gone once it arrived, or was tried for a day. */
export const AlertNotices = entity({
  ...ALERT_NOTICE_LAYOUT,
  schema: z.object({
    project: z.int(),
    /** The same for all channels of the rule. */
    alert_id: z.guid(),
    channel_id: z.string(),
    rule_id: z.guid(),
    way: z.enum(["letter", "webhook"]),
    /** JSON text of the `Alert`. */
    alert: z.string(),
    created_at: z.int(),
    tries: z.int().min(0),
    due_at: z.int(),
  }),
  ttl: ({ created_at }) => Math.ceil((created_at + NOTICE_KEPT_MS) / 1_000),
});
export type AlertNotice = z.output<typeof AlertNotices.schema>;
