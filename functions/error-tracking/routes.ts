import { group } from "../../lib/http/group.ts";
import { externalReferenceRoutes } from "./external-references.ts";
import { externalSearchRoutes } from "./external-search.ts";
import { fileLinkRoutes } from "./file-links.ts";
import { fingerprintRoutes } from "./fingerprints.ts";
import { groupingRuleRoutes } from "./grouping-rules.ts";
import { issueActionRoutes } from "./issue-actions.ts";
import { groupingRoutes } from "./issue-grouping.ts";
import { issueRoutes } from "./issues.ts";
import { releaseRoutes } from "./releases.ts";
import { settingsRoutes } from "./settings.ts";
import { severityRuleRoutes } from "./severity-rules.ts";
import { spikeDetectionConfigRoutes } from "./spike-detection-config.ts";
import { spikeEventRoutes } from "./spike-events.ts";
import { stackFrameRoutes } from "./stack-frames.ts";

/** Issues that exceptions become, and what decides how. */
export const errorTracking = group({
  name: "error-tracking",
  gateway: "management",
  uses: ["table"],
  routes: [
    ...releaseRoutes,
    ...settingsRoutes,
    ...severityRuleRoutes,
    ...spikeDetectionConfigRoutes,
    ...externalReferenceRoutes,
    ...externalSearchRoutes,
    ...fileLinkRoutes,
    ...groupingRuleRoutes,
    ...issueRoutes,
    ...issueActionRoutes,
    ...groupingRoutes,
    ...fingerprintRoutes,
    ...stackFrameRoutes,
    ...spikeEventRoutes,
  ],
});
