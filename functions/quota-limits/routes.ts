import { group } from "../../lib/app/routes.ts";
import { quotaLimitRoutes } from "./limits.ts";

/** Which billable resources of a project are used up. */
export const quotaLimits = group({
  name: "quota-limits",
  gateway: "management",
  uses: { table: ["keys", "throttle"] },
  routes: quotaLimitRoutes,
});
