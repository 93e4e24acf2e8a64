import * as z from "zod";
import { entity } from "../table/entity.ts";
import type { AlertChannel } from "./alerts/channel.ts";
import { type FilterGroup, readFilters } from "./matching/filter-tree.ts";
import { ALERT_RULE_LAYOUT } from "./stored/layouts.ts";

/** What alert rules tell of. */
export const TRIGGERS = ["issue_created", "issue_reopened", "issue_spiking", "threshold"] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Rules of a project, all of which are asked for every drain, and channels of a rule. */
export const MOST_ALERT_RULES = 50;
export const MOST_CHANNELS = 5;

/** Exceptions are counted in buckets of five minutes, for an hour. */
export const LEAST_MINUTES = 5;
export const MOST_MINUTES = 60;

/** A week. */
export const MOST_COOLDOWN_MINUTES = 10_080;

const AlertThreshold = z.object({ count: z.int().min(1), minutes: z.int().min(LEAST_MINUTES).max(MOST_MINUTES) });

const Channel: z.ZodType<AlertChannel> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("email"), user_id: z.int() }),
  z.object({ type: z.literal("webhook"), url: z.string() }),
  z.object({ type: z.literal("slack"), url: z.string() }),
]);

/** Say what of a project's issues is told, and to whom. */
export const AlertRules = entity({
  ...ALERT_RULE_LAYOUT,
  schema: z.object({
    project: z.int(),
    id: z.guid(),
    name: z.string(),
    trigger: z.enum(TRIGGERS),
    /** With the trigger `threshold` alone. */
    threshold: AlertThreshold.nullable(),
    /** JSON text of the property group as sent; null where everything is told. */
    filters: z.string().nullable(),
    channels: z.array(Channel).max(MOST_CHANNELS),
    cooldown_minutes: z.int().min(1).max(MOST_COOLDOWN_MINUTES),
    enabled: z.boolean(),
    /** What its webhooks are signed with. Kept as it is, because a digest signs nothing. */
    secret: z.string(),
    /** Where the platform was when the rule was written; empty where it did not know. What sends alerts may not know it. */
    platform_url: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
});
export type AlertRule = z.output<typeof AlertRules.schema>;

/** A spike and a count are of many exceptions: rules on them ask about the issue alone. */
export const ISSUE_TRIGGERS: ReadonlySet<Trigger> = new Set(["issue_spiking", "threshold"]);

/** Whether filters that can be read ask about nothing but the issue. */
export const askOfIssueAlone = (filters: unknown): boolean => {
  const ofIssue = ({ values }: FilterGroup): boolean =>
    values.every((value) => ("values" in value ? ofIssue(value) : value.type === "error_tracking_issue"));
  return ofIssue(readFilters(filters));
};
