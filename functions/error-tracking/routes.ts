import { group } from "../../lib/http/group.ts";
import { issueRoutes } from "./issues.ts";
import { releaseRoutes } from "./releases.ts";

/** Issues that exceptions become, and what decides how. */
export const errorTracking = group({
  name: "error-tracking",
  gateway: "management",
  uses: ["table"],
  routes: [...releaseRoutes, ...issueRoutes],
});
