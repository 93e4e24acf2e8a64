import type { components } from "../../calls/api.d.ts";
import { download, downloadOrAddress, get, patch, post, remove } from "../../calls/client.ts";

export type Overview = components["schemas"]["BillingOverviewResponse"];
export type Product = components["schemas"]["BillingProduct"];
export type Addon = components["schemas"]["BillingAddon"];
export type Plan = components["schemas"]["BillingPlan"];
export type Invoice = components["schemas"]["BillingInvoice"];
export type InvoiceDetails = components["schemas"]["BillingInvoiceDetails"];
export type InvoiceLine = components["schemas"]["BillingInvoiceLine"];
export type Receivable = components["schemas"]["BillingReceivable"];
export type Alert = components["schemas"]["BillingAlert"];
export type Webhook = components["schemas"]["BillingWebhook"];
export type NewWebhook = components["schemas"]["NewBillingWebhook"];
export type Delivery = components["schemas"]["BillingWebhookDelivery"];
export type Coupon = components["schemas"]["BillingClaimedCoupon"];
export type Credits = components["schemas"]["BillingCreditsOverview"];
export type SeriesAnswer = components["schemas"]["BillingTimeSeriesResponse"];
export type SpendAnalysis = components["schemas"]["PersonalSpendAnalysisResponse"];

/** Every call of billing; what is known of it is asked for anew after each change. */
export const BILLING = "api/billing";

/** Figures of money are counted by the hour at best, and calls for them are few: an answer is shown for so long. */
export const FRESH_MS = 300_000;

/** The organization that a call of billing means: that of the project. */
const of = (project: number) => ({ team_id: project });

export const readOverview = (project: number) => get("/api/billing", { params: { query: of(project) } });

export const readQuotas = (project_id: number) => get("/api/projects/{project_id}/quota_limits", { params: { path: { project_id } } });

export const setLimit = (project: number, product: string, usd: number | null, isLifted: boolean) =>
  patch("/api/billing", {
    params: { query: of(project) },
    body: { custom_limits_usd: { [product]: usd }, reset_limit_next_period: { [product]: isLifted } },
  });

export type Measure = "usage" | "spend";
export type Interval = "day" | "week" | "month";

/** What a series is asked for: days as the API reads them, an empty end is today. */
export interface SeriesQuestion {
  readonly date_from: string;
  readonly date_to: string;
  readonly interval: Interval;
  readonly breakdowns: readonly ("type" | "team")[];
}

/** Of more projects than there are colours, the others are one series. */
const TOP_PROJECTS = 7;

const seriesParams = (project: number, { date_from, date_to, interval, breakdowns }: SeriesQuestion) => ({
  params: {
    query: {
      ...of(project),
      start_date: date_from,
      ...(date_to && { end_date: date_to }),
      interval,
      breakdowns: JSON.stringify(breakdowns),
    },
  },
});

export const readSeries = (project: number, measure: Measure, question: SeriesQuestion) => {
  const { params } = seriesParams(project, question);
  const query = { ...params.query, ...(question.breakdowns.includes("team") && { top_projects: TOP_PROJECTS }) };
  return measure === "usage" ? get("/api/billing/usage", { params: { query } }) : get("/api/billing/spend", { params: { query } });
};

/** All series, however many, as a file. */
export const exportSeries = (project: number, measure: Measure, question: SeriesQuestion) => {
  const { query } = seriesParams(project, question).params;
  const params = { query: { ...query, redirect: "false" as const } };
  return measure === "usage"
    ? downloadOrAddress("/api/billing/usage/export", { params })
    : downloadOrAddress("/api/billing/spend/export", { params });
};

/** How many invoices there are and where, with all that are kept here. */
export const readInvoices = (project: number) => get("/api/billing/get_invoices", { params: { query: of(project) } });

const ofInvoice = (project: number, id: string) => ({ params: { path: { id }, query: of(project) } });

export const readInvoice = (project: number, id: string) => get("/api/billing/invoices/{id}", ofInvoice(project, id));

export const exportInvoice = (project: number, id: string) => download("/api/billing/invoices/{id}/csv", ofInvoice(project, id));

/** What is owed at once is seldom more than a page of it. */
export const readReceivables = (project: number) => get("/api/billing/receivables", { params: { query: of(project) } });

export const readAlerts = (project: number) => get("/api/billing/alerts", { params: { query: of(project) } });

export const readWebhooks = (project: number) => get("/api/billing/webhooks", { params: { query: of(project) } });

export const createWebhook = (project: number, url: string, events: readonly Webhook["events"][number][]) =>
  post("/api/billing/webhooks", { params: { query: of(project) }, body: { url, events: [...events] } });

const ofWebhook = (project: number, id: string) => ({ params: { path: { id }, query: of(project) } });

export const updateWebhook = (project: number, id: string, changes: Partial<Pick<Webhook, "is_active">>) =>
  patch("/api/billing/webhooks/{id}", { ...ofWebhook(project, id), body: changes });

export const deleteWebhook = (project: number, id: string) => remove("/api/billing/webhooks/{id}", ofWebhook(project, id));

export const readDeliveries = (project: number, id: string) => get("/api/billing/webhooks/{id}/deliveries", ofWebhook(project, id));

export const retryDelivery = (project: number, id: string, delivery_id: string) =>
  post("/api/billing/webhooks/{id}/deliveries/{delivery_id}/retry", {
    params: { path: { id, delivery_id }, query: of(project) },
  });

export const readPortal = (project: number) => get("/api/billing/portal", { params: { query: of(project) } });

export const readCredits = (project: number) => get("/api/billing/credits/overview", { params: { query: of(project) } });

export const readCoupons = (project: number) => get("/api/billing/coupons/overview", { params: { query: of(project) } });

/** Dollars to be paid, and the discount of so much credit as a fraction. */
export const buyCredit = (project: number, usd: number, discount: number, method: "charge_automatically" | "send_invoice") =>
  post("/api/billing/credits/purchase", {
    params: { query: of(project) },
    body: { annual_amount_usd: usd, discount_percent: Math.round(discount * 100), collection_method: method },
  });

export const claimCoupon = (project: number, code: string) =>
  post("/api/billing/coupons/claim", { params: { query: of(project) }, body: { code } });

export const subscribe = (project: number, product: string, plan: string) =>
  post("/api/billing/activate", { params: { query: of(project) }, body: { products: `${product}:${plan}` } });

export const switchPlan = (project: number, product: string, from: string, to: string) =>
  post("/api/billing/subscription/switch-plan", {
    params: { query: of(project) },
    body: { from_product_key: product, from_plan_key: from, to_product_key: product, to_plan_key: to },
  });

export const unsubscribe = (project: number, product: string) =>
  post("/api/billing/deactivate", { params: { query: of(project) }, body: { products: product, cancel_at_period_end: true } });

export const startTrial = (project: number, target: string) =>
  post("/api/billing/trials/activate", { params: { query: of(project) }, body: { type: "standard", target } });

export const cancelTrial = (project: number) => post("/api/billing/trials/cancel", { params: { query: of(project) }, body: {} });

/** The one product whose tools, models and days the API breaks down. */
const LLM_PRODUCT = "service_code";

export const readLlmSpend = ({ date_from, date_to }: { readonly date_from: string; readonly date_to: string }) =>
  get("/api/llm_analytics/@me/spend", {
    // The end of this call is left out; the last day of a range is part of it.
    params: { query: { product: LLM_PRODUCT, date_from, ...(date_to && { date_to: `${date_to}T23:59:59.999999Z` }) } },
  });
