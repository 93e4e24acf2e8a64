import * as z from "zod";
import { DAY_MS } from "../../core/time.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";

/** What endpoints can be told of. */
export const EVENT_TYPES = ["billing.limit", "billing.invoice", "billing.payment"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event that its organization's endpoints are still to be told: it is written with what it tells, and gone once each has a delivery. */
export const Notice = z.object({
  organization_id: z.guid(),
  /** The same for the same event, however often it is written. */
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  /** What is sent, as JSON. */
  body: z.string(),
  created_at: z.int(),
  due_at: z.int(),
});
export type Notice = z.output<typeof Notice>;

/** Where nobody sends, because a stage has no setting for it, events are not kept for ever. */
const KEPT_MS = 7 * DAY_MS;

export const PendingNotices = entity({
  name: "billing-notice",
  version: 1,
  schema: Notice,
  key: within("notices", "event#{id}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-notices", sk: "{due_at}#{organization_id}#{id}" } },
  ttl: ({ created_at }) => Math.ceil((created_at + KEPT_MS) / 1_000),
});
