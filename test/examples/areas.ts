import type { Area } from "./area.ts";
import { billing } from "./areas/billing.ts";
import { capture } from "./areas/capture.ts";
import { customerAnalytics } from "./areas/customer-analytics.ts";
import { dashboards } from "./areas/dashboards.ts";
import { endpoints } from "./areas/endpoints.ts";
import { errorTracking } from "./areas/error-tracking.ts";
import { keys } from "./areas/keys.ts";
import { organizations } from "./areas/organizations.ts";
import { code, health, llmAnalytics, queries, quotaLimits } from "./areas/others.ts";

/** All parts of the API, in the order in which they are called. */
export const AREAS: Readonly<Record<string, Area>> = {
  endpoints,
  query: queries,
  health,
  dashboards,
  "error-tracking": errorTracking,
  "customer-analytics": customerAnalytics,
  "quota-limits": quotaLimits,
  "llm-analytics": llmAnalytics,
  code,
  keys,
  organizations,
  billing,
  capture,
};
