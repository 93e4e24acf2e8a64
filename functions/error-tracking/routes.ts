import { group, type Route } from "../../lib/app/routes.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import type { RuleKind } from "../../lib/error-tracking/rules.ts";
import type { PartitionName } from "../../lib/table/partitions.ts";
import { alertRuleRoutes } from "./alerts/alert-rules.ts";
import { externalReferenceRoutes } from "./external/external-references.ts";
import { externalSearchRoutes } from "./external/external-search.ts";
import { activityRoutes } from "./issues/activity.ts";
import { fingerprintExplanationRoutes } from "./issues/fingerprint-explanation.ts";
import { fingerprintRoutes } from "./issues/fingerprints.ts";
import { issueActionRoutes } from "./issues/issue-actions.ts";
import { groupingRoutes } from "./issues/issue-grouping.ts";
import { issueRoutes } from "./issues/issues.ts";
import { FOLDERS, underBothNames } from "./place.ts";
import { releaseRoutes } from "./releases/releases.ts";
import { assignmentRules } from "./rules/assignment-rules.ts";
import { groupingRules } from "./rules/grouping-rules.ts";
import { ruleRoutes } from "./rules/rule-routes.ts";
import { severityRules } from "./rules/severity-rules.ts";
import { settingsRoutes } from "./settings/settings.ts";
import { spikeDetectionConfigRoutes } from "./settings/spike-detection-config.ts";
import { spikeEventRoutes } from "./spike-events.ts";
import { fileLinkRoutes } from "./stack-frames/file-links.ts";
import { stackFrameRoutes } from "./stack-frames/stack-frames.ts";
import { symbolSetRoutes } from "./symbol-sets/symbol-sets.ts";

/** In the order of the documentation. */
const ROUTES = {
  releases: releaseRoutes,
  settings: settingsRoutes,
  severityRules: ruleRoutes(severityRules),
  spikeDetectionConfig: spikeDetectionConfigRoutes,
  externalReferences: externalReferenceRoutes,
  externalSearch: externalSearchRoutes,
  fileLinks: fileLinkRoutes,
  groupingRules: ruleRoutes(groupingRules),
  assignmentRules: ruleRoutes(assignmentRules),
  issues: issueRoutes,
  issueActions: issueActionRoutes,
  activity: activityRoutes,
  grouping: groupingRoutes,
  fingerprints: fingerprintRoutes,
  fingerprintExplanations: fingerprintExplanationRoutes,
  stackFrames: stackFrameRoutes,
  symbolSets: symbolSetRoutes,
  spikeEvents: spikeEventRoutes,
  alertRules: alertRuleRoutes,
} satisfies Record<`${RuleKind}Rules`, readonly Route[]> & Record<string, readonly Route[]>;

/** Issues that exceptions become, and what decides how. */
/** What is kept of errors, of whom or what they concern outside, and the lengths of its lists. */
const ERRORS = [
  "issues",
  "fingerprints",
  "mergedIssues",
  "issueFingerprints",
  "issueActivity",
  "movedFingerprints",
  "stackFrames",
  "releases",
  "releaseHashes",
  "symbolSets",
  "symbolSetRefs",
  "errorTracking",
  "spikes",
  "issueAlerts",
  "externalReferences",
  "externalLinks",
  "issueCount",
  "fingerprintCount",
  "stackFrameCount",
  "releaseCount",
  "symbolSetCount",
  "externalReferenceCount",
  "groupingRuleCount",
  "assignmentRuleCount",
  "severityRuleCount",
  "alertRuleCount",
] as const satisfies readonly PartitionName[];

export const errorTracking = group({
  name: "error-tracking",
  gateway: "management",
  folders: FOLDERS,
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, ...ERRORS],
      lists: [
        ...CALLER_PARTITIONS.lists,
        "errors#{project}#fingerprints#{visibility}",
        "errors#{project}#issue#{issue}#fingerprints",
        "errors#{project}#merged-into#{issue}",
        "errors#{project}#issue-activity",
        "errors#{project}#issue#{issue}#spikes",
        "errors#{project}#frames",
        "errors#{project}#chunk#{chunk}#frames",
        "project#{project}#external-references#{visibility}",
      ],
      write: [...CALLER_PARTITIONS.write, ...ERRORS],
      removes: true,
      checks: true,
    },
    mail: true,
    tokenKeys: true,
    queues: ["jobs"],
    objects: { read: ["symbols"], write: ["symbols"], remove: ["symbols"] },
  },
  settings: ["providers", "webhooks", "symbol sets"],
  routes: underBothNames(Object.values(ROUTES).flat()),
});
