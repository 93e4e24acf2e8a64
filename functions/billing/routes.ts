import { group } from "../../lib/http/group.ts";
import { authorize, authorizeStatus } from "./authorize.ts";
import { claimCoupon, retrieveCoupons } from "./coupons.ts";
import { purchaseCredits, retrieveCredits } from "./credits.ts";
import { deactivate } from "./deactivate.ts";
import { listInvoices } from "./invoices.ts";
import { installLicense } from "./license.ts";
import { updateLimits } from "./limits.ts";
import { retrieveOverview, retrievePeriod } from "./overview.ts";
import { retrievePortal } from "./portal.ts";
import { seriesRoutes } from "./series/routes.ts";
import { applyForStartups } from "./startups.ts";
import { activate, switchPlan } from "./subscription.ts";
import { activateTrial, cancelTrial } from "./trials.ts";
import { hearOfPayment } from "./webhook.ts";

/** What an organization uses and pays. */
export const billing = group({
  name: "billing",
  gateway: "management",
  uses: ["table", "objects"],
  routes: [
    retrieveOverview,
    updateLimits,
    retrievePeriod,
    retrievePortal,
    activate,
    authorize,
    authorizeStatus,
    deactivate,
    switchPlan,
    activateTrial,
    cancelTrial,
    claimCoupon,
    retrieveCoupons,
    purchaseCredits,
    retrieveCredits,
    listInvoices,
    installLicense,
    applyForStartups,
    hearOfPayment,
    ...seriesRoutes,
  ],
});
