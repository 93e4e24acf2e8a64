import { group } from "../../lib/app/routes.ts";
import { checkAccess } from "./check-access.ts";
import { sandboxPricing } from "./sandbox-pricing.ts";

/** The questions of the desktop application: prices of sandboxes, and whether its user may use it. */
export const code = group({
  name: "code",
  gateway: "management",
  uses: { table: ["keys", "throttle"] },
  settings: ["billing service", "billing license"],
  routes: [checkAccess, sandboxPricing],
});
