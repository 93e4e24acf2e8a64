import { group } from "../../lib/app/routes.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { checkAccess } from "./check-access.ts";
import { sandboxPricing } from "./sandbox-pricing.ts";

/** The questions of the desktop application: prices of sandboxes, and whether its user may use it. */
export const code = group({
  name: "code",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, "billing", "license", "sandboxRateCards"],
      lists: ["user#{user}#memberships"],
      write: CALLER_PARTITIONS.write,
    },
  },
  settings: ["billing service", "billing license"],
  routes: [checkAccess, sandboxPricing],
});
