import * as z from "zod";
import { DAY_MS } from "../../core/time.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";

/** What is told of the use of a product in a period, in the order in which it comes: parts of its limit, and that its data is dropped. */
export const THRESHOLDS = ["80", "100", "dropping"] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** Whether people are written to: `superseded` where a letter of a higher threshold says more, because both were crossed at once. */
const LETTER_STATES = ["waiting", "sent", "superseded", "failed"] as const;

/** So long alerts are kept: a year of periods, and the one that runs. */
const KEPT_MS = 400 * DAY_MS;

/** That a product's use came to a threshold: one for each period, product and threshold, whatever happens to its limit afterwards. */
export const Alert = z.object({
  organization_id: z.guid(),
  period_start: z.int(),
  period_end: z.int(),
  /** Type of the product or addon, and its name for people. */
  product: z.string(),
  name: z.string(),
  usage_key: z.string(),
  threshold: z.enum(THRESHOLDS),
  /** Units at that moment. */
  usage: z.int().min(0),
  limit: z.int().min(0),
  at: z.int(),
  /** From when on its data is dropped, milliseconds; null where nothing is dropped as things stand. */
  drops_from: z.int().nullable(),
  letter: z.enum(LETTER_STATES),
  /** How often the letter was tried, and when it is tried next. */
  attempts: z.int().min(0),
  due_at: z.int().nullable(),
  version: z.int().min(0),
});
export type Alert = z.output<typeof Alert>;

export const Alerts = entity({
  name: "billing-alert",
  version: 1,
  schema: Alert,
  key: within("alerts", "{period_start}#{product}#{threshold}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-alerts", sk: "{due_at}#{organization_id}#{period_start}#{product}#{threshold}" } },
  ttl: ({ period_start }) => Math.ceil((period_start + KEPT_MS) / 1_000),
});
