import type { DeclaredRoute, Method } from "../route.ts";

type RouteName = Pick<DeclaredRoute, "method" | "path">;

/** The name of every operation as generated clients call it: `listEndpoints`, `runEndpoint`. The same with every build. */
export const operationIds = (routes: readonly RouteName[]): ((route: RouteName) => string) => {
  const paths = new Set(routes.map(({ path }) => path.replace(/\{\w+\}/g, "{}")));
  return (route) => named(route, (path) => paths.has(`${path.replace(/\{\w+\}/g, "{}")}{}/`));
};

/** Names that their paths do not give: a word for another, or the same word for two methods. */
const OWN: Readonly<Record<string, string>> = {
  "GET endpoints/{}/run": "runEndpointAsSaved",
  "POST endpoints/{}/materialization_preview": "previewEndpointMaterialization",
  "GET endpoints/{}/materialization_status": "getEndpointMaterializationStatus",
  "POST endpoints/{}/materialization_suggestion": "suggestEndpointMaterialization",
  "GET endpoints/{}/openapi.json": "getEndpointDescription",
  "POST endpoints/last_execution_times": "getEndpointLastExecutionTimes",
  "GET endpoints/materialization_conditions": "getEndpointMaterializationConditions",
  "POST query": "runQuery",
  "GET live_events": "listLiveEvents",
  "GET query/schema": "getQuerySchema",
  "GET event_definitions": "listEventDefinitions",
  "GET property_definitions": "listPropertyDefinitions",
  "GET persons/{}/events": "listPersonEvents",
  "GET health": "getProjectHealth",
  "POST health/redrive": "redriveDeadLetters",
  "GET dashboards/{}/sharing": "getDashboardSharing",
  "POST dashboards/{}/sharing": "shareDashboard",
  "DELETE dashboards/{}/sharing": "unshareDashboard",
  "GET /shared/{}": "getSharedDashboard",
  "GET /shared/{}/tiles/{}": "getSharedDashboardTile",
  "GET property_definitions/values": "listPropertyValues",
  "PATCH billing": "updateBilling",
  "POST billing/activate/authorize": "authorizeBilling",
  "POST billing/activate/authorize/status": "getBillingAuthorizationStatus",
  "POST billing/subscription/switch-plan": "switchBillingPlan",
  "POST billing/trials/activate": "activateBillingTrial",
  "POST billing/trials/cancel": "cancelBillingTrial",
  "POST billing/coupons/claim": "claimBillingCoupon",
  "GET billing/get_invoices": "listBillingInvoices",
  "GET billing/invoices": "listInvoices",
  "GET billing/invoices/{}": "retrieveInvoice",
  "GET billing/invoices/{}/print": "printInvoice",
  "GET billing/invoices/{}/csv": "exportInvoice",
  "GET billing/receivables": "listReceivables",
  "PATCH billing/license": "installBillingLicense",
  "POST billing/startups/apply": "applyForStartupPlan",
  "POST billing/webhooks/stripe": "receiveStripeEvent",
  "GET billing/alerts": "listBillingAlerts",
  "GET billing/webhooks/{}/deliveries": "listBillingWebhookDeliveries",
  "GET code/invites/check-access": "checkCodeAccess",
  "GET endpoints/{}/versions": "listEndpointVersions",
  "GET endpoints/{}/logs": "listEndpointLogs",
  "GET error_tracking/releases/hash/{}": "retrieveErrorTrackingReleaseByHash",
  "GET error_tracking/git-provider-file-links/resolve_github": "resolveGithubFileLink",
  "GET error_tracking/git-provider-file-links/resolve_gitlab": "resolveGitlabFileLink",
  "POST error_tracking/severity_rules/try": "tryErrorTrackingSeverityRule",
  "POST error_tracking/assignment_rules/try": "tryErrorTrackingAssignmentRule",
  "POST error_tracking/grouping_rules/try": "tryErrorTrackingGroupingRule",
  "GET error_tracking/issues/values": "listErrorTrackingIssueValues",
  "GET error_tracking/issues/exists": "checkErrorTrackingIssuesExist",
  "GET error_tracking/issues/{}/activity": "listErrorTrackingIssueActivity",
  "GET error_tracking/issues/activity": "listErrorTrackingActivity",
  "GET error_tracking/issues/{}/merged": "listMergedErrorTrackingIssues",
  "PUT error_tracking/issues/{}/cohort": "assignCohortToErrorTrackingIssue",
  "POST error_tracking/issues/bulk": "changeErrorTrackingIssues",
  "GET error_tracking/fingerprints/resolve": "resolveErrorTrackingFingerprint",
  "GET error_tracking/fingerprints/{}/explain": "explainErrorTrackingFingerprint",
  "GET error_tracking/spike_events": "listErrorTrackingSpikeEvents",
  "POST organizations/{}/remove_blocked_members_and_enforce_verified_domains": "removeBlockedMembersAndEnforceVerifiedDomains",
  "POST organizations/{}/request_ai_access": "requestAiAccess",
  "GET roles": "listOrganizationRoles",
  "GET oauth_applications": "listOauthApplications",
  "GET members": "listOrganizationMembers",
  "GET personal_api_keys/@current": "retrieveCurrentPersonalApiKey",
  "GET customer_analytics/external/account": "retrieveExternalAccount",
  "POST customer_analytics/external/account": "createExternalAccount",
  "PATCH customer_analytics/external/account": "updateExternalAccount",
  "PATCH customer_analytics/external/account/custom_property_values": "updateExternalAccountCustomPropertyValues",
  "GET customer_analytics/external/accounts": "listExternalAccounts",
  "GET llm_analytics/my_spend": "getMyLlmSpend",
  "GET error_tracking/settings/retrieve_settings": "retrieveErrorTrackingSettings",
  "PATCH error_tracking/settings/update_settings": "updateErrorTrackingSettings",
  "PATCH error_tracking/spike_detection_config/update_config": "updateErrorTrackingSpikeDetectionConfig",
  "POST error_tracking/external_references/link_issue": "linkErrorTrackingExternalIssue",
  "GET error_tracking/external_references/search_issues": "searchErrorTrackingExternalIssues",
};

/** Segments that only say where one is. */
const PLACES = /^\/api\/(?:(?:projects|environments)\/\{\w+\}\/(?=.)|organizations\/\{organization_id\}\/(?=.))?/;

const named = ({ method, path }: RouteName, isCollection: (path: string) => boolean): string => {
  const rest = path.replace(PLACES, "").replace(/\/$/, "").replace("@me/", "my_");
  const own = OWN[`${method} ${rest.replace(/\{\w+\}/g, "{}")}`];
  if (own !== undefined) return own;
  const parts = rest.split("/");
  const nouns = parts.flatMap((part, at) => (isHole(part) ? [] : [isHole(parts[at + 1]) ? singular(part) : part]));
  const last = nouns.at(-1) ?? "";
  const before = nouns.slice(0, -1);
  if (isHole(parts.at(-1))) return camel([OF_ONE[method], ...nouns]);
  if (isCollection(path)) return method === "GET" ? camel(["list", ...nouns]) : camel([OF_MANY[method], ...before, singular(last)]);
  if (method === "GET") return camel(["get", ...nouns]);
  // The last word of such a path is what is done.
  return camel([last, ...before]);
};

const OF_ONE: Readonly<Record<Method, string>> = { GET: "retrieve", POST: "change", PUT: "replace", PATCH: "update", DELETE: "delete" };
const OF_MANY: Readonly<Record<Method, string>> = { GET: "list", POST: "create", PUT: "replace", PATCH: "update", DELETE: "delete" };

const isHole = (part: string | undefined): boolean => part?.startsWith("{") ?? false;

const singular = (noun: string): string => noun.replace(/ies$/, "y").replace(/(?<!s)s$/, "");

/** Words of any spelling as one name. */
const camel = (words: readonly string[]): string =>
  words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== "")
    .map((word, at) => (at === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join("");
