/** Every operation that the API promises: method and path, in the order of its areas. */
const OPERATIONS = `
GET /api/billing/
POST /api/billing/activate/
POST /api/billing/activate/authorize/
POST /api/billing/activate/authorize/status/
GET /api/billing/alerts/
POST /api/billing/coupons/claim/
GET /api/billing/coupons/overview/
GET /api/billing/credits/overview/
POST /api/billing/credits/purchase/
POST /api/billing/deactivate/
GET /api/billing/get_invoices/
GET /api/billing/invoices/
GET /api/billing/invoices/{id}/
GET /api/billing/invoices/{id}/csv/
GET /api/billing/invoices/{id}/print/
PATCH /api/billing/license/
GET /api/billing/period/
GET /api/billing/portal/
GET /api/billing/receivables/
GET /api/billing/spend/
GET /api/billing/spend/export/
POST /api/billing/startups/apply/
POST /api/billing/subscription/switch-plan/
POST /api/billing/trials/activate/
POST /api/billing/trials/cancel/
GET /api/billing/usage/
GET /api/billing/usage/export/
GET /api/billing/usage/team_options/
GET /api/billing/webhooks/
POST /api/billing/webhooks/
GET /api/billing/webhooks/{id}/
PATCH /api/billing/webhooks/{id}/
DELETE /api/billing/webhooks/{id}/
GET /api/billing/webhooks/{id}/deliveries/
POST /api/billing/webhooks/{id}/deliveries/{delivery_id}/retry/
GET /api/code/invites/check-access/
GET /api/code/sandbox-pricing/
GET /api/customer_analytics/external/account
GET /api/customer_analytics/external/accounts
GET /api/llm_analytics/@me/spend/
GET /api/organizations/
POST /api/organizations/
GET /api/organizations/{organization}/
PUT /api/organizations/{organization}/
PATCH /api/organizations/{organization}/
POST /api/organizations/{organization}/remove_blocked_members_and_enforce_verified_domains/
POST /api/organizations/{organization}/request_ai_access/
GET /api/organizations/{organization}/oauth_applications/
GET /api/organizations/{organization}/roles/
GET /api/organizations/{organization}/members/
GET /api/personal_api_keys/@current/
GET {endpoints}/
POST {endpoints}/
GET {endpoints}/{name}/
PATCH {endpoints}/{name}/
GET {endpoints}/{name}/logs/
POST {endpoints}/{name}/materialization_preview/
GET {endpoints}/{name}/materialization_status/
POST {endpoints}/{name}/materialization_suggestion/
GET {endpoints}/{name}/openapi.json/
GET {endpoints}/{name}/run/
POST {endpoints}/{name}/run/
GET {endpoints}/{name}/versions/
POST {endpoints}/last_execution_times/
GET {endpoints}/materialization_conditions/
DELETE {endpoints}/{name}/
GET {errors}/releases/
POST {errors}/releases/
GET {errors}/releases/{id}/
PATCH {errors}/releases/{id}/
DELETE {errors}/releases/{id}/
GET {errors}/releases/hash/{id}/
GET {errors}/settings/retrieve_settings/
PATCH {errors}/settings/update_settings/
GET {errors}/alert_rules/
POST {errors}/alert_rules/
GET {errors}/alert_rules/{id}/
PATCH {errors}/alert_rules/{id}/
DELETE {errors}/alert_rules/{id}/
POST {errors}/alert_rules/{id}/test/
GET {errors}/severity_rules/
POST {errors}/severity_rules/
GET {errors}/severity_rules/{id}/
PATCH {errors}/severity_rules/{id}/
DELETE {errors}/severity_rules/{id}/
PATCH {errors}/severity_rules/reorder/
POST {errors}/severity_rules/try/
GET {errors}/spike_detection_config/
PATCH {errors}/spike_detection_config/update_config/
GET {errors}/spike_events/
GET {errors}/stack_frames/
GET {errors}/symbol_sets/
POST {errors}/symbol_sets/bulk_check_upload/
POST {errors}/symbol_sets/bulk_start_upload/
POST {errors}/symbol_sets/bulk_finish_upload/
POST {errors}/symbol_sets/start_upload/
GET {errors}/symbol_sets/{id}/
GET {errors}/symbol_sets/{id}/download/
PUT {errors}/symbol_sets/{id}/finish_upload/
DELETE {errors}/symbol_sets/{id}/
GET {errors}/external_references/
POST {errors}/external_references/
GET {errors}/external_references/{id}/
DELETE {errors}/external_references/{id}/
POST {errors}/external_references/link_issue/
GET {errors}/external_references/search_issues/
GET {errors}/fingerprints/
GET {errors}/fingerprints/{id}/
GET {errors}/fingerprints/{id}/explain/
DELETE {errors}/fingerprints/{id}/
GET {errors}/fingerprints/resolve/
GET {errors}/git-provider-file-links/resolve_github/
GET {errors}/git-provider-file-links/resolve_gitlab/
GET {errors}/grouping_rules/
POST {errors}/grouping_rules/
GET {errors}/grouping_rules/{id}/
PATCH {errors}/grouping_rules/{id}/
DELETE {errors}/grouping_rules/{id}/
PATCH {errors}/grouping_rules/reorder/
POST {errors}/grouping_rules/try/
GET {errors}/assignment_rules/
POST {errors}/assignment_rules/
GET {errors}/assignment_rules/{id}/
PATCH {errors}/assignment_rules/{id}/
DELETE {errors}/assignment_rules/{id}/
PATCH {errors}/assignment_rules/reorder/
POST {errors}/assignment_rules/try/
GET {errors}/issues/
GET {errors}/issues/activity/
GET {errors}/issues/{id}/activity/
POST /api/projects/{project}/query/
GET /api/projects/{project}/live_events/
GET /api/projects/{project}/query/schema/
GET /api/projects/{project}/event_definitions/
GET /api/projects/{project}/property_definitions/
GET /api/projects/{project}/health/
POST /api/projects/{project}/health/redrive/
GET /api/projects/{project}/dashboards/
POST /api/projects/{project}/dashboards/
GET /api/projects/{project}/dashboards/{id}/
PATCH /api/projects/{project}/dashboards/{id}/
DELETE /api/projects/{project}/dashboards/{id}/
GET /api/projects/{project}/dashboards/{id}/sharing/
POST /api/projects/{project}/dashboards/{id}/sharing/
DELETE /api/projects/{project}/dashboards/{id}/sharing/
GET /shared/{token}/
GET /shared/{token}/tiles/{id}/
GET /api/projects/{project}/property_definitions/values/
GET /api/projects/{project}/persons/
GET /api/projects/{project}/persons/{id}/
GET /api/projects/{project}/persons/{id}/events/
GET /api/projects/{project}/quota_limits/
DELETE /api/organizations/{organization}/
`;

export interface PromisedOperation {
  readonly method: string;
  /** With holes. */
  readonly path: string;
}

const PLACES: Readonly<Record<string, string>> = {
  "{endpoints}": "/api/projects/{project}/endpoints",
  "{errors}": "/api/projects/{project}/error_tracking",
};

export const promisedOperations: readonly PromisedOperation[] = OPERATIONS.trim()
  .split("\n")
  .map((line) => {
    const [method = "", path = ""] = line.split(" ");
    return { method, path: path.replace(/^\{(endpoints|errors)\}/, (place) => PLACES[place] ?? place) };
  });

/** Where nothing is served yet; a path that is served may not stand here. */
export const NOT_SERVED_YET: readonly RegExp[] = [];

/** Refused to everybody by their own contract, with 405. */
export const REFUSED = /\/error_tracking\/(external_references|fingerprints)\/\{id\}\/$/;
