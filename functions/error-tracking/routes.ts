import { group } from "../../lib/http/group.ts";
import { fingerprintRoutes } from "./fingerprints.ts";
import { issueActionRoutes } from "./issue-actions.ts";
import { groupingRoutes } from "./issue-grouping.ts";
import { issueRoutes } from "./issues.ts";
import { spikeEventRoutes } from "./spike-events.ts";
import { stackFrameRoutes } from "./stack-frames.ts";

/** Issues that exceptions become, and what decides how. */
export const errorTracking = group({
  name: "error-tracking",
  gateway: "management",
  uses: ["table"],
  routes: [...issueRoutes, ...issueActionRoutes, ...groupingRoutes, ...fingerprintRoutes, ...stackFrameRoutes, ...spikeEventRoutes],
});
