import { group } from "../../lib/http/group.ts";
import { retrieveOverview, retrievePeriod } from "./overview.ts";
import { seriesRoutes } from "./series/routes.ts";

/** What an organization uses and pays. */
export const billing = group({
  name: "billing",
  gateway: "management",
  uses: ["table", "objects"],
  routes: [retrieveOverview, retrievePeriod, ...seriesRoutes],
});
