import type { Layout } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";

/**
 * Where error tracking's items lie: the names, keys and patterns of its entities, each of which adds its schema to the layout from
 * here. Apart from the schemas, because ingest reads or writes every one of them and carries no schema library. What it needs of a
 * project's configuration lies in one partition, so that one query brings all of it.
 */
export const ISSUE_LAYOUT = {
  name: "error_tracking_issue",
  version: 1,
  // Ids are of version 7, so the partition is in the order of creation.
  key: within("issues", "issue#{id}"),
  patterns: {},
} as const satisfies Layout;

export const MERGED_ISSUE_LAYOUT = {
  name: "error_tracking_merged_issue",
  version: 1,
  key: within("mergedIssues", "issue#{id}"),
  patterns: { into: { index: "gsi1", pk: "errors#{project}#merged-into#{merged_into}", sk: "{merged_at}#{id}" } },
} as const satisfies Layout;

export const ACTIVITY_LAYOUT = {
  name: "error_tracking_issue_activity",
  version: 1,
  // Ids are of version 7, so what was done with an issue is in its order.
  key: within("issueActivity", "issue#{issue_id}#{id}"),
  patterns: { inOrder: { index: "gsi2", pk: "errors#{project}#issue-activity", sk: "{id}" } },
} as const satisfies Layout;

export const FINGERPRINT_LAYOUT = {
  name: "error_tracking_fingerprint",
  version: 1,
  key: within("fingerprints", "fingerprint#{fingerprint}"),
  patterns: {
    inOrder: { index: "gsi2", pk: "errors#{project}#fingerprints#{visibility}", sk: "{id}" },
    ofIssue: { index: "gsi1", pk: "errors#{project}#issue#{issue_id}#fingerprints", sk: "{visibility}#{id}" },
  },
} as const satisfies Layout;

export const ISSUE_FINGERPRINT_LAYOUT = {
  name: "error_tracking_issue_fingerprint",
  version: 1,
  key: within("issueFingerprints", "issue#{issue_id}#{fingerprint}"),
  patterns: {},
} as const satisfies Layout;

export const STACK_FRAME_LAYOUT = {
  name: "error_tracking_stack_frame",
  version: 1,
  key: within("stackFrames", "frame#{hash}#{part}"),
  patterns: {
    inOrder: { index: "gsi2", pk: "errors#{project}#frames", sk: "{id}" },
    ofChunk: { index: "gsi1", pk: "errors#{project}#chunk#{chunk}#frames", sk: "{id}" },
  },
} as const satisfies Layout;

export const SYMBOL_SET_LAYOUT = {
  name: "error_tracking_symbol_set",
  version: 1,
  // Ids are of version 7, so the partition is in the order of creation.
  key: within("symbolSets", "set#{id}"),
  patterns: {},
} as const satisfies Layout;

export const SYMBOL_SET_REF_LAYOUT = {
  name: "error_tracking_symbol_set_ref",
  version: 1,
  key: within("symbolSetRefs", "ref#{ref}"),
  patterns: {},
} as const satisfies Layout;

export const RELEASE_LAYOUT = {
  name: "error_tracking_release",
  version: 1,
  key: within("releases", "release#{id}", { project: "team_id" }),
  patterns: {},
} as const satisfies Layout;

export const ruleLayout = <const K extends string>(kind: K) =>
  ({
    name: `error_tracking_${kind}_rule`,
    version: 1,
    key: within("errorTracking", `${kind}-rule#{id}`),
    patterns: {},
  }) as const satisfies Layout;

export const ALERT_RULE_LAYOUT = {
  name: "error_tracking_alert_rule",
  version: 1,
  key: within("errorTracking", "alert-rule#{id}"),
  patterns: {},
} as const satisfies Layout;

/** What is due lies apart by the way that it goes: a mail service takes fewer at once than the receivers of webhooks. */
export const ALERT_NOTICE_LAYOUT = {
  name: "error_tracking_alert_notice",
  version: 1,
  key: within("issueAlerts", "notice#{alert_id}#{channel_id}"),
  patterns: { due: { index: "due", pk: "issue-alerts#{way}", sk: "{due_at}#{project}#{alert_id}#{channel_id}" } },
} as const satisfies Layout;

/** The parts of a rule's state that say when it last told something, and when its filters could not be asked; the others are its channels. */
export const RULE_PART = "rule";
export const FILTERS_PART = "filters";

export const ALERT_STATE_LAYOUT = {
  name: "error_tracking_alert_state",
  version: 1,
  key: within("issueAlerts", "state#{rule_id}#{part}"),
  patterns: {},
} as const satisfies Layout;

export const SETTINGS_LAYOUT = {
  name: "error_tracking_settings",
  version: 1,
  key: within("errorTracking", "settings"),
  patterns: {},
} as const satisfies Layout;

export const SPIKE_CONFIG_LAYOUT = {
  name: "spike_detection_config",
  version: 1,
  key: within("errorTracking", "spike-detection"),
  patterns: {},
} as const satisfies Layout;

export const SPIKE_EVENT_LAYOUT = {
  name: "error_tracking_spike_event",
  version: 1,
  key: within("spikes", "{detected_at}#{id}"),
  patterns: { ofIssue: { index: "gsi1", pk: "errors#{project}#issue#{issue_id}#spikes", sk: "{detected_at}#{id}" } },
} as const satisfies Layout;
