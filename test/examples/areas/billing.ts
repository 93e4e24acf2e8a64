import { createHmac } from "node:crypto";
import type { Area } from "../area.ts";
import { BEGINNING } from "../beginning.ts";

export const STRIPE = { stripeSecretKey: "sk_test_example", stripeWebhookSecret: "whsec_example" } as const;

const dates = { start_date: "2026-11-16", end_date: "2026-11-19" };

export const billing: Area = async ({ record }, { tenant, payments }) => {
  await record("installBillingLicense");
  const { clientSecret } = await record("authorizeBilling");
  await record("getBillingAuthorizationStatus", { body: { payment_intent_id: clientSecret } });
  await record("activateBilling");
  await record("claimBillingCoupon");
  await record("getBillingCouponsOverview");
  await record("purchaseBillingCredits");
  await record("getBillingCreditsOverview");
  await record("applyForStartupPlan", { subject: tenant.organizationId });
  await record("updateBilling", {
    body: { custom_limits_usd: { product_analytics: 200 }, reset_limit_next_period: { product_analytics: true } },
  });
  await record("getBilling");
  await record("getBillingPeriod");
  await record("getBillingPortal");
  await record("listBillingInvoices");
  await record("listInvoices");
  const path = { id: "INV-2026-000001" };
  for (const operation of ["retrieveInvoice", "printInvoice", "exportInvoice"]) await record(operation, { path });
  await record("listReceivables");
  await record("getBillingUsage", { query: dates });
  await record("getBillingSpend", { query: dates });
  await record("getBillingUsageExport", { query: dates });
  await record("getBillingSpendExport", { query: dates });
  await record("getBillingUsageTeamOptions");
  await record("activateBillingTrial");
  await record("cancelBillingTrial");
  await record("switchBillingPlan");
  await record("deactivateBilling");
  await record("listBillingAlerts");
  const [{ id: told = "" } = {}] = Object(await record("listBillingWebhooks")).results;
  const [{ id: delivery_id = "" } = {}] = Object(await record("listBillingWebhookDeliveries", { path: { id: told } })).results;
  await record("retryBillingWebhookDelivery", { path: { id: told, delivery_id } });
  const { id } = await record("createBillingWebhook");
  for (const operation of ["retrieveBillingWebhook", "updateBillingWebhook", "deleteBillingWebhook"])
    await record(operation, { path: { id: String(id) } });
  const body = {
    type: "payment_intent.succeeded",
    data: { object: { id: "pi_0123456789", status: "succeeded", amount_received: 9288, metadata: {} } },
  };
  await payments.record("receiveStripeEvent", { body, headers: { "stripe-signature": signature(JSON.stringify(body)) } });
};

/** As Stripe signs what it sends. */
const signature = (text: string): string => {
  const time = Math.floor(BEGINNING / 1_000);
  return `t=${time},v1=${createHmac("sha256", STRIPE.stripeWebhookSecret).update(`${time}.${text}`).digest("hex")}`;
};
