import * as z from "zod";
import { isoSeconds } from "../../../lib/core/time.ts";
import {
  type AlertRule,
  LEAST_MINUTES,
  MOST_CHANNELS,
  MOST_COOLDOWN_MINUTES,
  MOST_MINUTES,
  TRIGGERS,
} from "../../../lib/error-tracking/alert-rules.ts";
import type { AlertRuleState } from "../../../lib/error-tracking/alert-states.ts";
import { boolean, integer, text } from "../../../lib/http/fields.ts";
import { FiltersField } from "../rules/rule-filters.ts";
import { shortMicros } from "../timestamps.ts";

/** Alert rules as sent. */

const MOST_NAME = 200;
const MOST_URL = 500;
const MOST_COUNT = 1_000_000;

const url = () => text({ max: MOST_URL });

const Channel = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("email"), user_id: integer({ min: 1 }) }),
    z.object({ type: z.literal("webhook"), url: url() }),
    z.object({ type: z.literal("slack"), url: url() }),
  ])
  .meta({ id: "ErrorTrackingAlertChannelWrite" });

const Threshold = z
  .object({ count: integer({ min: 1, max: MOST_COUNT }), minutes: integer({ min: LEAST_MINUTES, max: MOST_MINUTES }) })
  .meta({ id: "ErrorTrackingAlertThresholdWrite" });

const fields = {
  name: text({ max: MOST_NAME }),
  trigger: z.enum(TRIGGERS),
  threshold: Threshold.nullable(),
  filters: FiltersField.nullable(),
  channels: z.array(Channel).min(1).max(MOST_CHANNELS),
  cooldown_minutes: integer({ min: 1, max: MOST_COOLDOWN_MINUTES }),
  enabled: boolean(),
};

const STANDARD_COOLDOWN = 30;

export const AlertRuleWrite = z
  .object({
    ...fields,
    threshold: fields.threshold.default(null),
    filters: fields.filters.default(null),
    cooldown_minutes: fields.cooldown_minutes.default(STANDARD_COOLDOWN),
    enabled: fields.enabled.default(true),
  })
  .meta({ id: "ErrorTrackingAlertRuleWrite" });

export const AlertRuleChanges = z
  .object({
    name: fields.name.exactOptional(),
    trigger: fields.trigger.exactOptional(),
    threshold: fields.threshold.exactOptional(),
    filters: fields.filters.exactOptional(),
    channels: fields.channels.exactOptional(),
    cooldown_minutes: fields.cooldown_minutes.exactOptional(),
    enabled: fields.enabled.exactOptional(),
  })
  .meta({ id: "ErrorTrackingAlertRuleChanges" });

const ShownThreshold = z.object({ count: z.int(), minutes: z.int() }).meta({ id: "ErrorTrackingAlertThreshold" });

const ShownChannel = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("email"), user_id: z.int() }),
    z.object({ type: z.literal("webhook"), url: z.string() }),
    z.object({ type: z.literal("slack"), url: z.string() }),
  ])
  .meta({ id: "ErrorTrackingAlertChannel" });

export const AlertRuleForm = z
  .object({
    id: z.guid(),
    name: z.string(),
    trigger: z.enum(TRIGGERS),
    threshold: ShownThreshold.nullable(),
    filters: z.record(z.string(), z.unknown()).nullable(),
    channels: z.array(ShownChannel),
    cooldown_minutes: z.int(),
    enabled: z.boolean(),
    last_triggered_at: z.string().nullable(),
    last_error: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "ErrorTrackingAlertRule" });

/** Only the answer that creates one has its secret. */
export const NewAlertRuleForm = AlertRuleForm.extend({ secret: z.string() }).meta({ id: "NewErrorTrackingAlertRule" });

export const alertRuleForm = (rule: AlertRule, { triggeredAt, error }: AlertRuleState): z.input<typeof AlertRuleForm> => ({
  id: rule.id,
  name: rule.name,
  trigger: rule.trigger,
  threshold: rule.threshold,
  filters: rule.filters === null ? null : JSON.parse(rule.filters),
  channels: rule.channels,
  cooldown_minutes: rule.cooldown_minutes,
  enabled: rule.enabled,
  last_triggered_at: triggeredAt === null ? null : isoSeconds(triggeredAt),
  last_error: error,
  created_at: shortMicros(rule.created_at),
  updated_at: shortMicros(rule.updated_at),
});
