import { expect, it } from "vitest";
import { encode, plainAttributes, plainItem } from "../../table/entity.ts";
import { type Fingerprint, Fingerprints } from "../fingerprints.ts";
import { IssueActivities, type IssueActivity } from "../issue-activities.ts";
import { type Issue, Issues } from "../issues.ts";
import { type Release, Releases } from "../releases.ts";
import { AssignmentRules, GroupingRules, SeverityRules, type StoredRules } from "../rules.ts";
import { type ErrorTrackingSetting, ErrorTrackingSettings, type SpikeDetectionConfig, SpikeDetectionConfigs } from "../settings.ts";
import { type SpikeEvent, SpikeEvents } from "../spike-events.ts";
import { type StackFrame, StackFrames } from "../stack-frames.ts";
import {
  ACTIVITY_LAYOUT,
  FINGERPRINT_LAYOUT,
  ISSUE_LAYOUT,
  RELEASE_LAYOUT,
  ruleLayout,
  SETTINGS_LAYOUT,
  SPIKE_CONFIG_LAYOUT,
  SPIKE_EVENT_LAYOUT,
  STACK_FRAME_LAYOUT,
} from "./layouts.ts";

const id = "01957a3e-7c1b-7d0a-9a51-3f3f0c2d9b10";
const now = "2026-03-01T10:00:00.000000Z";
const rule = { project: 1, id, filters: "{}", order_key: 0, disabled_data: null, created_at: now, updated_at: now };

const ITEMS = [
  {
    of: ISSUE_LAYOUT,
    item: encode(Issues, {
      project: 1,
      id,
      status: "active",
      severity: null,
      name: "Error",
      description: null,
      first_seen: now,
      assignee: { type: "user", id: 3 },
      created_at: now,
    } satisfies Issue),
  },
  {
    of: ACTIVITY_LAYOUT,
    item: encode(IssueActivities, {
      project: 1,
      issue_id: id,
      id,
      activity: "status_changed",
      detail: { from: "active", to: "resolved" },
      user_id: 3,
      created_at: now,
    } satisfies IssueActivity),
  },
  {
    of: FINGERPRINT_LAYOUT,
    item: encode(Fingerprints, {
      project: 1,
      fingerprint: "a#b%",
      id,
      issue_id: id,
      created_at: now,
      first_seen: null,
      version: 0,
      visibility: "shown",
      record: null,
    } satisfies Fingerprint),
  },
  {
    of: STACK_FRAME_LAYOUT,
    item: encode(StackFrames, {
      project: 1,
      hash: "ab",
      part: 0,
      id,
      created_at: now,
      contents: "{}",
      resolved: true,
      context: null,
      symbol_set_ref: null,
      release_id: null,
    } satisfies StackFrame),
  },
  {
    of: RELEASE_LAYOUT,
    item: encode(Releases, {
      team_id: 1,
      id,
      hash_id: "h",
      created_at: now,
      metadata: null,
      version: "1",
      project: "shop",
    } satisfies Release),
  },
  {
    of: ruleLayout("grouping"),
    item: encode(GroupingRules, { ...rule, assignee: null, description: null } satisfies StoredRules["grouping"]),
  },
  {
    of: ruleLayout("assignment"),
    item: encode(AssignmentRules, { ...rule, enabled: false, assignee: { type: "user", id: 3 } } satisfies StoredRules["assignment"]),
  },
  { of: ruleLayout("severity"), item: encode(SeverityRules, { ...rule, severity: "low" } satisfies StoredRules["severity"]) },
  {
    of: SETTINGS_LAYOUT,
    item: encode(ErrorTrackingSettings, {
      project: 1,
      project_rate_limit_value: 5,
      project_rate_limit_bucket_size_minutes: 60,
      per_issue_rate_limit_value: null,
      per_issue_rate_limit_bucket_size_minutes: null,
    } satisfies ErrorTrackingSetting),
  },
  {
    of: SPIKE_CONFIG_LAYOUT,
    item: encode(SpikeDetectionConfigs, {
      project: 1,
      snooze_duration_minutes: 10,
      multiplier: 10,
      threshold: 5,
    } satisfies SpikeDetectionConfig),
  },
  {
    of: SPIKE_EVENT_LAYOUT,
    item: encode(SpikeEvents, {
      project: 1,
      id,
      issue_id: id,
      detected_at: now,
      computed_baseline: 1.5,
      current_bucket_value: 9,
    } satisfies SpikeEvent),
  },
];

it.each(ITEMS)("an item of $of.name is the same with and without the schema library", ({ of, item }) => {
  const attributes: Record<string, unknown> = { ...plainAttributes(of, item) };
  for (const name of ["pk", "sk", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "entity", "v", "rev"]) delete attributes[name];
  expect(plainItem(of, attributes)).toEqual(item);
});
