import { group } from "../../lib/app/routes.ts";
import { ACCESS_LIST, CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { BOOK_PARTITIONS } from "../../lib/billing/book-partitions.ts";
import type { PartitionName } from "../../lib/table/partitions.ts";
import { invoiceRoutes } from "./invoices/routes.ts";
import { installLicense } from "./license.ts";
import { updateLimits } from "./limits.ts";
import { listAlerts } from "./notices/alerts.ts";
import { webhookRoutes } from "./notices/webhooks.ts";
import { retrieveOverview, retrievePeriod } from "./overview.ts";
import { claimCoupon, retrieveCoupons } from "./payments/coupons.ts";
import { purchaseCredits, retrieveCredits } from "./payments/credits.ts";
import { authorize, authorizeStatus, hearOfPayment, retrievePortal } from "./payments/provider.ts";
import { applyForStartups } from "./plans/startups.ts";
import { activate, deactivate, switchPlan } from "./plans/subscription.ts";
import { activateTrial, cancelTrial } from "./plans/trials.ts";
import { seriesRoutes } from "./series/routes.ts";

/** The books of a customer, where it is told of them, and what it may claim. */
const CUSTOMER = [
  ...BOOK_PARTITIONS,
  "alerts",
  "webhooks",
  "license",
  "couponCampaigns",
  "couponCodes",
] as const satisfies readonly PartitionName[];

/** The usage and the costs of an organization. */
export const billing = group({
  name: "billing",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, ...CUSTOMER, "catalogues", "usage"],
      lists: [...CALLER_PARTITIONS.lists, ACCESS_LIST],
      write: [...CALLER_PARTITIONS.write, ...CUSTOMER, "organization", "project"],
    },
    objects: { read: ["usage", "exports"], write: ["exports"] },
    counts: true,
  },
  settings: ["payments", "webhooks"],
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
    ...invoiceRoutes,
    installLicense,
    applyForStartups,
    hearOfPayment,
    listAlerts,
    ...webhookRoutes,
    ...seriesRoutes,
  ],
});
