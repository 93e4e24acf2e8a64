import { group } from "../../lib/app/routes.ts";
import { externalReferenceRoutes } from "./external/external-references.ts";
import { externalSearchRoutes } from "./external/external-search.ts";
import { fingerprintRoutes } from "./issues/fingerprints.ts";
import { issueActionRoutes } from "./issues/issue-actions.ts";
import { groupingRoutes } from "./issues/issue-grouping.ts";
import { issueRoutes } from "./issues/issues.ts";
import { underBothNames } from "./place.ts";
import { releaseRoutes } from "./releases/releases.ts";
import { groupingRuleRoutes } from "./rules/grouping-rules.ts";
import { severityRuleRoutes } from "./rules/severity-rules.ts";
import { settingsRoutes } from "./settings/settings.ts";
import { spikeDetectionConfigRoutes } from "./settings/spike-detection-config.ts";
import { spikeEventRoutes } from "./spike-events.ts";
import { fileLinkRoutes } from "./stack-frames/file-links.ts";
import { stackFrameRoutes } from "./stack-frames/stack-frames.ts";

/** Issues that exceptions become, and what decides how. */
export const errorTracking = group({
  name: "error-tracking",
  gateway: "management",
  uses: { table: "any partition" },
  settings: ["providers"],
  routes: underBothNames([
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
  ]),
});
