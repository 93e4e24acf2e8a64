// The types of the API's description, for the console's client. Made by
// `npx vitest run test/contract/console-client.test.ts -u`, and held to the description by that test.
export interface paths {
  "/batch": {
    post: operations["captureBatch"];
  };
  "/i/v0/e": {
    post: operations["captureEvents"];
  };
  "/api/billing": {
    get: operations["getBilling"];
    patch: operations["updateBilling"];
  };
  "/api/billing/period": {
    get: operations["getBillingPeriod"];
  };
  "/api/billing/portal": {
    get: operations["getBillingPortal"];
  };
  "/api/billing/activate": {
    post: operations["activateBilling"];
  };
  "/api/billing/activate/authorize": {
    post: operations["authorizeBilling"];
  };
  "/api/billing/activate/authorize/status": {
    post: operations["getBillingAuthorizationStatus"];
  };
  "/api/billing/deactivate": {
    post: operations["deactivateBilling"];
  };
  "/api/billing/subscription/switch-plan": {
    post: operations["switchBillingPlan"];
  };
  "/api/billing/trials/activate": {
    post: operations["activateBillingTrial"];
  };
  "/api/billing/trials/cancel": {
    post: operations["cancelBillingTrial"];
  };
  "/api/billing/coupons/claim": {
    post: operations["claimBillingCoupon"];
  };
  "/api/billing/coupons/overview": {
    get: operations["getBillingCouponsOverview"];
  };
  "/api/billing/credits/purchase": {
    post: operations["purchaseBillingCredits"];
  };
  "/api/billing/credits/overview": {
    get: operations["getBillingCreditsOverview"];
  };
  "/api/billing/get_invoices": {
    get: operations["listBillingInvoices"];
  };
  "/api/billing/invoices": {
    get: operations["listInvoices"];
  };
  "/api/billing/invoices/{id}": {
    get: operations["retrieveInvoice"];
  };
  "/api/billing/invoices/{id}/print": {
    get: operations["printInvoice"];
  };
  "/api/billing/invoices/{id}/csv": {
    get: operations["exportInvoice"];
  };
  "/api/billing/receivables": {
    get: operations["listReceivables"];
  };
  "/api/billing/license": {
    patch: operations["installBillingLicense"];
  };
  "/api/billing/startups/apply": {
    post: operations["applyForStartupPlan"];
  };
  "/api/billing/webhooks/stripe": {
    post: operations["receiveStripeEvent"];
  };
  "/api/billing/alerts": {
    get: operations["listBillingAlerts"];
  };
  "/api/billing/webhooks": {
    get: operations["listBillingWebhooks"];
    post: operations["createBillingWebhook"];
  };
  "/api/billing/webhooks/{id}": {
    get: operations["retrieveBillingWebhook"];
    delete: operations["deleteBillingWebhook"];
    patch: operations["updateBillingWebhook"];
  };
  "/api/billing/webhooks/{id}/deliveries": {
    get: operations["listBillingWebhookDeliveries"];
  };
  "/api/billing/webhooks/{id}/deliveries/{delivery_id}/retry": {
    post: operations["retryBillingWebhookDelivery"];
  };
  "/api/billing/usage": {
    get: operations["getBillingUsage"];
  };
  "/api/billing/spend": {
    get: operations["getBillingSpend"];
  };
  "/api/billing/usage/export": {
    get: operations["getBillingUsageExport"];
  };
  "/api/billing/spend/export": {
    get: operations["getBillingSpendExport"];
  };
  "/api/billing/usage/team_options": {
    get: operations["getBillingUsageTeamOptions"];
  };
  "/api/code/invites/check-access": {
    get: operations["checkCodeAccess"];
  };
  "/api/code/sandbox-pricing": {
    get: operations["getCodeSandboxPricing"];
  };
  "/api/projects/{project_id}/endpoints": {
    get: operations["listEndpoints"];
    post: operations["createEndpoint"];
  };
  "/api/projects/{project_id}/endpoints/{name}": {
    get: operations["retrieveEndpoint"];
    put: operations["replaceEndpoint"];
    delete: operations["deleteEndpoint"];
    patch: operations["updateEndpoint"];
  };
  "/api/projects/{project_id}/endpoints/{name}/versions": {
    get: operations["listEndpointVersions"];
  };
  "/api/projects/{project_id}/endpoints/last_execution_times": {
    post: operations["getEndpointLastExecutionTimes"];
  };
  "/api/projects/{project_id}/endpoints/{name}/logs": {
    get: operations["listEndpointLogs"];
  };
  "/api/projects/{project_id}/endpoints/{name}/openapi.json": {
    get: operations["getEndpointDescription"];
  };
  "/api/projects/{project_id}/endpoints/materialization_conditions": {
    get: operations["getEndpointMaterializationConditions"];
  };
  "/api/projects/{project_id}/endpoints/{name}/materialization_status": {
    get: operations["getEndpointMaterializationStatus"];
  };
  "/api/projects/{project_id}/endpoints/{name}/run": {
    get: operations["runEndpointAsSaved"];
    post: operations["runEndpoint"];
  };
  "/api/projects/{project_id}/exports": {
    post: operations["createExport"];
  };
  "/api/projects/{project_id}/exports/{id}": {
    get: operations["retrieveExport"];
  };
  "/api/projects/{project_id}/endpoints/{name}/materialization_preview": {
    post: operations["previewEndpointMaterialization"];
  };
  "/api/projects/{project_id}/endpoints/{name}/materialization_suggestion": {
    post: operations["suggestEndpointMaterialization"];
  };
  "/api/projects/{project_id}/query": {
    post: operations["runQuery"];
  };
  "/api/projects/{project_id}/query/schema": {
    get: operations["getQuerySchema"];
  };
  "/api/projects/{project_id}/live_events": {
    get: operations["listLiveEvents"];
  };
  "/api/projects/{project_id}/event_definitions": {
    get: operations["listEventDefinitions"];
  };
  "/api/projects/{project_id}/property_definitions": {
    get: operations["listPropertyDefinitions"];
  };
  "/api/projects/{project_id}/property_definitions/values": {
    get: operations["listPropertyValues"];
  };
  "/api/projects/{project_id}/persons": {
    get: operations["listPersons"];
  };
  "/api/projects/{project_id}/persons/{uuid}": {
    get: operations["retrievePerson"];
    delete: operations["deletePerson"];
  };
  "/api/projects/{project_id}/persons/{uuid}/events": {
    get: operations["listPersonEvents"];
  };
  "/api/projects/{project_id}/error_tracking/grouping_rules/try": {
    post: operations["tryErrorTrackingGroupingRule"];
  };
  "/api/projects/{project_id}/error_tracking/severity_rules/try": {
    post: operations["tryErrorTrackingSeverityRule"];
  };
  "/api/projects/{project_id}/error_tracking/assignment_rules/try": {
    post: operations["tryErrorTrackingAssignmentRule"];
  };
  "/api/projects/{project_id}/health": {
    get: operations["getProjectHealth"];
  };
  "/api/projects/{project_id}/health/redrive": {
    post: operations["redriveDeadLetters"];
  };
  "/api/projects/{project_id}/dashboards": {
    get: operations["listDashboards"];
    post: operations["createDashboard"];
  };
  "/api/projects/{project_id}/dashboards/{id}": {
    get: operations["retrieveDashboard"];
    delete: operations["deleteDashboard"];
    patch: operations["updateDashboard"];
  };
  "/api/projects/{project_id}/dashboards/{id}/sharing": {
    get: operations["getDashboardSharing"];
    post: operations["shareDashboard"];
    delete: operations["unshareDashboard"];
  };
  "/shared/{token}": {
    get: operations["getSharedDashboard"];
  };
  "/shared/{token}/tiles/{tile_id}": {
    get: operations["getSharedDashboardTile"];
  };
  "/api/projects/{project_id}/error_tracking/releases": {
    get: operations["listErrorTrackingReleases"];
    post: operations["createErrorTrackingRelease"];
  };
  "/api/projects/{project_id}/error_tracking/releases/{id}": {
    get: operations["retrieveErrorTrackingRelease"];
    put: operations["replaceErrorTrackingRelease"];
    delete: operations["deleteErrorTrackingRelease"];
    patch: operations["updateErrorTrackingRelease"];
  };
  "/api/projects/{project_id}/error_tracking/releases/hash/{hash_id}": {
    get: operations["retrieveErrorTrackingReleaseByHash"];
  };
  "/api/projects/{project_id}/error_tracking/settings/retrieve_settings": {
    get: operations["retrieveErrorTrackingSettings"];
  };
  "/api/projects/{project_id}/error_tracking/settings/update_settings": {
    patch: operations["updateErrorTrackingSettings"];
  };
  "/api/projects/{project_id}/error_tracking/severity_rules": {
    get: operations["listErrorTrackingSeverityRules"];
    post: operations["createErrorTrackingSeverityRule"];
  };
  "/api/projects/{project_id}/error_tracking/severity_rules/{id}": {
    get: operations["retrieveErrorTrackingSeverityRule"];
    put: operations["replaceErrorTrackingSeverityRule"];
    delete: operations["deleteErrorTrackingSeverityRule"];
    patch: operations["updateErrorTrackingSeverityRule"];
  };
  "/api/projects/{project_id}/error_tracking/severity_rules/reorder": {
    patch: operations["reorderErrorTrackingSeverityRules"];
  };
  "/api/projects/{project_id}/error_tracking/spike_detection_config": {
    get: operations["getErrorTrackingSpikeDetectionConfig"];
  };
  "/api/projects/{project_id}/error_tracking/spike_detection_config/update_config": {
    patch: operations["updateErrorTrackingSpikeDetectionConfig"];
  };
  "/api/projects/{project_id}/error_tracking/external_references": {
    get: operations["listErrorTrackingExternalReferences"];
    post: operations["createErrorTrackingExternalReference"];
  };
  "/api/projects/{project_id}/error_tracking/external_references/{id}": {
    get: operations["retrieveErrorTrackingExternalReference"];
    patch: operations["updateErrorTrackingExternalReference"];
  };
  "/api/projects/{project_id}/error_tracking/external_references/link_issue": {
    post: operations["linkErrorTrackingExternalIssue"];
  };
  "/api/projects/{project_id}/error_tracking/external_references/search_issues": {
    get: operations["searchErrorTrackingExternalIssues"];
  };
  "/api/projects/{project_id}/error_tracking/git-provider-file-links/resolve_github": {
    get: operations["resolveGithubFileLink"];
  };
  "/api/projects/{project_id}/error_tracking/git-provider-file-links/resolve_gitlab": {
    get: operations["resolveGitlabFileLink"];
  };
  "/api/projects/{project_id}/error_tracking/grouping_rules": {
    get: operations["listErrorTrackingGroupingRules"];
    post: operations["createErrorTrackingGroupingRule"];
  };
  "/api/projects/{project_id}/error_tracking/grouping_rules/{id}": {
    get: operations["retrieveErrorTrackingGroupingRule"];
    delete: operations["deleteErrorTrackingGroupingRule"];
    patch: operations["updateErrorTrackingGroupingRule"];
  };
  "/api/projects/{project_id}/error_tracking/grouping_rules/reorder": {
    patch: operations["reorderErrorTrackingGroupingRules"];
  };
  "/api/projects/{project_id}/error_tracking/assignment_rules": {
    get: operations["listErrorTrackingAssignmentRules"];
    post: operations["createErrorTrackingAssignmentRule"];
  };
  "/api/projects/{project_id}/error_tracking/assignment_rules/{id}": {
    get: operations["retrieveErrorTrackingAssignmentRule"];
    delete: operations["deleteErrorTrackingAssignmentRule"];
    patch: operations["updateErrorTrackingAssignmentRule"];
  };
  "/api/projects/{project_id}/error_tracking/assignment_rules/reorder": {
    patch: operations["reorderErrorTrackingAssignmentRules"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}": {
    get: operations["retrieveErrorTrackingIssue"];
    put: operations["replaceErrorTrackingIssue"];
    patch: operations["updateErrorTrackingIssue"];
  };
  "/api/projects/{project_id}/error_tracking/issues/values": {
    get: operations["listErrorTrackingIssueValues"];
  };
  "/api/projects/{project_id}/error_tracking/issues/exists": {
    get: operations["checkErrorTrackingIssuesExist"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}/merge": {
    post: operations["mergeErrorTrackingIssue"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}/unmerge": {
    post: operations["unmergeErrorTrackingIssue"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}/merged": {
    get: operations["listMergedErrorTrackingIssues"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}/split": {
    post: operations["splitErrorTrackingIssue"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}/assign": {
    patch: operations["assignErrorTrackingIssue"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}/cohort": {
    put: operations["assignCohortToErrorTrackingIssue"];
  };
  "/api/projects/{project_id}/error_tracking/issues/bulk": {
    post: operations["changeErrorTrackingIssues"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}/activity": {
    get: operations["listErrorTrackingIssueActivity"];
  };
  "/api/projects/{project_id}/error_tracking/issues/activity": {
    get: operations["listErrorTrackingActivity"];
  };
  "/api/projects/{project_id}/error_tracking/issues/{id}/grouping": {
    get: operations["getErrorTrackingIssueGrouping"];
  };
  "/api/projects/{project_id}/error_tracking/fingerprints": {
    get: operations["listErrorTrackingFingerprints"];
  };
  "/api/projects/{project_id}/error_tracking/fingerprints/{id}": {
    get: operations["retrieveErrorTrackingFingerprint"];
    patch: operations["updateErrorTrackingFingerprint"];
  };
  "/api/projects/{project_id}/error_tracking/fingerprints/resolve": {
    get: operations["resolveErrorTrackingFingerprint"];
  };
  "/api/projects/{project_id}/error_tracking/fingerprints/{id}/explain": {
    get: operations["explainErrorTrackingFingerprint"];
  };
  "/api/projects/{project_id}/error_tracking/stack_frames": {
    get: operations["listErrorTrackingStackFrames"];
  };
  "/api/projects/{project_id}/error_tracking/stack_frames/{id}": {
    get: operations["retrieveErrorTrackingStackFrame"];
  };
  "/api/projects/{project_id}/error_tracking/stack_frames/batch_get": {
    post: operations["batchGetErrorTrackingStackFrames"];
  };
  "/api/projects/{project_id}/error_tracking/symbol_sets": {
    get: operations["listErrorTrackingSymbolSets"];
  };
  "/api/projects/{project_id}/error_tracking/symbol_sets/bulk_check_upload": {
    post: operations["bulkCheckUploadErrorTrackingSymbolSets"];
  };
  "/api/projects/{project_id}/error_tracking/symbol_sets/bulk_start_upload": {
    post: operations["bulkStartUploadErrorTrackingSymbolSets"];
  };
  "/api/projects/{project_id}/error_tracking/symbol_sets/bulk_finish_upload": {
    post: operations["bulkFinishUploadErrorTrackingSymbolSets"];
  };
  "/api/projects/{project_id}/error_tracking/symbol_sets/start_upload": {
    post: operations["startUploadErrorTrackingSymbolSets"];
  };
  "/api/projects/{project_id}/error_tracking/symbol_sets/{id}": {
    get: operations["retrieveErrorTrackingSymbolSet"];
    delete: operations["deleteErrorTrackingSymbolSet"];
  };
  "/api/projects/{project_id}/error_tracking/symbol_sets/{id}/download": {
    get: operations["getErrorTrackingSymbolSetDownload"];
  };
  "/api/projects/{project_id}/error_tracking/symbol_sets/{id}/finish_upload": {
    put: operations["finishUploadErrorTrackingSymbolSet"];
  };
  "/api/projects/{project_id}/error_tracking/spike_events": {
    get: operations["listErrorTrackingSpikeEvents"];
  };
  "/api/projects/{project_id}/error_tracking/alert_rules": {
    get: operations["listErrorTrackingAlertRules"];
    post: operations["createErrorTrackingAlertRule"];
  };
  "/api/projects/{project_id}/error_tracking/alert_rules/{id}": {
    get: operations["retrieveErrorTrackingAlertRule"];
    delete: operations["deleteErrorTrackingAlertRule"];
    patch: operations["updateErrorTrackingAlertRule"];
  };
  "/api/projects/{project_id}/error_tracking/alert_rules/{id}/test": {
    post: operations["testErrorTrackingAlertRule"];
  };
  "/api/projects/{project_id}/error_tracking/issues": {
    get: operations["listErrorTrackingIssues"];
  };
  "/api/projects/{project_id}/quota_limits": {
    get: operations["getQuotaLimits"];
  };
  "/api/organizations": {
    get: operations["listOrganizations"];
    post: operations["createOrganization"];
  };
  "/api/organizations/{id}": {
    get: operations["retrieveOrganization"];
    put: operations["replaceOrganization"];
    delete: operations["deleteOrganization"];
    patch: operations["updateOrganization"];
  };
  "/api/organizations/{id}/remove_blocked_members_and_enforce_verified_domains": {
    post: operations["removeBlockedMembersAndEnforceVerifiedDomains"];
  };
  "/api/organizations/{id}/request_ai_access": {
    post: operations["requestAiAccess"];
  };
  "/api/organizations/{organization_id}/members": {
    get: operations["listOrganizationMembers"];
  };
  "/api/organizations/{organization_id}/roles": {
    get: operations["listOrganizationRoles"];
  };
  "/api/organizations/{organization_id}/oauth_applications": {
    get: operations["listOauthApplications"];
  };
  "/api/organizations/{organization_id}/domains": {
    get: operations["listDomains"];
    post: operations["createDomain"];
  };
  "/api/organizations/{organization_id}/domains/{id}": {
    get: operations["retrieveDomain"];
    delete: operations["deleteDomain"];
    patch: operations["updateDomain"];
  };
  "/api/organizations/{organization_id}/domains/{id}/verify": {
    post: operations["verifyDomain"];
  };
  "/api/customer_analytics/external/account": {
    get: operations["retrieveExternalAccount"];
    post: operations["createExternalAccount"];
    patch: operations["updateExternalAccount"];
  };
  "/api/customer_analytics/external/account/custom_property_values": {
    patch: operations["updateExternalAccountCustomPropertyValues"];
  };
  "/api/customer_analytics/external/accounts": {
    get: operations["listExternalAccounts"];
  };
  "/api/personal_api_keys": {
    get: operations["listPersonalApiKeys"];
    post: operations["createPersonalApiKey"];
  };
  "/api/personal_api_keys/@current": {
    get: operations["retrieveCurrentPersonalApiKey"];
  };
  "/api/personal_api_keys/{id}/roll": {
    post: operations["rollPersonalApiKey"];
  };
  "/api/personal_api_keys/{id}": {
    delete: operations["deletePersonalApiKey"];
  };
  "/api/projects/{project_id}/project_secret_api_keys": {
    get: operations["listProjectSecretApiKeys"];
    post: operations["createProjectSecretApiKey"];
  };
  "/api/projects/{project_id}/project_secret_api_keys/{id}/roll": {
    post: operations["rollProjectSecretApiKey"];
  };
  "/api/projects/{project_id}/project_secret_api_keys/{id}": {
    delete: operations["deleteProjectSecretApiKey"];
  };
  "/api/llm_analytics/@me/spend": {
    get: operations["getMyLlmSpend"];
  };
  "/api/schema": {
    get: operations["getSchema"];
  };
}

export type webhooks = Record<string, never>;

export interface components {
  schemas: {
    ActionsNode: {
      /** @constant */
      kind: "ActionsNode";
      id: number;
      /** @default null */
      name: string | null;
      /** @default null */
      custom_name: string | null;
      /** @default null */
      math: ("total" | "dau" | "weekly_active" | "monthly_active" | "unique_session" | "first_time_for_user" | "first_matching_event_for_user" | "avg" | "sum" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor" | "unique_group" | "hogql") | null;
      /** @default null */
      math_property: string | null;
      /** @default null */
      math_property_type: string | null;
      /** @default null */
      math_property_revenue_currency: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      math_hogql: string | null;
      /** @default null */
      math_group_type_index: number | null;
      /** @default null */
      math_multiplier: number | null;
      /** @default null */
      properties: components["schemas"]["PropertyFilter"][] | null;
      /** @default null */
      fixedProperties: components["schemas"]["PropertyFilter"][] | null;
      /** @default null */
      optionalInFunnel: boolean | null;
      /** @default null */
      response: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      version: number | null;
    };
    ActionsNodeRequest: {
      /** @constant */
      kind: "ActionsNode";
      id: number;
      /** @default null */
      name?: string | null;
      /** @default null */
      custom_name?: string | null;
      /** @default null */
      math?: ("total" | "dau" | "weekly_active" | "monthly_active" | "unique_session" | "first_time_for_user" | "first_matching_event_for_user" | "avg" | "sum" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor" | "unique_group" | "hogql") | null;
      /** @default null */
      math_property?: string | null;
      /** @default null */
      math_property_type?: string | null;
      /** @default null */
      math_property_revenue_currency?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      math_hogql?: string | null;
      /** @default null */
      math_group_type_index?: number | null;
      /** @default null */
      math_multiplier?: number | null;
      /** @default null */
      properties?: components["schemas"]["PropertyFilterRequest"][] | null;
      /** @default null */
      fixedProperties?: components["schemas"]["PropertyFilterRequest"][] | null;
      /** @default null */
      optionalInFunnel?: boolean | null;
      /** @default null */
      response?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      version?: number | null;
    };
    AiAccessRequested: {
      /** @constant */
      success: true;
    };
    BillingActivate: {
      products: string;
    };
    BillingAddon: {
      type: string;
      usage_key: string | null;
      name: string;
      description: string;
      price_description: string | null;
      icon_key: string;
      image_url: string | null;
      screenshot_url: string | null;
      docs_url: string;
      free_allocation: number | null;
      subscribed: boolean | null;
      tiers: components["schemas"]["BillingTier"][] | null;
      tiered: boolean;
      unit: string | null;
      unit_amount_usd: string | null;
      current_usage: number;
      projected_usage: number | null;
      current_amount_usd: string | null;
      current_amount_usd_before_addons: string | null;
      projected_amount_usd: string | null;
      projected_amount_usd_with_limit: string | null;
      percentage_usage: number;
      usage_limit: number | null;
      has_exceeded_limit: boolean;
      contact_support: boolean | null;
      inclusion_only: boolean;
      plans: components["schemas"]["BillingPlan"][];
      features: components["schemas"]["BillingFeature"][];
      trial: {
        length: number;
      } | null;
      legacy_product: boolean | null;
      included_with_main_product: boolean;
      included_if: string | null;
    };
    BillingAlert: {
      product: string;
      name: string;
      usage_key: string;
      /** @enum {string} */
      threshold: "80" | "100" | "dropping";
      usage: number;
      limit: number;
      period_start: string;
      period_end: string;
      at: string;
      drops_from: string | null;
      /** @enum {string} */
      letter: "waiting" | "sent" | "superseded" | "failed";
    };
    BillingAuthorizationStatus: {
      /** @enum {string} */
      status: "pending" | "success" | "failed" | "expired";
      error?: string;
    };
    BillingAuthorize: Record<string, never>;
    BillingAuthorizeStatus: {
      payment_intent_id: string;
    };
    BillingAvailableFeature: {
      key: string;
      name: string;
      description: string;
      unit: string | null;
      limit: number | null;
      note: string | null;
      is_plan_default: boolean;
    };
    BillingClaimedCoupon: {
      code: string;
      campaign_name: string;
      campaign_slug: string;
      claimed_at: string;
      expires_at: string | null;
      /** @enum {string} */
      status: "claimed" | "expired" | "exhausted";
    };
    BillingCouponClaim: {
      code: string;
    };
    BillingCreditPurchase: {
      annual_amount_usd: number;
      discount_percent: number;
      /** @enum {string} */
      collection_method: "charge_automatically" | "send_invoice";
    };
    BillingCreditsOverview: {
      eligible: boolean;
      /** @enum {string} */
      status: "none" | "pending" | "active" | "depleted" | "expired" | "voided";
      estimated_monthly_credit_amount_usd: number | null;
      invoice_url: string | null;
      collection_method: ("charge_automatically" | "send_invoice") | null;
      cc_last_four: string | null;
      cc_brand: string | null;
      email: string | null;
      credit_brackets: ({
          discount: number;
          annual_credit_from_inclusive: number;
          annual_credit_to_exclusive: number | null;
        })[];
      balance_usd: string;
      expires_at: string | null;
    };
    BillingDeactivate: {
      products: string;
      cancel_at_period_end?: boolean;
    };
    BillingFeature: {
      key: string;
      name: string;
      description: string;
      unit: string | null;
      limit: number | null;
      note: string | null;
      is_plan_default: boolean;
      type: ("primary" | "secondary") | null;
    };
    BillingInvoice: {
      id: string;
      number: string | null;
      /** @enum {string} */
      status: "open" | "finalizing" | "issued" | "payment_failed" | "overdue" | "paid" | "uncollectible" | "voided";
      period_start: string;
      period_end: string;
      total_usd: string;
      amount_due_usd: string;
      issued_at: string | null;
      paid_at: string | null;
    };
    BillingInvoiceCouponUse: {
      slug: string;
      code: string | null;
      campaign_name: string;
      amount_usd: string;
    };
    BillingInvoiceCreditEntry: {
      grant_id: string;
      source: string | null;
      amount_usd: string;
      at: string | null;
    };
    BillingInvoiceDetails: {
      id: string;
      number: string | null;
      /** @enum {string} */
      status: "open" | "finalizing" | "issued" | "payment_failed" | "overdue" | "paid" | "uncollectible" | "voided";
      period_start: string;
      period_end: string;
      issued_at: string | null;
      paid_at: string | null;
      subtotal_usd: string;
      coupons_usd: string;
      tax_usd: string;
      returned_usd: string;
      total_usd: string;
      credit_usd: string;
      carried_cents: number;
      payable_usd: string;
      amount_due_usd: string;
      note: string | null;
      lines: components["schemas"]["BillingInvoiceLine"][];
      coupon_uses: components["schemas"]["BillingInvoiceCouponUse"][];
      credit_entries: components["schemas"]["BillingInvoiceCreditEntry"][];
      payments: components["schemas"]["BillingInvoicePayment"][];
    };
    BillingInvoiceLine: {
      product: string;
      plan_key: string;
      description: string;
      usage_type: string | null;
      quantity: number;
      unit: string | null;
      amount_usd: string;
      late_of: string | null;
      carried_from: string | null;
    };
    BillingInvoicePayment: {
      id: string;
      provider_id: string | null;
      /** @enum {string} */
      status: "processing" | "succeeded" | "failed";
      amount_usd: string;
      refunded_usd: string;
      created_at: string;
      settled_at: string | null;
      error: string | null;
    };
    BillingInvoiceSummary: {
      id: string;
      number: string | null;
      /** @enum {string} */
      status: "open" | "finalizing" | "issued" | "payment_failed" | "overdue" | "paid" | "uncollectible" | "voided";
      period_start: string;
      period_end: string;
      issued_at: string | null;
      paid_at: string | null;
      subtotal_usd: string;
      coupons_usd: string;
      tax_usd: string;
      returned_usd: string;
      total_usd: string;
      credit_usd: string;
      carried_cents: number;
      payable_usd: string;
      amount_due_usd: string;
      note: string | null;
    };
    BillingLicense: {
      license: string;
    };
    BillingLicenseMissing: {
      license: [string];
    };
    BillingLimits: {
      custom_limits_usd?: {
        [key: string]: number | null;
      };
      reset_limit_next_period?: boolean | {
        [key: string]: boolean;
      };
    };
    BillingOverviewResponse: {
      customer_id: string | null;
      billing_plan: string | null;
      /** @enum {string} */
      subscription_level: "free" | "paid" | "custom";
      has_active_subscription: boolean;
      deactivated: boolean;
      is_annual_plan_customer: boolean;
      never_drop_data: boolean;
      free_trial_until: string | null;
      amount_off_expires_at: string | null;
      current_total_amount_usd: string | null;
      current_total_amount_usd_after_discount: string | null;
      projected_total_amount_usd: string | null;
      projected_total_amount_usd_after_discount: string | null;
      projected_total_amount_usd_with_limit: string | null;
      projected_total_amount_usd_with_limit_after_discount: string | null;
      discount_amount_usd: string | null;
      discount_percent: number | null;
      startup_program_label: string | null;
      startup_program_label_previous: string | null;
      stripe_portal_url: string | null;
      external_billing_provider_invoices_url: string | null;
      products: components["schemas"]["BillingProduct"][];
      available_product_features: components["schemas"]["BillingAvailableFeature"][];
      usage_summary: {
        [key: string]: {
          usage: number;
          limit: number | null;
        };
      };
      billing_period: ({
        current_period_start: string | null;
        current_period_end: string | null;
        /** @enum {string} */
        interval: "month" | "year";
      }) | null;
      custom_limits_usd: {
        [key: string]: number | null;
      };
      next_period_custom_limits_usd: {
        [key: string]: number | null;
      };
      trial: ({
        /** @enum {string} */
        type: "autosubscribe" | "standard";
        /** @enum {string} */
        status: "active" | "expired" | "cancelled" | "converted";
        target: string;
        expires_at: string;
      }) | null;
      license: {
        plan: string;
      } | null;
      account_owner: {
        email?: string;
        name?: string;
      } | null;
      customer_trust_scores: {
        [key: string]: number;
      };
    };
    BillingPeriodResponse: {
      current_period_start: string | null;
      current_period_end: string | null;
    };
    BillingPlan: {
      product_key: string;
      plan_key: string;
      name: string;
      description: string;
      is_free: boolean;
      image_url: string | null;
      docs_url: string | null;
      note: string | null;
      unit: string | null;
      flat_rate: boolean;
      tiers: components["schemas"]["BillingTier"][] | null;
      free_allocation: number | null;
      features: components["schemas"]["BillingFeature"][];
      included_if: string | null;
      current_plan: boolean;
      unit_amount_usd: string | null;
      contact_support: boolean;
    };
    BillingProduct: {
      type: string;
      usage_key: string | null;
      name: string;
      description: string;
      price_description: string | null;
      icon_key: string;
      image_url: string | null;
      screenshot_url: string | null;
      docs_url: string;
      free_allocation: number | null;
      subscribed: boolean | null;
      tiers: components["schemas"]["BillingTier"][] | null;
      tiered: boolean;
      unit: string | null;
      unit_amount_usd: string | null;
      current_usage: number;
      projected_usage: number | null;
      current_amount_usd: string | null;
      current_amount_usd_before_addons: string | null;
      projected_amount_usd: string | null;
      projected_amount_usd_with_limit: string | null;
      percentage_usage: number;
      usage_limit: number | null;
      has_exceeded_limit: boolean;
      contact_support: boolean | null;
      inclusion_only: boolean;
      plans: components["schemas"]["BillingPlan"][];
      features: components["schemas"]["BillingFeature"][];
      trial: {
        length: number;
      } | null;
      legacy_product: boolean | null;
      headline: string | null;
      addons: components["schemas"]["BillingAddon"][];
    };
    BillingReceivable: {
      /** @enum {string} */
      kind: "invoice" | "credit_purchase";
      id: string;
      number: string | null;
      /** @enum {string} */
      status: "open" | "payment_failed" | "overdue";
      amount_due_usd: string;
      issued_at: string;
      overdue_at: string;
    };
    BillingRefusal: {
      statusText: string;
      detail: string | {
        [key: string]: unknown;
      };
      code: string | null;
      [key: string]: unknown;
    };
    BillingSeries: {
      id: number;
      label: string;
      data: number[];
      dates: string[];
      breakdown_type: ("type" | "team" | "multiple") | null;
      breakdown_value: (string | string[]) | null;
    };
    BillingStartupApplication: {
      /** Format: uuid */
      organization_id: string;
      [key: string]: unknown;
    };
    BillingSuccess: {
      /** @constant */
      success: true;
    };
    BillingSwitchPlan: {
      from_product_key: string;
      from_plan_key: string;
      to_product_key: string;
      to_plan_key: string;
    };
    BillingTeamOptionsResponse: {
      team_id_options: number[];
    };
    BillingTier: {
      flat_amount_usd: string;
      unit_amount_usd: string;
      current_amount_usd: string | null;
      current_usage: number;
      projected_usage: number | null;
      projected_amount_usd: string | null;
      up_to: number | null;
    };
    BillingTimeSeriesResponse: {
      /** @constant */
      status: "ok";
      /** @constant */
      type: "timeseries";
      customer_id: string;
      results: components["schemas"]["BillingSeries"][];
      team_id_options?: number[];
      next?: string | null;
      total_count?: number;
    };
    BillingTrial: {
      /** @enum {string} */
      type: "autosubscribe" | "standard";
      /** @enum {string} */
      status: "active" | "expired" | "cancelled" | "converted";
      target: string;
      expires_at: string;
    };
    BillingTrialActivate: {
      /** @enum {string} */
      type: "autosubscribe" | "standard";
      target: string;
    };
    BillingTrialCancel: Record<string, never>;
    BillingWebhook: {
      /** Format: uuid */
      id: string;
      url: string;
      events: ("billing.limit" | "billing.invoice" | "billing.payment")[];
      is_active: boolean;
      created_at: string;
    };
    BillingWebhookBody: {
      url: string;
      /**
       * @default [
       *   "billing.limit",
       *   "billing.invoice",
       *   "billing.payment"
       * ]
       */
      events?: ("billing.limit" | "billing.invoice" | "billing.payment")[];
      is_active?: boolean;
    };
    BillingWebhookDelivery: {
      id: string;
      /** @enum {string} */
      type: "billing.limit" | "billing.invoice" | "billing.payment";
      /** @enum {string} */
      status: "pending" | "delivered" | "failed";
      attempts: number;
      next_attempt_at: string | null;
      response_status: number | null;
      error: string | null;
      created_at: string;
      delivered_at: string | null;
    };
    Breakdown: {
      property: string | number;
      /** @default null */
      type: ("event" | "person" | "session" | "group" | "hogql" | "cohort" | "event_metadata" | "data_warehouse" | "data_warehouse_person_property") | null;
      /** @default null */
      normalize_url: boolean | null;
      /** @default null */
      histogram_bin_count: number | null;
      /** @default null */
      group_type_index: number | null;
    };
    BreakdownFilter: {
      /** @default null */
      breakdown: (string | number | ((string | number)[])) | null;
      /** @default null */
      breakdown_type: ("event" | "person" | "session" | "group" | "hogql" | "cohort" | "event_metadata" | "data_warehouse" | "data_warehouse_person_property") | null;
      /** @default null */
      breakdown_group_type_index: number | null;
      /** @default null */
      breakdown_limit: number | null;
      /** @default null */
      breakdown_hide_other_aggregation: boolean | null;
      /** @default null */
      breakdown_normalize_url: boolean | null;
      /** @default null */
      breakdown_path_cleaning: boolean | null;
      /** @default null */
      breakdown_histogram_bin_count: number | null;
      /** @default null */
      breakdowns: components["schemas"]["Breakdown"][] | null;
    };
    BreakdownFilterRequest: {
      /** @default null */
      breakdown?: (string | number | ((string | number)[])) | null;
      /** @default null */
      breakdown_type?: ("event" | "person" | "session" | "group" | "hogql" | "cohort" | "event_metadata" | "data_warehouse" | "data_warehouse_person_property") | null;
      /** @default null */
      breakdown_group_type_index?: number | null;
      /** @default null */
      breakdown_limit?: number | null;
      /** @default null */
      breakdown_hide_other_aggregation?: boolean | null;
      /** @default null */
      breakdown_normalize_url?: boolean | null;
      /** @default null */
      breakdown_path_cleaning?: boolean | null;
      /** @default null */
      breakdown_histogram_bin_count?: number | null;
      /** @default null */
      breakdowns?: components["schemas"]["BreakdownRequest"][] | null;
    };
    BreakdownRequest: {
      property: string | number;
      /** @default null */
      type?: ("event" | "person" | "session" | "group" | "hogql" | "cohort" | "event_metadata" | "data_warehouse" | "data_warehouse_person_property") | null;
      /** @default null */
      normalize_url?: boolean | null;
      /** @default null */
      histogram_bin_count?: number | null;
      /** @default null */
      group_type_index?: number | null;
    };
    CompareFilter: {
      /** @default null */
      compare: boolean | null;
      /** @default null */
      compare_to: string | null;
    };
    CompareFilterRequest: {
      /** @default null */
      compare?: boolean | null;
      /** @default null */
      compare_to?: string | null;
    };
    CurrentPersonalApiKey: {
      /** Format: uuid */
      id: string;
      label: string;
      description: string;
      value: string | null;
      mask_value: string;
      created_at: string;
      last_used_at: string | null;
      last_rolled_at: string | null;
      user_id: number;
      /** @constant */
      is_legacy_hashing: false;
      scopes: string[];
      scoped_teams: number[];
      scoped_organizations: string[];
      local_dev_value: null;
      user: {
        id: number;
        /** Format: uuid */
        uuid: string;
        first_name: string;
        last_name: string;
        email: string;
      };
      organizations: ({
          /** Format: uuid */
          id: string;
          name: string;
          slug: string;
          membership_level: number;
          /** @enum {string} */
          level: "member" | "admin" | "owner";
        })[];
      projects: {
          id: number;
          name: string;
          /** Format: uuid */
          organization_id: string;
          api_token: string;
          timezone: string;
        }[];
      ingest_url: string;
    };
    Dashboard: {
      /** Format: uuid */
      id: string;
      name: string;
      description: string;
      pinned: boolean;
      filters: components["schemas"]["DashboardFilters"];
      tiles: components["schemas"]["DashboardTile"][];
      revision: number;
      is_shared: boolean;
      created_at: string;
      updated_at: string;
      created_by: components["schemas"]["UserSummary"] | null;
    };
    DashboardChange: {
      name?: string;
      description?: string;
      pinned?: boolean;
      filters?: components["schemas"]["DashboardFiltersRequest"];
      tiles?: components["schemas"]["DashboardTileWrite"][];
      revision?: number;
    };
    DashboardFilter: {
      /** @default null */
      date_from?: string | null;
      /** @default null */
      date_to?: string | null;
      /** @default null */
      explicitDate?: boolean | null;
      /** @default null */
      properties?: components["schemas"]["PropertyFilterRequest"][] | null;
      /** @default null */
      breakdown_filter?: components["schemas"]["BreakdownFilterRequest"] | null;
      /** @default null */
      filterTestAccounts?: boolean | null;
      /** @default null */
      interval?: ("second" | "minute" | "hour" | "day" | "week" | "month") | null;
    };
    DashboardFilters: {
      /** @default null */
      date_from: string | null;
      /** @default null */
      date_to: string | null;
      /** @default null */
      properties: components["schemas"]["PropertyFilter"][] | null;
    };
    DashboardFiltersRequest: {
      /** @default null */
      date_from?: string | null;
      /** @default null */
      date_to?: string | null;
      /** @default null */
      properties?: components["schemas"]["PropertyFilterRequest"][] | null;
    };
    DashboardSharing: {
      enabled: boolean;
      created_at: string | null;
      created_by: components["schemas"]["UserSummary"] | null;
    };
    DashboardSharingLink: {
      enabled: boolean;
      created_at: string | null;
      created_by: components["schemas"]["UserSummary"] | null;
      /** Format: uri */
      url: string;
    };
    DashboardTile: {
      /** Format: uuid */
      id: string;
      endpoint: string;
      version: number | null;
      title: string | null;
      /** @enum {string} */
      plot: "auto" | "table" | "line" | "bar" | "area" | "number" | "heat_map";
      width: number;
      height: number;
      variables: {
        [key: string]: unknown;
      };
    };
    DashboardTileWrite: {
      /** Format: uuid */
      id?: string;
      endpoint: string;
      version?: number | null;
      title?: string | null;
      /** @enum {string} */
      plot?: "auto" | "table" | "line" | "bar" | "area" | "number" | "heat_map";
      width?: number;
      height?: number;
      /** @default {} */
      variables?: {
        [key: string]: unknown;
      };
    };
    DashboardWrite: {
      name: string;
      description?: string;
      pinned?: boolean;
      filters?: components["schemas"]["DashboardFiltersRequest"];
      tiles?: components["schemas"]["DashboardTileWrite"][];
    };
    DataWarehouseNode: {
      /** @constant */
      kind: "DataWarehouseNode";
    };
    DateRange: {
      /** @default null */
      date_from: string | null;
      /** @default null */
      date_to: string | null;
      /** @default null */
      explicitDate: boolean | null;
    };
    DateRangeRequest: {
      /** @default null */
      date_from?: string | null;
      /** @default null */
      date_to?: string | null;
      /** @default null */
      explicitDate?: boolean | null;
    };
    EarnedPropertyColumn: {
      /** @enum {string} */
      type: "text" | "number";
      since: string;
      named_at: string;
      named_by: string;
    };
    EndpointDescription: {
      [key: string]: unknown;
    };
    EndpointExport: {
      id: string;
      /** @constant */
      state: "completed";
      endpoint: string;
      version: number;
      /** @enum {string} */
      format: "csv" | "jsonl" | "parquet";
      rows: number;
      bytes: number;
      created_at: string;
      expires_at: string;
      /** Format: uri */
      download_url: string;
    };
    EndpointExportRequest: {
      endpoint: string;
      version?: number | null;
      variables?: {
        [key: string]: unknown;
      } | null;
      /** @enum {string} */
      format?: "csv" | "jsonl" | "parquet";
    };
    EndpointLastExecutionTimes: {
      query_status: {
        id: string;
        team_id: number;
        complete: boolean;
        error: boolean;
        error_code: string | null;
        error_message: string | null;
        query_async: boolean;
        dashboard_id: number | null;
        insight_id: number | null;
        labels: string[] | null;
        task_id: string | null;
        start_time: string | null;
        end_time: string | null;
        pickup_time: string | null;
        expiration_time: string | null;
        results: [string, string][] | null;
        query_progress: null;
        budget_remaining_bytes: number | null;
        bytes_read: number | null;
        cache_key: string | null;
        query_scan: null;
      };
    };
    EndpointLastExecutionTimesRequest: {
      names: string[];
    };
    EndpointLogEntry: {
      /** Format: uuid */
      log_source_id: string;
      /** Format: uuid */
      instance_id: string;
      timestamp: string;
      /** @enum {string} */
      level: "DEBUG" | "LOG" | "INFO" | "WARN" | "ERROR";
      message: string;
    };
    EndpointMaterialization: {
      name: string;
      enabled: boolean;
      ready: boolean;
      hibernated: boolean;
      can_materialize: boolean;
      reason?: string | null;
      /** @enum {string} */
      status?: "Unknown" | "Running" | "Completed" | "Failed" | "Modified" | "Cancelled";
      last_materialized_at?: string | null;
      error?: string;
      /** Format: uuid */
      saved_query_id?: string;
    };
    EndpointRunRequest: {
      client_query_id?: string | null;
      debug?: boolean | null;
      filters_override?: components["schemas"]["DashboardFilter"] | null;
      limit?: number | null;
      offset?: number | null;
      refresh?: ("cache" | "force" | "direct") | null;
      variables?: {
        [key: string]: unknown;
      } | null;
      version?: number | null;
    };
    EndpointRunResult: {
      results: (unknown[] | components["schemas"]["TrendResultRow"] | components["schemas"]["RetentionResultRow"])[];
      columns?: string[];
      types?: [string, string][];
      hasMore: boolean;
      limit?: number;
      offset?: number;
      query?: string;
      error: null;
      clickhouse: null;
      metadata: null;
      is_cached: boolean;
      last_refresh: string;
      next_allowed_client_refresh: string;
      cache_target_age: string;
      timezone: string;
      query_status: null;
      name: string;
      /** Format: uuid */
      execution_id: string;
      endpoint_version: number;
      endpoint_version_created_at: string;
      /** @constant */
      endpoint_materialized?: true;
      endpoint_materialized_at?: string;
      cache_key?: string;
      calculation_trigger?: null;
      explain?: null;
      hogql?: string | null;
      modifiers?: {
        [key: string]: unknown;
      } | null;
      resolved_date_range?: ({
        date_from: string | null;
        date_to: string;
      }) | null;
      timings?: {
          k: string;
          t: number;
        }[];
    };
    Error: {
      /** @enum {string} */
      type: "validation_error" | "invalid_request" | "authentication_error" | "throttled_error" | "server_error";
      code: string;
      detail: string;
      attr: string | null;
      error_event_id?: string;
    };
    ErrorTrackingAlertChannel: OneOf<[{
      /** @constant */
      type: "email";
      user_id: number;
    }, {
      /** @constant */
      type: "webhook";
      url: string;
    }, {
      /** @constant */
      type: "slack";
      url: string;
    }]>;
    ErrorTrackingAlertChannelWrite: OneOf<[{
      /** @constant */
      type: "email";
      user_id: number;
    }, {
      /** @constant */
      type: "webhook";
      url: string;
    }, {
      /** @constant */
      type: "slack";
      url: string;
    }]>;
    ErrorTrackingAlertRule: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @enum {string} */
      trigger: "issue_created" | "issue_reopened" | "issue_spiking" | "threshold";
      threshold: components["schemas"]["ErrorTrackingAlertThreshold"] | null;
      filters: {
        [key: string]: unknown;
      } | null;
      channels: components["schemas"]["ErrorTrackingAlertChannel"][];
      cooldown_minutes: number;
      enabled: boolean;
      last_triggered_at: string | null;
      last_error: string | null;
      created_at: string;
      updated_at: string;
    };
    ErrorTrackingAlertRuleChanges: {
      name?: string;
      /** @enum {string} */
      trigger?: "issue_created" | "issue_reopened" | "issue_spiking" | "threshold";
      threshold?: components["schemas"]["ErrorTrackingAlertThresholdWrite"] | null;
      filters?: components["schemas"]["ErrorTrackingFilters"] | null;
      channels?: components["schemas"]["ErrorTrackingAlertChannelWrite"][];
      cooldown_minutes?: number;
      enabled?: boolean;
    };
    ErrorTrackingAlertRuleList: {
      results: components["schemas"]["ErrorTrackingAlertRule"][];
    };
    ErrorTrackingAlertRuleWrite: {
      name: string;
      /** @enum {string} */
      trigger: "issue_created" | "issue_reopened" | "issue_spiking" | "threshold";
      threshold?: components["schemas"]["ErrorTrackingAlertThresholdWrite"] | null;
      filters?: components["schemas"]["ErrorTrackingFilters"] | null;
      channels: components["schemas"]["ErrorTrackingAlertChannelWrite"][];
      cooldown_minutes?: number;
      enabled?: boolean;
    };
    ErrorTrackingAlertTest: {
      success: boolean;
      error?: string;
    };
    ErrorTrackingAlertThreshold: {
      count: number;
      minutes: number;
    };
    ErrorTrackingAlertThresholdWrite: {
      count: number;
      minutes: number;
    };
    ErrorTrackingAssignee: OneOf<[{
      /** @constant */
      type: "user";
      id: number;
    }, {
      /** @constant */
      type: "role";
      /** Format: uuid */
      id: string;
    }]>;
    ErrorTrackingAssignmentRule: {
      /** Format: uuid */
      id: string;
      filters: {
        [key: string]: unknown;
      };
      assignee: components["schemas"]["ErrorTrackingAssignee"];
      enabled: boolean;
      order_key: number;
      disabled_data: components["schemas"]["ErrorTrackingRuleDisabled"];
      created_at: string;
      updated_at: string;
    };
    ErrorTrackingAssignmentRuleList: {
      results: components["schemas"]["ErrorTrackingAssignmentRule"][];
    };
    ErrorTrackingAssignmentRuleWrite: {
      filters: components["schemas"]["ErrorTrackingFilters"];
      assignee: {
        /** @enum {string} */
        type: "user" | "role";
        id: number | string;
      };
      order_key?: number;
      enabled?: boolean;
    };
    ErrorTrackingExternalIssue: {
      /** Format: uuid */
      id: string;
      integration: {
        id: number;
        kind: string;
        display_name: string;
      };
      external_url: string;
      external_id: string;
      title: string;
    };
    ErrorTrackingExternalIssues: {
      issues: {
          id: string;
          title: string;
          url: string;
          external_context: {
            [key: string]: unknown;
          };
        }[];
    };
    ErrorTrackingExternalLink: {
      integration_id: number;
      /** Format: uuid */
      issue: string;
      external_context: Record<string, never>;
    };
    ErrorTrackingExternalReferenceChanges: {
      deleted?: boolean;
    };
    ErrorTrackingExternalReferenceWrite: {
      integration_id: number;
      config: Record<string, never>;
      /** Format: uuid */
      issue: string;
    };
    ErrorTrackingFileLink: {
      found: boolean;
      url?: string;
      error?: string;
    };
    ErrorTrackingFilters: Record<string, never>;
    ErrorTrackingFingerprint: {
      /** Format: uuid */
      id: string;
      fingerprint: string;
      /** Format: uuid */
      issue_id: string;
      created_at: string;
      first_seen: string | null;
    };
    ErrorTrackingGroupingRule: {
      /** Format: uuid */
      id: string;
      filters: {
        [key: string]: unknown;
      };
      assignee: components["schemas"]["ErrorTrackingAssignee"] | null;
      description: string | null;
      issue: ({
        /** Format: uuid */
        id: string;
        name: string | null;
      }) | null;
      order_key: number;
      disabled_data: components["schemas"]["ErrorTrackingRuleDisabled"];
      created_at: string;
      updated_at: string;
    };
    ErrorTrackingGroupingRuleList: {
      results: components["schemas"]["ErrorTrackingGroupingRule"][];
    };
    ErrorTrackingGroupingRuleWrite: {
      filters: components["schemas"]["ErrorTrackingFilters"];
      assignee?: ({
        /** @enum {string} */
        type: "user" | "role";
        id: number | string;
      }) | null;
      description?: string | null;
      enabled?: boolean;
    };
    ErrorTrackingIssue: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: "active" | "resolved" | "suppressed" | "archived" | "pending_release";
      severity: ("low" | "medium" | "high" | "critical") | null;
      name: string | null;
      description: string | null;
      first_seen: string;
      assignee: components["schemas"]["ErrorTrackingAssignee"] | null;
      external_issues: components["schemas"]["ErrorTrackingExternalIssue"][];
      cohort: {
        id: number;
        name: string;
      } | null;
    };
    ErrorTrackingIssueActivity: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      issue_id: string;
      /** @enum {string} */
      activity: "created" | "status_changed" | "severity_changed" | "assigned" | "renamed" | "merged" | "unmerged" | "split" | "reopened";
      detail: {
        [key: string]: unknown;
      };
      user: {
        id: number;
        first_name: string;
        email: string;
      } | null;
      created_at: string;
    };
    ErrorTrackingIssueAggregations: {
      occurrences?: number;
      users?: number;
      sessions?: number;
      last_seen?: string | null;
      sparkline?: {
          start: string;
          count: number;
        }[];
    };
    ErrorTrackingIssueChanges: {
      /** @enum {string} */
      status?: "active" | "resolved" | "suppressed";
      severity?: ("low" | "medium" | "high" | "critical") | null;
      name?: string | null;
      description?: string | null;
    };
    ErrorTrackingIssueElsewhere: {
      /** Format: uuid */
      issue_id: string;
    };
    ErrorTrackingListedIssue: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: "active" | "resolved" | "suppressed" | "archived" | "pending_release";
      severity: ("low" | "medium" | "high" | "critical") | null;
      name: string | null;
      description: string | null;
      first_seen: string;
      assignee: components["schemas"]["ErrorTrackingAssignee"] | null;
      external_issues: components["schemas"]["ErrorTrackingExternalIssue"][];
      cohort: {
        id: number;
        name: string;
      } | null;
      aggregations?: components["schemas"]["ErrorTrackingIssueAggregations"];
    };
    ErrorTrackingMergedIssue: {
      /** Format: uuid */
      id: string;
      name: string | null;
      description: string | null;
      /** @enum {string} */
      status: "active" | "resolved" | "suppressed" | "archived" | "pending_release";
      first_seen: string;
      merged_at: string;
      merged_by: number | null;
      fingerprints: number;
    };
    ErrorTrackingMerging: {
      success: boolean;
      finished?: boolean;
    };
    ErrorTrackingRelease: {
      /** Format: uuid */
      id: string;
      hash_id: string;
      team_id: number;
      created_at: string;
      metadata: {
        [key: string]: unknown;
      } | null;
      version: string;
      project: string;
    };
    ErrorTrackingReleaseCreate: {
      version: string;
      project: string;
      hash_id?: (string | number | boolean) | null;
      metadata?: ({
        [key: string]: components["schemas"]["JsonValue"];
      } | "") | null;
    };
    ErrorTrackingReleaseWrite: {
      version?: (string | number | boolean) | null;
      project?: (string | number | boolean) | null;
      hash_id?: (string | number | boolean) | null;
      metadata?: ({
        [key: string]: components["schemas"]["JsonValue"];
      } | "") | null;
    };
    ErrorTrackingRuleDisabled: {
      [key: string]: unknown;
    } | null;
    ErrorTrackingRuleOrders: {
      orders: {
        [key: string]: number;
      };
    };
    ErrorTrackingRuleTrial: {
      matched: number;
      looked_at: number;
      unasked: number;
      complete: boolean;
      examples: ({
          /** Format: uuid */
          uuid: string;
          timestamp: string;
          distinct_id: string;
          issue_id: string | null;
          type: string | null;
          value: string | null;
        })[];
    };
    ErrorTrackingRuleTrialRequest: {
      filters: {
        [key: string]: unknown;
      };
    };
    ErrorTrackingSettings: {
      project_rate_limit_value: number | null;
      project_rate_limit_bucket_size_minutes: number | null;
      per_issue_rate_limit_value: number | null;
      per_issue_rate_limit_bucket_size_minutes: number | null;
    };
    ErrorTrackingSettingsChanges: {
      project_rate_limit_value?: number | null;
      project_rate_limit_bucket_size_minutes?: number | null;
      per_issue_rate_limit_value?: number | null;
      per_issue_rate_limit_bucket_size_minutes?: number | null;
    };
    ErrorTrackingSeverityRule: {
      /** Format: uuid */
      id: string;
      filters: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      severity: "low" | "medium" | "high" | "critical";
      order_key: number;
      disabled_data: components["schemas"]["ErrorTrackingRuleDisabled"];
      created_at: string;
      updated_at: string;
    };
    ErrorTrackingSeverityRuleList: {
      results: components["schemas"]["ErrorTrackingSeverityRule"][];
    };
    ErrorTrackingSeverityRuleWrite: {
      filters: components["schemas"]["ErrorTrackingFilters"];
      /** @enum {string} */
      severity: "low" | "medium" | "high" | "critical";
      order_key?: number;
      enabled?: boolean;
    };
    ErrorTrackingSpikeEvent: {
      /** Format: uuid */
      id: string;
      issue: {
        /** Format: uuid */
        id: string;
        name: string | null;
        description: string | null;
      };
      detected_at: string;
      computed_baseline: number;
      current_bucket_value: number;
    };
    ErrorTrackingStackFrame: {
      /** Format: uuid */
      id: string;
      raw_id: string;
      created_at: string;
      contents: {
        [key: string]: unknown;
      };
      resolved: boolean;
      context: {
        [key: string]: unknown;
      } | null;
      symbol_set_ref: string | null;
      release: components["schemas"]["ErrorTrackingRelease"] | null;
    };
    ErrorTrackingSuccess: {
      success: boolean;
    };
    ErrorTrackingSymbolSet: {
      /** Format: uuid */
      id: string;
      ref: string;
      team_id: number;
      created_at: string;
      last_used: string | null;
      failure_reason: string | null;
      has_uploaded_file: boolean;
      size: number;
      release: components["schemas"]["ErrorTrackingRelease"] | null;
    };
    ErrorTrackingSymbolSetAddress: {
      presigned_url: components["schemas"]["PresignedForm"];
      /** Format: uri */
      presigned_put_url?: string;
      /** Format: uuid */
      symbol_set_id: string;
    };
    ErrorTrackingSymbolSetUpload: {
      chunk_id: string;
      release_id?: string | null;
      content_hash?: string | null;
      content_length?: number | null;
    };
    EventDefinition: {
      name: string;
      last_seen_at: string | null;
      volume_30_day: number;
    };
    EventsNode: {
      /** @constant */
      kind: "EventsNode";
      /** @default null */
      event: string | null;
      /** @default null */
      limit: number | null;
      /** @default null */
      orderBy: string[] | null;
      /** @default null */
      name: string | null;
      /** @default null */
      custom_name: string | null;
      /** @default null */
      math: ("total" | "dau" | "weekly_active" | "monthly_active" | "unique_session" | "first_time_for_user" | "first_matching_event_for_user" | "avg" | "sum" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor" | "unique_group" | "hogql") | null;
      /** @default null */
      math_property: string | null;
      /** @default null */
      math_property_type: string | null;
      /** @default null */
      math_property_revenue_currency: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      math_hogql: string | null;
      /** @default null */
      math_group_type_index: number | null;
      /** @default null */
      math_multiplier: number | null;
      /** @default null */
      properties: components["schemas"]["PropertyFilter"][] | null;
      /** @default null */
      fixedProperties: components["schemas"]["PropertyFilter"][] | null;
      /** @default null */
      optionalInFunnel: boolean | null;
      /** @default null */
      response: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      version: number | null;
    };
    EventsNodeRequest: {
      /** @constant */
      kind: "EventsNode";
      /** @default null */
      event?: string | null;
      /** @default null */
      limit?: number | null;
      /** @default null */
      orderBy?: string[] | null;
      /** @default null */
      name?: string | null;
      /** @default null */
      custom_name?: string | null;
      /** @default null */
      math?: ("total" | "dau" | "weekly_active" | "monthly_active" | "unique_session" | "first_time_for_user" | "first_matching_event_for_user" | "avg" | "sum" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor" | "unique_group" | "hogql") | null;
      /** @default null */
      math_property?: string | null;
      /** @default null */
      math_property_type?: string | null;
      /** @default null */
      math_property_revenue_currency?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      math_hogql?: string | null;
      /** @default null */
      math_group_type_index?: number | null;
      /** @default null */
      math_multiplier?: number | null;
      /** @default null */
      properties?: components["schemas"]["PropertyFilterRequest"][] | null;
      /** @default null */
      fixedProperties?: components["schemas"]["PropertyFilterRequest"][] | null;
      /** @default null */
      optionalInFunnel?: boolean | null;
      /** @default null */
      response?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      version?: number | null;
    };
    ExternalAccount: {
      /** Format: uuid */
      id: string;
      external_id: string;
      name: string;
      churned_at: string | null;
      ignored_at: string | null;
      properties: {
        [key: string]: components["schemas"]["JsonValue"];
      };
      tags: string[];
      relationships: {
        [key: string]: {
            user_id: number;
            email: string;
          }[];
      };
      custom_properties: {
        [key: string]: string | number | boolean | null;
      };
    };
    ExternalAccountCreate: {
      external_id: string;
    };
    ExternalAccountError: {
      error: string;
    };
    ExternalAccountListPage: {
      results: components["schemas"]["ExternalAccountRow"][];
      next_cursor: string | null;
    };
    ExternalAccountListValidationError: {
      error: {
        [key: string]: string[];
      };
    };
    ExternalAccountRow: {
      external_id: string;
      name: string;
      churned_at: string | null;
      ignored_at: string | null;
      relationships: {
        [key: string]: ({
            user_id: number;
            email: string;
            name: string | null;
          })[];
      };
    };
    ExternalAccountUpdate: {
      external_id: string;
      relationships?: {
        [key: string]: {
          /** @constant */
          type: "user";
          id: number;
        } | null;
      };
      tags?: string[];
      /** @enum {string} */
      tags_mode?: "add" | "set" | "remove";
      churned_at?: string | null;
    };
    ExternalAccountValues: {
      external_id: string;
      properties: {
        [key: string]: (string | number | boolean) | null;
      };
    };
    ExternalAccountValuesSet: {
      external_id: string;
      values: ({
          /** Format: uuid */
          definition_id: string;
          value: (string | number | boolean) | null;
        })[];
    };
    HealthJob: {
      /** @enum {string} */
      kind: "compact" | "fold" | "usage" | "audit" | "recount" | "publish" | "remove" | "remove-rows";
      partition: string | null;
      attempts: number;
      since: string;
      last_attempt_at: string;
      next_attempt_at: string;
      advice: string;
    };
    HealthLane: {
      /** @enum {string} */
      name: "live" | "historical" | "jobs";
      waiting: number;
      in_flight: number;
      dead_letters: number;
    };
    HealthMisfit: {
      property: string;
      /** @enum {string} */
      owner: "event" | "person" | "group";
      group_type_index: number | null;
      /** @enum {string} */
      type: "String" | "Numeric" | "Boolean" | "DateTime";
      values: number;
    };
    HealthStorage: {
      newest_stored_at: string | null;
      delay_seconds: number | null;
      segments_waiting: number;
      deltas_waiting: number;
      oldest_waiting_at: string | null;
      has_more: boolean;
    };
    HogQLQuery: {
      /** @constant */
      kind: "HogQLQuery";
      query: string;
      variables?: ({
        [key: string]: {
          variableId: string;
          code_name: string;
          value?: unknown;
          isNull?: boolean | null;
        };
      }) | null;
      explain?: boolean | null;
      filters?: ({
        dateRange?: ({
          date_from?: string | null;
          date_to?: string | null;
          explicitDate?: boolean | null;
        }) | null;
        properties?: {
            [key: string]: unknown;
          }[] | null;
        filterTestAccounts?: boolean | null;
      }) | null;
      modifiers?: {
        [key: string]: unknown;
      } | null;
      name?: string | null;
      response?: {
        [key: string]: unknown;
      } | null;
      tags?: {
        [key: string]: unknown;
      } | null;
      values?: {
        [key: string]: unknown;
      } | null;
      version?: number | null;
    };
    HogQLQueryRequest: {
      /** @constant */
      kind: "HogQLQuery";
      query: string;
      variables?: ({
        [key: string]: {
          variableId: string;
          code_name: string;
          value?: unknown;
          isNull?: boolean | null;
        };
      }) | null;
      explain?: boolean | null;
      filters?: ({
        dateRange?: ({
          date_from?: string | null;
          date_to?: string | null;
          explicitDate?: boolean | null;
        }) | null;
        properties?: {
            [key: string]: unknown;
          }[] | null;
        filterTestAccounts?: boolean | null;
      }) | null;
      modifiers?: {
        [key: string]: unknown;
      } | null;
      name?: string | null;
      response?: {
        [key: string]: unknown;
      } | null;
      tags?: {
        [key: string]: unknown;
      } | null;
      values?: {
        [key: string]: unknown;
      } | null;
      version?: number | null;
    };
    JsonValue: unknown;
    LegacyDesktopAccessResponse: {
      has_access: boolean;
      has_loops_access: boolean;
    };
    LiveEvent: {
      uuid: string;
      event: string;
      timestamp: string;
      created_at: string;
      distinct_id: string;
      person_id: string;
      properties: {
        [key: string]: unknown;
      };
    };
    LiveEvents: {
      results: components["schemas"]["LiveEvent"][];
      next: string;
      minutes: {
          minute: string;
          events: number;
        }[];
      has_more: boolean;
    };
    MaterializationComparisonSide: {
      columns: string[];
      rows: unknown[];
      row_count: number;
      ms: number;
      bytes: number;
      error: string | null;
    };
    MaterializationConditions: {
      conditions_source: string;
      rewrite_contract: string;
    };
    MaterializationPreview: {
      can_materialize: boolean;
      reason: string | null;
      transformed_query: string | null;
      execution_query: string | null;
      display_execution_query: string | null;
      range_pairs: ({
          column: string;
          variables: string[];
          bucket_fn: string | null;
        })[];
      aggregates: ({
          expression: string;
          reaggregate_fn: string | null;
        })[];
      comparison?: {
        live: components["schemas"]["MaterializationComparisonSide"];
        materialised: components["schemas"]["MaterializationComparisonSide"];
        table: ({
          bytes: number;
          made_ms: number | null;
        }) | null;
        equal: boolean;
      };
    };
    MaterializationPreviewRequest: {
      version?: number | null;
      bucket_overrides?: {
        [key: string]: string;
      } | null;
      variables?: {
        [key: string]: unknown;
      } | null;
    };
    MaterializationSuggestion: {
      /** @enum {string} */
      suggestion_status: "ok" | "cannot_fix" | "invalid" | "model_error";
      suggested_query: string | null;
      explanation: string | null;
      attempts: number;
      error: string | null;
      original_reason: string;
    };
    MaterializationSuggestionRefusal: {
      error: string;
    };
    MaterializationSuggestionRequest: {
      version?: number | null;
    };
    NewBillingWebhook: {
      /** Format: uuid */
      id: string;
      url: string;
      events: ("billing.limit" | "billing.invoice" | "billing.payment")[];
      is_active: boolean;
      created_at: string;
      secret: string;
    };
    NewErrorTrackingAlertRule: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @enum {string} */
      trigger: "issue_created" | "issue_reopened" | "issue_spiking" | "threshold";
      threshold: components["schemas"]["ErrorTrackingAlertThreshold"] | null;
      filters: {
        [key: string]: unknown;
      } | null;
      channels: components["schemas"]["ErrorTrackingAlertChannel"][];
      cooldown_minutes: number;
      enabled: boolean;
      last_triggered_at: string | null;
      last_error: string | null;
      created_at: string;
      updated_at: string;
      secret: string;
    };
    Organization: {
      /** Format: uuid */
      id: string;
      name: string;
      slug: string;
      logo_media_id: string | null;
      created_at: string;
      updated_at: string;
      membership_level: number | null;
      plugins_access_level: number;
      teams: components["schemas"]["ProjectSummary"][];
      projects: {
          id: number;
          /** Format: uuid */
          organization_id: string;
          name: string;
        }[];
      available_product_features: {
          key: string;
          name: string;
        }[] | null;
      is_member_join_email_enabled: boolean;
      metadata: {
        instance_tag: string;
      };
      customer_id: string | null;
      enforce_2fa: boolean | null;
      members_can_invite: boolean | null;
      members_can_create_projects: boolean | null;
      members_can_use_personal_api_keys: boolean;
      allow_publicly_shared_resources: boolean;
      member_count: number;
      is_ai_data_processing_approved: boolean | null;
      is_ai_training_opted_in: boolean | null;
      is_ai_training_locked: boolean | null;
      is_ai_training_cta_shown: boolean | null;
      is_hipaa: boolean | null;
      default_experiment_stats_method: string | null;
      default_anonymize_ips: boolean;
      default_role_id: string | null;
      is_active: boolean | null;
      is_not_active_reason: string | null;
      is_pending_deletion: boolean | null;
      enforce_verified_domains: boolean;
    };
    OrganizationDomain: {
      /** Format: uuid */
      id: string;
      domain: string;
      is_verified: boolean;
      verified_at: string | null;
      verification_challenge: string;
      jit_provisioning_enabled: boolean;
      sso_enforcement: string;
      scim_base_url: string | null;
    };
    OrganizationDomainWrite: {
      domain: string;
      jit_provisioning_enabled?: boolean;
      sso_enforcement?: string;
    };
    OrganizationMember: {
      user: components["schemas"]["UserSummary"];
      level: number;
      joined_at: string;
    };
    OrganizationOAuthApplication: {
      /** Format: uuid */
      id: string;
      name: string;
      client_id: string;
      redirect_uris_list: string[];
      is_verified: boolean;
      created: string;
      updated: string;
    };
    OrganizationRemoveBlockedMembersResponse: {
      /** @constant */
      success: true;
      removed_count: number;
      /** @constant */
      enforce_verified_domains: true;
    };
    OrganizationRole: {
      /** Format: uuid */
      id: string;
      name: string;
      members: number[];
    };
    OrganizationWrite: {
      name: string;
      logo_media_id?: string | null;
      is_member_join_email_enabled?: boolean;
      enforce_2fa?: boolean | null;
      members_can_invite?: boolean | null;
      members_can_create_projects?: boolean | null;
      members_can_use_personal_api_keys?: boolean;
      allow_publicly_shared_resources?: boolean;
      is_ai_data_processing_approved?: boolean | null;
      is_ai_training_opted_in?: boolean | null;
      default_experiment_stats_method?: ("bayesian" | "frequentist" | "") | null;
      default_anonymize_ips?: boolean;
      default_role_id?: string | null;
      enforce_verified_domains?: boolean;
    };
    PaginatedBillingAlertList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["BillingAlert"][];
    };
    PaginatedBillingInvoiceSummaryList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["BillingInvoiceSummary"][];
    };
    PaginatedBillingReceivableList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["BillingReceivable"][];
    };
    PaginatedBillingWebhookDeliveryList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["BillingWebhookDelivery"][];
    };
    PaginatedBillingWebhookList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["BillingWebhook"][];
    };
    PaginatedDashboardList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["Dashboard"][];
    };
    PaginatedEndpointLogEntryList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["EndpointLogEntry"][];
    };
    PaginatedErrorTrackingExternalIssueList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingExternalIssue"][];
    };
    PaginatedErrorTrackingFingerprintList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingFingerprint"][];
    };
    PaginatedErrorTrackingIssueActivityList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingIssueActivity"][];
    };
    PaginatedErrorTrackingIssueList: components["schemas"]["PaginatedErrorTrackingListedIssueList"];
    PaginatedErrorTrackingListedIssueList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingListedIssue"][];
    };
    PaginatedErrorTrackingMergedIssueList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingMergedIssue"][];
    };
    PaginatedErrorTrackingReleaseList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingRelease"][];
    };
    PaginatedErrorTrackingSpikeEventList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingSpikeEvent"][];
    };
    PaginatedErrorTrackingStackFrameList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingStackFrame"][];
    };
    PaginatedErrorTrackingSymbolSetList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["ErrorTrackingSymbolSet"][];
    };
    PaginatedEventDefinitionList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["EventDefinition"][];
    };
    PaginatedOrganizationDomainList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["OrganizationDomain"][];
    };
    PaginatedOrganizationList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["Organization"][];
    };
    PaginatedOrganizationMemberList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["OrganizationMember"][];
    };
    PaginatedOrganizationOAuthApplicationList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["OrganizationOAuthApplication"][];
    };
    PaginatedOrganizationRoleList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["OrganizationRole"][];
    };
    PaginatedPersonList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["Person"][];
    };
    PaginatedPropertyDefinitionList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["PropertyDefinition"][];
    };
    PaginatedSavedQueryEndpointList: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["SavedQueryEndpoint"][];
    };
    PatchedBillingWebhook: {
      url?: string;
      events?: ("billing.limit" | "billing.invoice" | "billing.payment")[];
      is_active?: boolean;
    };
    PatchedOrganization: {
      name?: string;
      logo_media_id?: string | null;
      is_member_join_email_enabled?: boolean;
      enforce_2fa?: boolean | null;
      members_can_invite?: boolean | null;
      members_can_create_projects?: boolean | null;
      members_can_use_personal_api_keys?: boolean;
      allow_publicly_shared_resources?: boolean;
      is_ai_data_processing_approved?: boolean | null;
      is_ai_training_opted_in?: boolean | null;
      default_experiment_stats_method?: ("bayesian" | "frequentist" | "") | null;
      default_anonymize_ips?: boolean;
      default_role_id?: string | null;
      enforce_verified_domains?: boolean;
    };
    PatchedOrganizationDomain: {
      jit_provisioning_enabled?: boolean;
      sso_enforcement?: string;
    };
    Person: {
      id: string;
      uuid: string;
      name: string;
      distinct_ids: string[];
      properties: {
        [key: string]: unknown;
      };
      is_identified: boolean;
      created_at: string | null;
      last_seen_at: string | null;
    };
    PersonEvent: {
      id: string;
      uuid: string;
      event: string;
      distinct_id: string;
      timestamp: string;
      created_at: string;
      properties: {
        [key: string]: unknown;
      };
    };
    PersonEvents: {
      next: string | null;
      results: components["schemas"]["PersonEvent"][];
    };
    PersonalApiKey: {
      /** Format: uuid */
      id: string;
      label: string;
      description: string;
      value: string | null;
      mask_value: string;
      created_at: string;
      last_used_at: string | null;
      last_rolled_at: string | null;
      user_id: number;
      /** @constant */
      is_legacy_hashing: false;
      scopes: string[];
      scoped_teams: number[];
      scoped_organizations: string[];
      local_dev_value: null;
    };
    PersonalApiKeyWrite: {
      label: string;
      description?: string;
      scopes: string[];
      scoped_teams: number[] | null;
      scoped_organizations: string[] | null;
    };
    PersonalSpendAnalysisResponse: {
      summary: {
        date_from: string;
        date_to: string;
        product: string;
        total_cost_usd: number;
        event_count: number;
        scoped_cost_usd: number;
        scoped_event_count: number;
      };
      by_product: {
        items: ({
            product: string | null;
            event_count: number;
            cost_usd: number;
          })[];
        truncated: boolean;
      };
      by_tool: {
        items: ({
            tool: string | null;
            generation_count: number;
            cost_usd: number;
            share_of_scoped: number;
            avg_input_tokens: number;
            cost_attributed_usd: number;
            share_attributed: number;
          })[];
        truncated: boolean;
      };
      by_model: {
        items: ({
            model: string | null;
            generation_count: number;
            cost_usd: number;
            input_tokens: number;
            output_tokens: number;
          })[];
        truncated: boolean;
      };
      by_day: {
        items: {
            day: string;
            event_count: number;
            cost_usd: number;
          }[];
        truncated: boolean;
      };
      by_bucket?: {
        items: {
            bucket_start: string;
            event_count: number;
            cost_usd: number;
            input_cost_usd: number;
            output_cost_usd: number;
            cache_read_cost_usd: number;
            cache_creation_cost_usd: number;
            input_tokens: number;
            output_tokens: number;
            cache_read_input_tokens: number;
            cache_creation_input_tokens: number;
          }[];
        truncated: boolean;
        bucket_minutes: number;
      };
      top_traces: {
        items: {
            trace_id: string;
            generation_count: number;
            cost_usd: number;
            started_at: string;
          }[];
        truncated: boolean;
      };
      by_input_size: {
        items: {
            bucket: string;
            min_input_tokens: number;
            generation_count: number;
            cost_usd: number;
            share_of_scoped: number;
            avg_cost_per_generation: number;
          }[];
        truncated: boolean;
      };
    };
    PresignedForm: {
      /** Format: uri */
      url: string;
      fields: {
        [key: string]: string;
      };
    };
    ProjectHealth: {
      /** @enum {string} */
      status: "ok" | "behind" | "failing";
      summary: string;
      lanes: components["schemas"]["HealthLane"][];
      storage: components["schemas"]["HealthStorage"];
      jobs: components["schemas"]["HealthJob"][];
      misfits: components["schemas"]["HealthMisfit"][];
    };
    ProjectSecretApiKey: {
      /** Format: uuid */
      id: string;
      label: string;
      value: string | null;
      mask_value: string;
      created_at: string;
      last_used_at: string | null;
      last_rolled_at: string | null;
      scopes: string[];
    };
    ProjectSecretApiKeyWrite: {
      label: string;
      scopes: string[];
    };
    ProjectSummary: {
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      organization: string;
      project_id: number;
      api_token: string;
      name: string;
      completed_snippet_onboarding: boolean;
      has_completed_onboarding_for: {
        [key: string]: boolean;
      } | null;
      ingested_event: boolean;
      is_demo: boolean;
      timezone: string;
      access_control: boolean;
    };
    PropertyDefinition: {
      name: string;
      /** @enum {string} */
      type: "event" | "person" | "group";
      group_type_index: number | null;
      /** @enum {string} */
      property_type: "String" | "Numeric" | "Boolean" | "DateTime";
      is_numerical: boolean;
      earned_columns: components["schemas"]["EarnedPropertyColumn"][];
    };
    PropertyFilter: {
      key: string;
      /** @default null */
      value: ((string | number | boolean) | ((string | number | boolean)[])) | null;
      /** @default null */
      operator: ("exact" | "is_not" | "icontains" | "not_icontains" | "icontains_multi" | "not_icontains_multi" | "regex" | "not_regex" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_not_set" | "is_date_exact" | "is_date_before" | "is_date_after" | "between" | "not_between" | "min" | "max" | "in" | "not_in" | "is_cleaned_path_exact" | "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte" | "semver_tilde" | "semver_caret" | "semver_wildcard" | "flag_evaluates_to") | null;
      /** @default null */
      type: ("event" | "person" | "session" | "group" | "cohort" | "element" | "event_metadata" | "hogql" | "feature" | "recording" | "log_entry" | "flag" | "person_metadata" | "data_warehouse" | "data_warehouse_person_property") | null;
      /** @default null */
      group_type_index: number | null;
      /** @default null */
      label: string | null;
      /** @default null */
      group_key_names: {
        [key: string]: string;
      } | null;
      /** @default null */
      cohort_name: string | null;
    };
    PropertyFilterRequest: {
      key: string;
      /** @default null */
      value?: ((string | number | boolean) | ((string | number | boolean)[])) | null;
      /** @default null */
      operator?: ("exact" | "is_not" | "icontains" | "not_icontains" | "icontains_multi" | "not_icontains_multi" | "regex" | "not_regex" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_not_set" | "is_date_exact" | "is_date_before" | "is_date_after" | "between" | "not_between" | "min" | "max" | "in" | "not_in" | "is_cleaned_path_exact" | "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte" | "semver_tilde" | "semver_caret" | "semver_wildcard" | "flag_evaluates_to") | null;
      /** @default null */
      type?: ("event" | "person" | "session" | "group" | "cohort" | "element" | "event_metadata" | "hogql" | "feature" | "recording" | "log_entry" | "flag" | "person_metadata" | "data_warehouse" | "data_warehouse_person_property") | null;
      /** @default null */
      group_type_index?: number | null;
      /** @default null */
      label?: string | null;
      /** @default null */
      group_key_names?: {
        [key: string]: string;
      } | null;
      /** @default null */
      cohort_name?: string | null;
    };
    PropertyGroup: {
      /** @enum {string} */
      type: "AND" | "OR";
      values: (components["schemas"]["PropertyFilter"] | components["schemas"]["PropertyGroup"])[];
    };
    PropertyGroupRequest: {
      /** @enum {string} */
      type: "AND" | "OR";
      values: (components["schemas"]["PropertyFilterRequest"] | components["schemas"]["PropertyGroupRequest"])[];
    };
    PropertyValues: {
      results: {
          name: string;
          count: number;
        }[];
      /** @constant */
      refreshing: false;
    };
    QueryRequest: {
      query: components["schemas"]["HogQLQueryRequest"] | components["schemas"]["TrendsQueryRequest"] | components["schemas"]["RetentionQueryRequest"];
      variables?: {
        [key: string]: unknown;
      } | null;
      filters_override?: components["schemas"]["DashboardFilter"] | null;
      limit?: number | null;
      offset?: number | null;
      refresh?: (("cache" | "force" | "direct" | "async" | "async_except_on_cache_miss" | "blocking" | "force_async" | "force_blocking" | "force_cache" | "lazy_async") | boolean) | null;
      client_query_id?: string | null;
      name?: string | null;
    };
    QueryResult: {
      results: (unknown[] | components["schemas"]["TrendResultRow"] | components["schemas"]["RetentionResultRow"])[];
      columns?: string[];
      types?: [string, string][];
      hasMore: boolean;
      limit?: number;
      offset?: number;
      query?: string;
      error: null;
      clickhouse: null;
      metadata: null;
      is_cached: boolean;
      last_refresh: string;
      next_allowed_client_refresh: string;
      cache_target_age: string;
      timezone: string;
      query_status: null;
      client_query_id: string | null;
    };
    QuerySchema: {
      tables: components["schemas"]["QuerySchemaTable"][];
      functions: components["schemas"]["QuerySchemaFunction"][];
    };
    QuerySchemaFunction: {
      name: string;
      family: string;
    };
    QuerySchemaTable: {
      name: string;
      columns: string[];
    };
    QuotaLimits: {
      limited: {
        events: {
          limited: boolean;
        };
        exceptions: {
          limited: boolean;
        };
        recordings: {
          limited: boolean;
        };
        rows_synced: {
          limited: boolean;
        };
        feature_flag_requests: {
          limited: boolean;
        };
        api_queries_read_bytes: {
          limited: boolean;
        };
        survey_responses: {
          limited: boolean;
        };
        llm_events: {
          limited: boolean;
        };
        cdp_trigger_events: {
          limited: boolean;
        };
        rows_exported: {
          limited: boolean;
        };
        ai_credits: {
          limited: boolean;
        };
        workflow_emails: {
          limited: boolean;
        };
        workflow_destinations_dispatched: {
          limited: boolean;
        };
        logs_mb_ingested: {
          limited: boolean;
        };
        signals_credits: {
          limited: boolean;
        };
        replay_vision_credits: {
          limited: boolean;
        };
        service_code_credits: {
          limited: boolean;
        };
      };
    };
    RedriveRequest: {
      /** @enum {string} */
      lane: "live" | "historical" | "jobs";
    };
    RedriveResult: {
      /** @enum {string} */
      lane: "live" | "historical" | "jobs";
      moved: number;
      has_more: boolean;
    };
    RetentionEntity: {
      /** @default null */
      id: string | number | null;
      /** @default null */
      name: string | null;
      /** @default null */
      type: ("events" | "actions" | "data_warehouse" | "new_entity") | null;
      /** @default null */
      kind: ("EventsNode" | "ActionsNode") | null;
      /** @default null */
      properties: components["schemas"]["PropertyFilter"][] | null;
      /** @default null */
      custom_name: string | null;
      /** @default null */
      order: number | null;
      /** @default null */
      uuid: string | null;
    };
    RetentionEntityRequest: {
      /** @default null */
      id?: string | number | null;
      /** @default null */
      name?: string | null;
      /** @default null */
      type?: ("events" | "actions" | "data_warehouse" | "new_entity") | null;
      /** @default null */
      kind?: ("EventsNode" | "ActionsNode") | null;
      /** @default null */
      properties?: components["schemas"]["PropertyFilterRequest"][] | null;
      /** @default null */
      custom_name?: string | null;
      /** @default null */
      order?: number | null;
      /** @default null */
      uuid?: string | null;
    };
    RetentionFilter: {
      /** @default null */
      retentionType: ("retention_recurring" | "retention_first_time" | "retention_first_ever_occurrence") | null;
      /** @default null */
      period: ("Hour" | "Day" | "Week" | "Month") | null;
      /** @default null */
      totalIntervals: number | null;
      /** @default null */
      targetEntity: components["schemas"]["RetentionEntity"] | null;
      /** @default null */
      returningEntity: components["schemas"]["RetentionEntity"] | null;
      /** @default null */
      cumulative: boolean | null;
      /** @default null */
      minimumOccurrences: number | null;
      /** @default null */
      retentionCustomBrackets: number[] | null;
      /** @default null */
      timeWindowMode: ("strict_calendar_dates" | "24_hour_windows") | null;
      /** @default null */
      aggregationType: ("count" | "sum" | "avg") | null;
      /** @default null */
      aggregationProperty: string | null;
      /** @default null */
      aggregationPropertyType: ("event" | "person") | null;
      /** @default null */
      retentionReference: ("total" | "previous") | null;
      /** @default null */
      display: ("Auto" | "ActionsLineGraph" | "ActionsLineGraphCumulative" | "ActionsAreaGraph" | "ActionsBar" | "ActionsUnstackedBar" | "ActionsStackedBar" | "BoldNumber" | "ActionsPie" | "ActionsBarValue" | "ActionsTable" | "WorldMap" | "CalendarHeatmap") | null;
      /** @default null */
      dashboardDisplay: string | null;
      /** @default null */
      showTrendLines: boolean | null;
      /** @default null */
      meanRetentionCalculation: ("simple" | "weighted" | "none") | null;
      /** @default null */
      goalLines: {
          [key: string]: unknown;
        }[] | null;
      /** @default null */
      selectedInterval: number | null;
    };
    RetentionFilterRequest: {
      /** @default null */
      retentionType?: ("retention_recurring" | "retention_first_time" | "retention_first_ever_occurrence") | null;
      /** @default null */
      period?: ("Hour" | "Day" | "Week" | "Month") | null;
      /** @default null */
      totalIntervals?: number | null;
      /** @default null */
      targetEntity?: components["schemas"]["RetentionEntityRequest"] | null;
      /** @default null */
      returningEntity?: components["schemas"]["RetentionEntityRequest"] | null;
      /** @default null */
      cumulative?: boolean | null;
      /** @default null */
      minimumOccurrences?: number | null;
      /** @default null */
      retentionCustomBrackets?: number[] | null;
      /** @default null */
      timeWindowMode?: ("strict_calendar_dates" | "24_hour_windows") | null;
      /** @default null */
      aggregationType?: ("count" | "sum" | "avg") | null;
      /** @default null */
      aggregationProperty?: string | null;
      /** @default null */
      aggregationPropertyType?: ("event" | "person") | null;
      /** @default null */
      retentionReference?: ("total" | "previous") | null;
      /** @default null */
      display?: ("Auto" | "ActionsLineGraph" | "ActionsLineGraphCumulative" | "ActionsAreaGraph" | "ActionsBar" | "ActionsUnstackedBar" | "ActionsStackedBar" | "BoldNumber" | "ActionsPie" | "ActionsBarValue" | "ActionsTable" | "WorldMap" | "CalendarHeatmap") | null;
      /** @default null */
      dashboardDisplay?: string | null;
      /** @default null */
      showTrendLines?: boolean | null;
      /** @default null */
      meanRetentionCalculation?: ("simple" | "weighted" | "none") | null;
      /** @default null */
      goalLines?: {
          [key: string]: unknown;
        }[] | null;
      /** @default null */
      selectedInterval?: number | null;
    };
    RetentionQuery: {
      /** @constant */
      kind: "RetentionQuery";
      retentionFilter: components["schemas"]["RetentionFilter"];
      /** @default null */
      dateRange: components["schemas"]["DateRange"] | null;
      /** @default null */
      properties: (components["schemas"]["PropertyFilter"][] | components["schemas"]["PropertyGroup"]) | null;
      /** @default null */
      breakdownFilter: components["schemas"]["BreakdownFilter"] | null;
      /** @default null */
      filterTestAccounts: boolean | null;
      /** @default null */
      samplingFactor: number | null;
      /** @default null */
      aggregation_group_type_index: number | null;
      /** @default null */
      dataColorTheme: number | null;
      /** @default null */
      modifiers: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      response: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      tags: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      version: number | null;
    };
    RetentionQueryRequest: {
      /** @constant */
      kind: "RetentionQuery";
      retentionFilter: components["schemas"]["RetentionFilterRequest"];
      /** @default null */
      dateRange?: components["schemas"]["DateRangeRequest"] | null;
      /** @default null */
      properties?: (components["schemas"]["PropertyFilterRequest"][] | components["schemas"]["PropertyGroupRequest"]) | null;
      /** @default null */
      breakdownFilter?: components["schemas"]["BreakdownFilterRequest"] | null;
      /** @default null */
      filterTestAccounts?: boolean | null;
      /** @default null */
      samplingFactor?: number | null;
      /** @default null */
      aggregation_group_type_index?: number | null;
      /** @default null */
      dataColorTheme?: number | null;
      /** @default null */
      modifiers?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      response?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      tags?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      version?: number | null;
    };
    RetentionResultRow: {
      values: {
          count: number;
          label: string;
          aggregation_value?: number;
        }[];
      label: string;
      date: string;
      breakdown_value: string | null;
    };
    RunNumberError: {
      error: string;
    };
    SandboxComputePricing: {
      current: components["schemas"]["SandboxRateCard"] | null;
      history: components["schemas"]["SandboxRateCard"][];
    };
    SandboxRateCard: {
      version: string;
      effective_at: string;
      expires_at: string | null;
      cpu_core_second_usd: string;
      memory_gib_second_usd: string;
    };
    SavedQueryEndpoint: {
      /** Format: uuid */
      id: string;
      name: string;
      description: string | null;
      query: (components["schemas"]["HogQLQuery"] | components["schemas"]["TrendsQuery"] | components["schemas"]["RetentionQuery"]) | null;
      is_active: boolean;
      data_freshness_seconds: number;
      /** @enum {string} */
      engine: "auto" | "embedded" | "clickhouse";
      endpoint_path: string;
      url: string | null;
      ui_url: string | null;
      created_at: string;
      updated_at: string;
      created_by: components["schemas"]["UserSummary"] | null;
      is_materialized: boolean;
      current_version: number;
      /** Format: uuid */
      current_version_id: string;
      versions_count: number;
      derived_from_insight: string | null;
      last_executed_at: string | null;
      materialization: components["schemas"]["EndpointMaterialization"];
      bucket_overrides: {
        [key: string]: string;
      } | null;
      columns: {
          name: string;
          type: string;
        }[];
      property_types: {
        [key: string]: "String" | "Numeric" | "Boolean" | "DateTime";
      };
      tags: string[];
      optional_breakdown_properties: string[];
      version?: number;
      /** Format: uuid */
      version_id?: string;
      endpoint_is_active?: boolean;
      version_created_at?: string;
      version_updated_at?: string | null;
      version_created_by?: components["schemas"]["UserSummary"] | null;
      materialization_error?: string;
    };
    SavedQueryEndpointCreate: {
      name: string;
      query: components["schemas"]["HogQLQueryRequest"] | components["schemas"]["TrendsQueryRequest"] | components["schemas"]["RetentionQueryRequest"];
      description?: string | null;
      data_freshness_seconds?: number | null;
      engine?: ("auto" | "embedded" | "clickhouse") | null;
      is_active?: boolean | null;
      is_materialized?: boolean | null;
      derived_from_insight?: string | null;
      version?: number | null;
      bucket_overrides?: {
        [key: string]: string;
      } | null;
      deleted?: boolean | null;
      tags?: string[] | null;
      optional_breakdown_properties?: string[] | null;
    };
    SavedQueryEndpointWrite: {
      name?: string | null;
      query?: (components["schemas"]["HogQLQueryRequest"] | components["schemas"]["TrendsQueryRequest"] | components["schemas"]["RetentionQueryRequest"]) | null;
      description?: string | null;
      data_freshness_seconds?: number | null;
      engine?: ("auto" | "embedded" | "clickhouse") | null;
      is_active?: boolean | null;
      is_materialized?: boolean | null;
      derived_from_insight?: string | null;
      version?: number | null;
      bucket_overrides?: {
        [key: string]: string;
      } | null;
      deleted?: false | null;
      tags?: string[] | null;
      optional_breakdown_properties?: string[] | null;
    };
    SharedDashboard: {
      name: string;
      description: string;
      timezone: string;
      filters: components["schemas"]["DashboardFilters"];
      tiles: components["schemas"]["SharedDashboardTile"][];
    };
    SharedDashboardTile: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      plot: "auto" | "table" | "line" | "bar" | "area" | "number" | "heat_map";
      width: number;
      height: number;
      title: string;
    };
    SharedTileResult: {
      results: (unknown[] | components["schemas"]["TrendResultRow"] | components["schemas"]["RetentionResultRow"])[];
      columns?: string[];
      types?: [string, string][];
      hasMore: boolean;
      is_cached: boolean;
      last_refresh: string;
      timezone: string;
      /** @enum {string} */
      kind: "HogQLQuery" | "TrendsQuery" | "RetentionQuery";
    };
    SpikeDetectionConfig: {
      snooze_duration_minutes: number;
      multiplier: number;
      threshold: number;
    };
    SpikeDetectionConfigChanges: {
      snooze_duration_minutes?: number;
      multiplier?: number;
      threshold?: number;
    };
    StripeEvent: {
      type: string;
      data: {
        object: {
          [key: string]: unknown;
        };
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    TaskRunErrorResponse: {
      error: string;
      detail: string;
      /** @constant */
      type: "server_error";
      /** @constant */
      code: "desktop_access_unavailable";
    };
    TrendResultRow: {
      data: number[];
      days: string[];
      labels?: string[];
      count: number;
      aggregated_value?: number;
      label: string;
      order: number;
      filter: {
        [key: string]: unknown;
      };
      action: ({
        days: string[];
        id: string | null;
        type: string;
        order: number;
        name: string;
        custom_name: string | null;
        math: string | null;
        math_property: string | null;
        math_hogql: string | null;
        math_group_type_index: number | null;
        properties: {
          [key: string]: unknown;
        };
      }) | null;
      breakdown_value?: (string | number | null) | ((string | number | null)[]);
      /** @constant */
      compare?: true;
      /** @enum {string} */
      compare_label?: "current" | "previous";
    };
    TrendsFilter: {
      /** @default null */
      display: ("Auto" | "ActionsLineGraph" | "ActionsLineGraphCumulative" | "ActionsAreaGraph" | "ActionsBar" | "ActionsUnstackedBar" | "ActionsStackedBar" | "BoldNumber" | "ActionsPie" | "ActionsBarValue" | "ActionsTable" | "WorldMap" | "CalendarHeatmap") | null;
      /** @default null */
      formula: string | null;
      /** @default null */
      formulas: string[] | null;
      /** @default null */
      formulaNodes: (({
          formula: string;
          /** @default null */
          custom_name: string | null;
        })[]) | null;
      /** @default null */
      smoothingIntervals: number | null;
      /** @default null */
      showLegend: boolean | null;
      /** @default null */
      showAlertThresholdLines: boolean | null;
      /** @default null */
      showValuesOnSeries: boolean | null;
      /** @default null */
      showPercentStackView: boolean | null;
      /** @default null */
      showLabelsOnSeries: boolean | null;
      /** @default null */
      showMultipleYAxes: boolean | null;
      /** @default null */
      showConfidenceIntervals: boolean | null;
      /** @default null */
      confidenceLevel: number | null;
      /** @default null */
      showTrendLines: boolean | null;
      /** @default null */
      showMovingAverage: boolean | null;
      /** @default null */
      movingAverageIntervals: number | null;
      /** @default null */
      aggregationAxisFormat: string | null;
      /** @default null */
      aggregationAxisPrefix: string | null;
      /** @default null */
      aggregationAxisPostfix: string | null;
      /** @default null */
      decimalPlaces: number | null;
      /** @default null */
      minDecimalPlaces: number | null;
      /** @default null */
      hiddenLegendIndexes: number[] | null;
      /** @default null */
      yAxisScaleType: ("log10" | "linear") | null;
      /** @default null */
      goalLines: {
          [key: string]: unknown;
        }[] | null;
      /** @default null */
      resultCustomizations: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      resultCustomizationBy: ("value" | "position") | null;
      /** @default null */
      detailedResultsAggregationType: ("total" | "average" | "median") | null;
    };
    TrendsFilterRequest: {
      /** @default null */
      display?: ("Auto" | "ActionsLineGraph" | "ActionsLineGraphCumulative" | "ActionsAreaGraph" | "ActionsBar" | "ActionsUnstackedBar" | "ActionsStackedBar" | "BoldNumber" | "ActionsPie" | "ActionsBarValue" | "ActionsTable" | "WorldMap" | "CalendarHeatmap") | null;
      /** @default null */
      formula?: string | null;
      /** @default null */
      formulas?: string[] | null;
      /** @default null */
      formulaNodes?: (({
          formula: string;
          /** @default null */
          custom_name?: string | null;
        })[]) | null;
      /** @default null */
      smoothingIntervals?: number | null;
      /** @default null */
      showLegend?: boolean | null;
      /** @default null */
      showAlertThresholdLines?: boolean | null;
      /** @default null */
      showValuesOnSeries?: boolean | null;
      /** @default null */
      showPercentStackView?: boolean | null;
      /** @default null */
      showLabelsOnSeries?: boolean | null;
      /** @default null */
      showMultipleYAxes?: boolean | null;
      /** @default null */
      showConfidenceIntervals?: boolean | null;
      /** @default null */
      confidenceLevel?: number | null;
      /** @default null */
      showTrendLines?: boolean | null;
      /** @default null */
      showMovingAverage?: boolean | null;
      /** @default null */
      movingAverageIntervals?: number | null;
      /** @default null */
      aggregationAxisFormat?: string | null;
      /** @default null */
      aggregationAxisPrefix?: string | null;
      /** @default null */
      aggregationAxisPostfix?: string | null;
      /** @default null */
      decimalPlaces?: number | null;
      /** @default null */
      minDecimalPlaces?: number | null;
      /** @default null */
      hiddenLegendIndexes?: number[] | null;
      /** @default null */
      yAxisScaleType?: ("log10" | "linear") | null;
      /** @default null */
      goalLines?: {
          [key: string]: unknown;
        }[] | null;
      /** @default null */
      resultCustomizations?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      resultCustomizationBy?: ("value" | "position") | null;
      /** @default null */
      detailedResultsAggregationType?: ("total" | "average" | "median") | null;
    };
    TrendsQuery: {
      /** @constant */
      kind: "TrendsQuery";
      series: (components["schemas"]["EventsNode"] | components["schemas"]["ActionsNode"] | components["schemas"]["DataWarehouseNode"])[];
      /** @default null */
      interval: ("second" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year") | null;
      /** @default null */
      compareFilter: components["schemas"]["CompareFilter"] | null;
      /** @default null */
      trendsFilter: components["schemas"]["TrendsFilter"] | null;
      /** @default null */
      conversionGoal: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      dateRange: components["schemas"]["DateRange"] | null;
      /** @default null */
      properties: (components["schemas"]["PropertyFilter"][] | components["schemas"]["PropertyGroup"]) | null;
      /** @default null */
      breakdownFilter: components["schemas"]["BreakdownFilter"] | null;
      /** @default null */
      filterTestAccounts: boolean | null;
      /** @default null */
      samplingFactor: number | null;
      /** @default null */
      aggregation_group_type_index: number | null;
      /** @default null */
      dataColorTheme: number | null;
      /** @default null */
      modifiers: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      response: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      tags: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      version: number | null;
    };
    TrendsQueryRequest: {
      /** @constant */
      kind: "TrendsQuery";
      series: (components["schemas"]["EventsNodeRequest"] | components["schemas"]["ActionsNodeRequest"] | components["schemas"]["DataWarehouseNode"])[];
      /** @default null */
      interval?: ("second" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year") | null;
      /** @default null */
      compareFilter?: components["schemas"]["CompareFilterRequest"] | null;
      /** @default null */
      trendsFilter?: components["schemas"]["TrendsFilterRequest"] | null;
      /** @default null */
      conversionGoal?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      dateRange?: components["schemas"]["DateRangeRequest"] | null;
      /** @default null */
      properties?: (components["schemas"]["PropertyFilterRequest"][] | components["schemas"]["PropertyGroupRequest"]) | null;
      /** @default null */
      breakdownFilter?: components["schemas"]["BreakdownFilterRequest"] | null;
      /** @default null */
      filterTestAccounts?: boolean | null;
      /** @default null */
      samplingFactor?: number | null;
      /** @default null */
      aggregation_group_type_index?: number | null;
      /** @default null */
      dataColorTheme?: number | null;
      /** @default null */
      modifiers?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      response?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      tags?: {
        [key: string]: unknown;
      } | null;
      /** @default null */
      version?: number | null;
    };
    UnknownRunVersionError: {
      error: string;
      current_version: number;
    };
    UnknownVersionError: {
      error: string;
    };
    UserSummary: {
      id: number;
      /** Format: uuid */
      uuid: string;
      distinct_id: string;
      first_name: string;
      last_name: string;
      email: string;
      is_email_verified: boolean;
      hedgehog_config: {
        [key: string]: unknown;
      } | null;
      role_at_organization: string;
    };
  };
  responses: {
    BadRequest: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    Unauthorized: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    Forbidden: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    NotFound: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    MethodNotAllowed: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    NotAcceptable: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    Conflict: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    PayloadTooLarge: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    UnsupportedMediaType: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    TooManyRequests: {
      headers: {
        "Retry-After"?: number;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    ServerError: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    ServiceUnavailable: {
      headers: {
        "Retry-After"?: number;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export interface operations {

  captureBatch: {
    requestBody: {
      content: {
        "application/json": {
          api_key: string;
          batch: ({
              event: string;
              distinct_id?: string;
              properties?: {
                [key: string]: unknown;
              };
              /** Format: date-time */
              timestamp?: string | null;
              /** Format: uuid */
              uuid?: string | null;
            })[];
          historical_migration?: boolean | null;
          /** Format: date-time */
          sent_at?: string | null;
          import_id?: string | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            status: string;
          };
        };
      };
      400: {
        content: {
          "text/plain": string;
        };
      };
      401: {
        content: {
          "text/plain": string;
        };
      };
      413: {
        content: {
          "text/plain": string;
        };
      };
      503: {
        content: {
          "text/plain": string;
        };
      };
    };
  };
  captureEvents: {
    requestBody: {
      content: {
        "application/json": {
          api_key: string;
          batch: ({
              event: string;
              distinct_id?: string;
              properties?: {
                [key: string]: unknown;
              };
              /** Format: date-time */
              timestamp?: string | null;
              /** Format: uuid */
              uuid?: string | null;
            })[];
          historical_migration?: boolean | null;
          /** Format: date-time */
          sent_at?: string | null;
          import_id?: string | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            status: string;
          };
        };
      };
      400: {
        content: {
          "text/plain": string;
        };
      };
      401: {
        content: {
          "text/plain": string;
        };
      };
      413: {
        content: {
          "text/plain": string;
        };
      };
      503: {
        content: {
          "text/plain": string;
        };
      };
    };
  };
  getBilling: {
    parameters: {
      query?: {
        team_id?: number;
        include_forecasting?: boolean;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingOverviewResponse"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateBilling: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["BillingLimits"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingLimits"];
        "multipart/form-data": components["schemas"]["BillingLimits"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingOverviewResponse"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingPeriod: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingPeriodResponse"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingPortal: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
            url: string | null;
          };
        };
      };
      302: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  activateBilling: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingActivate"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingActivate"];
        "multipart/form-data": components["schemas"]["BillingActivate"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
            products: string[];
          };
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  authorizeBilling: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["BillingAuthorize"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingAuthorize"];
        "multipart/form-data": components["schemas"]["BillingAuthorize"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
            clientSecret: string;
          };
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingAuthorizationStatus: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingAuthorizeStatus"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingAuthorizeStatus"];
        "multipart/form-data": components["schemas"]["BillingAuthorizeStatus"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingAuthorizationStatus"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deactivateBilling: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingDeactivate"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingDeactivate"];
        "multipart/form-data": components["schemas"]["BillingDeactivate"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingOverviewResponse"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  switchBillingPlan: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingSwitchPlan"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingSwitchPlan"];
        "multipart/form-data": components["schemas"]["BillingSwitchPlan"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingSuccess"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  activateBillingTrial: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingTrialActivate"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingTrialActivate"];
        "multipart/form-data": components["schemas"]["BillingTrialActivate"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
            trial: components["schemas"]["BillingTrial"];
          };
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  cancelBillingTrial: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["BillingTrialCancel"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingTrialCancel"];
        "multipart/form-data": components["schemas"]["BillingTrialCancel"];
      };
    };
    responses: {
      200: {
        content: never;
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  claimBillingCoupon: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingCouponClaim"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingCouponClaim"];
        "multipart/form-data": components["schemas"]["BillingCouponClaim"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
            code: string;
            campaign: string;
            expires_at: string | null;
          };
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingCouponsOverview: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            claimed_coupons: components["schemas"]["BillingClaimedCoupon"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  purchaseBillingCredits: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingCreditPurchase"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingCreditPurchase"];
        "multipart/form-data": components["schemas"]["BillingCreditPurchase"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
            /** @enum {string} */
            status: "active" | "pending";
            invoice_url: string | null;
          };
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingCreditsOverview: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingCreditsOverview"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listBillingInvoices: {
    parameters: {
      query?: {
        team_id?: number;
        status?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            link: string | null;
            count: number;
            results: components["schemas"]["BillingInvoice"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listInvoices: {
    parameters: {
      query?: {
        team_id?: number;
        status?: string;
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedBillingInvoiceSummaryList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveInvoice: {
    parameters: {
      query?: {
        team_id?: number;
      };
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingInvoiceDetails"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  printInvoice: {
    parameters: {
      query?: {
        team_id?: number;
      };
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "text/html": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  exportInvoice: {
    parameters: {
      query?: {
        team_id?: number;
      };
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listReceivables: {
    parameters: {
      query?: {
        team_id?: number;
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedBillingReceivableList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  installBillingLicense: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingLicense"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingLicense"];
        "multipart/form-data": components["schemas"]["BillingLicense"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingSuccess"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"] | components["schemas"]["BillingLicenseMissing"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  applyForStartupPlan: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingStartupApplication"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingStartupApplication"];
        "multipart/form-data": components["schemas"]["BillingStartupApplication"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingSuccess"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["BillingRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  receiveStripeEvent: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["StripeEvent"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            received: true;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listBillingAlerts: {
    parameters: {
      query?: {
        team_id?: number;
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedBillingAlertList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listBillingWebhooks: {
    parameters: {
      query?: {
        team_id?: number;
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedBillingWebhookList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createBillingWebhook: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BillingWebhookBody"];
        "application/x-www-form-urlencoded": components["schemas"]["BillingWebhookBody"];
        "multipart/form-data": components["schemas"]["BillingWebhookBody"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["NewBillingWebhook"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveBillingWebhook: {
    parameters: {
      query?: {
        team_id?: number;
      };
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingWebhook"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteBillingWebhook: {
    parameters: {
      query?: {
        team_id?: number;
      };
      path: {
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateBillingWebhook: {
    parameters: {
      query?: {
        team_id?: number;
      };
      path: {
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PatchedBillingWebhook"];
        "application/x-www-form-urlencoded": components["schemas"]["PatchedBillingWebhook"];
        "multipart/form-data": components["schemas"]["PatchedBillingWebhook"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingWebhook"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listBillingWebhookDeliveries: {
    parameters: {
      query?: {
        team_id?: number;
        limit?: number;
        offset?: number;
      };
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedBillingWebhookDeliveryList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retryBillingWebhookDelivery: {
    parameters: {
      query?: {
        team_id?: number;
      };
      path: {
        id: string;
        delivery_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingWebhookDelivery"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingUsage: {
    parameters: {
      query?: {
        start_date?: string;
        end_date?: string;
        usage_types?: string;
        team_ids?: string;
        breakdowns?: string;
        interval?: "day" | "week" | "month";
        top_projects?: number;
        page_size?: number;
        after?: string;
        team_id?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingTimeSeriesResponse"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingSpend: {
    parameters: {
      query?: {
        start_date?: string;
        end_date?: string;
        usage_types?: string;
        team_ids?: string;
        breakdowns?: string;
        interval?: "day" | "week" | "month";
        top_projects?: number;
        page_size?: number;
        after?: string;
        team_id?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingTimeSeriesResponse"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingUsageExport: {
    parameters: {
      query?: {
        start_date?: string;
        end_date?: string;
        usage_types?: string;
        team_ids?: string;
        breakdowns?: string;
        interval?: "day" | "week" | "month";
        top_projects?: number;
        page_size?: number;
        after?: string;
        team_id?: number;
        redirect?: "true" | "false";
      };
    };
    responses: {
      200: {
        content: {
          "text/csv": string;
          "application/json": {
            /** Format: uri */
            url: string;
          };
        };
      };
      302: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingSpendExport: {
    parameters: {
      query?: {
        start_date?: string;
        end_date?: string;
        usage_types?: string;
        team_ids?: string;
        breakdowns?: string;
        interval?: "day" | "week" | "month";
        top_projects?: number;
        page_size?: number;
        after?: string;
        team_id?: number;
        redirect?: "true" | "false";
      };
    };
    responses: {
      200: {
        content: {
          "text/csv": string;
          "application/json": {
            /** Format: uri */
            url: string;
          };
        };
      };
      302: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getBillingUsageTeamOptions: {
    parameters: {
      query?: {
        team_id?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["BillingTeamOptionsResponse"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  checkCodeAccess: {
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["LegacyDesktopAccessResponse"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["TaskRunErrorResponse"];
        };
      };
    };
  };
  getCodeSandboxPricing: {
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SandboxComputePricing"];
        };
      };
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listEndpoints: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        is_active?: boolean;
        created_by?: number;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedSavedQueryEndpointList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createEndpoint: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SavedQueryEndpointCreate"];
        "application/x-www-form-urlencoded": components["schemas"]["SavedQueryEndpointCreate"];
        "multipart/form-data": components["schemas"]["SavedQueryEndpointCreate"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["SavedQueryEndpoint"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveEndpoint: {
    parameters: {
      query?: {
        version?: number;
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SavedQueryEndpoint"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["UnknownVersionError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  replaceEndpoint: {
    parameters: {
      query?: {
        version?: number;
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SavedQueryEndpointWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["SavedQueryEndpointWrite"];
        "multipart/form-data": components["schemas"]["SavedQueryEndpointWrite"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SavedQueryEndpoint"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteEndpoint: {
    parameters: {
      path: {
        project_id: number;
        name: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateEndpoint: {
    parameters: {
      query?: {
        version?: number;
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SavedQueryEndpointWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["SavedQueryEndpointWrite"];
        "multipart/form-data": components["schemas"]["SavedQueryEndpointWrite"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SavedQueryEndpoint"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listEndpointVersions: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedSavedQueryEndpointList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getEndpointLastExecutionTimes: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EndpointLastExecutionTimesRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["EndpointLastExecutionTimesRequest"];
        "multipart/form-data": components["schemas"]["EndpointLastExecutionTimesRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["EndpointLastExecutionTimes"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listEndpointLogs: {
    parameters: {
      query?: {
        after?: string;
        before?: string;
        instance_id?: string;
        level?: string;
        search?: string;
        limit?: number;
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedEndpointLogEntryList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getEndpointDescription: {
    parameters: {
      query?: {
        version?: number;
        openapi?: "3.0" | "3.1";
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["EndpointDescription"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["UnknownVersionError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getEndpointMaterializationConditions: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["MaterializationConditions"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getEndpointMaterializationStatus: {
    parameters: {
      query?: {
        version?: number;
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["EndpointMaterialization"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["UnknownVersionError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  runEndpointAsSaved: {
    parameters: {
      query?: {
        version?: number;
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    responses: {
      200: {
        headers: {
          "x-posthog-warn"?: string;
          "x-run-path"?: string;
          "x-run-age"?: string;
          "x-run-passed-over"?: string;
        };
        content: {
          "application/json": components["schemas"]["EndpointRunResult"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["RunNumberError"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["UnknownRunVersionError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  runEndpoint: {
    parameters: {
      query?: {
        version?: number;
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: number;
        name: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EndpointRunRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["EndpointRunRequest"];
        "multipart/form-data": components["schemas"]["EndpointRunRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "x-posthog-warn"?: string;
          "x-run-path"?: string;
          "x-run-age"?: string;
          "x-run-passed-over"?: string;
        };
        content: {
          "application/json": components["schemas"]["EndpointRunResult"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["RunNumberError"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["UnknownRunVersionError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createExport: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EndpointExportRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["EndpointExportRequest"];
        "multipart/form-data": components["schemas"]["EndpointExportRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["EndpointExport"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveExport: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["EndpointExport"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  previewEndpointMaterialization: {
    parameters: {
      path: {
        project_id: number;
        name: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["MaterializationPreviewRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["MaterializationPreviewRequest"];
        "multipart/form-data": components["schemas"]["MaterializationPreviewRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["MaterializationPreview"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["UnknownVersionError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  suggestEndpointMaterialization: {
    parameters: {
      path: {
        project_id: number;
        name: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["MaterializationSuggestionRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["MaterializationSuggestionRequest"];
        "multipart/form-data": components["schemas"]["MaterializationSuggestionRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["MaterializationSuggestion"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["MaterializationSuggestionRefusal"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["MaterializationSuggestionRefusal"];
        };
      };
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["UnknownVersionError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      502: {
        content: {
          "application/json": components["schemas"]["MaterializationSuggestionRefusal"];
        };
      };
      503: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["MaterializationSuggestionRefusal"];
        };
      };
    };
  };
  runQuery: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["QueryRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["QueryRequest"];
        "multipart/form-data": components["schemas"]["QueryRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "x-run-path"?: string;
        };
        content: {
          "application/json": components["schemas"]["QueryResult"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["RunNumberError"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getQuerySchema: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["QuerySchema"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listLiveEvents: {
    parameters: {
      query?: {
        after?: string;
        event?: string;
        distinct_id?: string;
        person_id?: string;
        property?: string;
        value?: string;
        limit?: number;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["LiveEvents"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listEventDefinitions: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedEventDefinitionList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listPropertyDefinitions: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        type?: "event" | "person" | "group";
        group_type_index?: number;
        search?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedPropertyDefinitionList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listPropertyValues: {
    parameters: {
      query: {
        key: string;
        type?: "event" | "person" | "group";
        group_type_index?: number;
        event?: string;
        value?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PropertyValues"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listPersons: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        distinct_id?: string;
        email?: string;
        search?: string;
        properties?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedPersonList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrievePerson: {
    parameters: {
      path: {
        project_id: number;
        uuid: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Person"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deletePerson: {
    parameters: {
      query?: {
        delete_events?: string;
      };
      path: {
        project_id: number;
        uuid: string;
      };
    };
    responses: {
      202: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      405: components["responses"]["MethodNotAllowed"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listPersonEvents: {
    parameters: {
      query?: {
        after?: string;
        before?: string;
        event?: string;
        limit?: number;
        cursor?: string;
      };
      path: {
        project_id: number;
        uuid: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PersonEvents"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  tryErrorTrackingGroupingRule: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingRuleTrialRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingRuleTrialRequest"];
        "multipart/form-data": components["schemas"]["ErrorTrackingRuleTrialRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingRuleTrial"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  tryErrorTrackingSeverityRule: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingRuleTrialRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingRuleTrialRequest"];
        "multipart/form-data": components["schemas"]["ErrorTrackingRuleTrialRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingRuleTrial"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  tryErrorTrackingAssignmentRule: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingRuleTrialRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingRuleTrialRequest"];
        "multipart/form-data": components["schemas"]["ErrorTrackingRuleTrialRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingRuleTrial"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getProjectHealth: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ProjectHealth"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  redriveDeadLetters: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RedriveRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["RedriveRequest"];
        "multipart/form-data": components["schemas"]["RedriveRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["RedriveResult"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listDashboards: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedDashboardList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createDashboard: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DashboardWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["DashboardWrite"];
        "multipart/form-data": components["schemas"]["DashboardWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["Dashboard"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveDashboard: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Dashboard"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteDashboard: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateDashboard: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DashboardChange"];
        "application/x-www-form-urlencoded": components["schemas"]["DashboardChange"];
        "multipart/form-data": components["schemas"]["DashboardChange"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Dashboard"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getDashboardSharing: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["DashboardSharing"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  shareDashboard: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["DashboardSharingLink"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  unshareDashboard: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getSharedDashboard: {
    parameters: {
      path: {
        token: string;
      };
    };
    responses: {
      200: {
        headers: {
          "cache-control"?: string;
          "referrer-policy"?: string;
          "x-robots-tag"?: string;
        };
        content: {
          "application/json": components["schemas"]["SharedDashboard"];
        };
      };
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getSharedDashboardTile: {
    parameters: {
      path: {
        token: string;
        tile_id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "cache-control"?: string;
          "referrer-policy"?: string;
          "x-robots-tag"?: string;
        };
        content: {
          "application/json": components["schemas"]["SharedTileResult"];
        };
      };
      400: components["responses"]["BadRequest"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingReleases: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingReleaseList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createErrorTrackingRelease: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingReleaseCreate"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingReleaseCreate"];
        "multipart/form-data": components["schemas"]["ErrorTrackingReleaseCreate"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingRelease"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingRelease: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingRelease"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  replaceErrorTrackingRelease: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingReleaseWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingReleaseWrite"];
        "multipart/form-data": components["schemas"]["ErrorTrackingReleaseWrite"];
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteErrorTrackingRelease: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingRelease: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingReleaseWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingReleaseWrite"];
        "multipart/form-data": components["schemas"]["ErrorTrackingReleaseWrite"];
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingReleaseByHash: {
    parameters: {
      path: {
        project_id: number;
        hash_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingRelease"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingSettings: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSettings"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingSettings: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingSettingsChanges"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingSettingsChanges"];
        "multipart/form-data": components["schemas"]["ErrorTrackingSettingsChanges"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSettings"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingSeverityRules: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSeverityRuleList"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createErrorTrackingSeverityRule: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingSeverityRuleWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingSeverityRuleWrite"];
        "multipart/form-data": components["schemas"]["ErrorTrackingSeverityRuleWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSeverityRule"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingSeverityRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSeverityRule"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  replaceErrorTrackingSeverityRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          /** @enum {string} */
          severity?: "low" | "medium" | "high" | "critical";
          enabled?: boolean;
        };
        "application/x-www-form-urlencoded": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          /** @enum {string} */
          severity?: "low" | "medium" | "high" | "critical";
          enabled?: boolean;
        };
        "multipart/form-data": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          /** @enum {string} */
          severity?: "low" | "medium" | "high" | "critical";
          enabled?: boolean;
        };
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteErrorTrackingSeverityRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingSeverityRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          /** @enum {string} */
          severity?: "low" | "medium" | "high" | "critical";
          enabled?: boolean;
        };
        "application/x-www-form-urlencoded": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          /** @enum {string} */
          severity?: "low" | "medium" | "high" | "critical";
          enabled?: boolean;
        };
        "multipart/form-data": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          /** @enum {string} */
          severity?: "low" | "medium" | "high" | "critical";
          enabled?: boolean;
        };
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  reorderErrorTrackingSeverityRules: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingRuleOrders"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingRuleOrders"];
        "multipart/form-data": components["schemas"]["ErrorTrackingRuleOrders"];
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getErrorTrackingSpikeDetectionConfig: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SpikeDetectionConfig"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingSpikeDetectionConfig: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SpikeDetectionConfigChanges"];
        "application/x-www-form-urlencoded": components["schemas"]["SpikeDetectionConfigChanges"];
        "multipart/form-data": components["schemas"]["SpikeDetectionConfigChanges"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SpikeDetectionConfig"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingExternalReferences: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingExternalIssueList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createErrorTrackingExternalReference: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingExternalReferenceWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingExternalReferenceWrite"];
        "multipart/form-data": components["schemas"]["ErrorTrackingExternalReferenceWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingExternalIssue"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingExternalReference: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingExternalIssue"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingExternalReference: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingExternalReferenceChanges"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingExternalReferenceChanges"];
        "multipart/form-data": components["schemas"]["ErrorTrackingExternalReferenceChanges"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingExternalIssue"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  linkErrorTrackingExternalIssue: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingExternalLink"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingExternalLink"];
        "multipart/form-data": components["schemas"]["ErrorTrackingExternalLink"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingExternalIssue"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  searchErrorTrackingExternalIssues: {
    parameters: {
      query: {
        integration_id: number;
        search?: string;
        repository?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingExternalIssues"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  resolveGithubFileLink: {
    parameters: {
      query?: {
        owner?: string;
        repository?: string;
        code_sample?: string;
        file_name?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingFileLink"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  resolveGitlabFileLink: {
    parameters: {
      query?: {
        owner?: string;
        repository?: string;
        code_sample?: string;
        file_name?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingFileLink"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingGroupingRules: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingGroupingRuleList"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createErrorTrackingGroupingRule: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingGroupingRuleWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingGroupingRuleWrite"];
        "multipart/form-data": components["schemas"]["ErrorTrackingGroupingRuleWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingGroupingRule"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingGroupingRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingGroupingRule"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteErrorTrackingGroupingRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingGroupingRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          filters?: components["schemas"]["ErrorTrackingFilters"] | null;
          enabled?: boolean;
        };
        "application/x-www-form-urlencoded": {
          filters?: components["schemas"]["ErrorTrackingFilters"] | null;
          enabled?: boolean;
        };
        "multipart/form-data": {
          filters?: components["schemas"]["ErrorTrackingFilters"] | null;
          enabled?: boolean;
        };
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  reorderErrorTrackingGroupingRules: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingRuleOrders"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingRuleOrders"];
        "multipart/form-data": components["schemas"]["ErrorTrackingRuleOrders"];
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingAssignmentRules: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingAssignmentRuleList"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createErrorTrackingAssignmentRule: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingAssignmentRuleWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingAssignmentRuleWrite"];
        "multipart/form-data": components["schemas"]["ErrorTrackingAssignmentRuleWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingAssignmentRule"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingAssignmentRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingAssignmentRule"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteErrorTrackingAssignmentRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingAssignmentRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          assignee?: {
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          };
          enabled?: boolean;
        };
        "application/x-www-form-urlencoded": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          assignee?: {
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          };
          enabled?: boolean;
        };
        "multipart/form-data": {
          filters?: components["schemas"]["ErrorTrackingFilters"];
          assignee?: {
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          };
          enabled?: boolean;
        };
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  reorderErrorTrackingAssignmentRules: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingRuleOrders"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingRuleOrders"];
        "multipart/form-data": components["schemas"]["ErrorTrackingRuleOrders"];
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingIssue: {
    parameters: {
      query?: {
        fingerprint?: string;
      };
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingIssue"];
        };
      };
      308: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingIssueElsewhere"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  replaceErrorTrackingIssue: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingIssueChanges"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingIssueChanges"];
        "multipart/form-data": components["schemas"]["ErrorTrackingIssueChanges"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingIssue"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingIssue: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingIssueChanges"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingIssueChanges"];
        "multipart/form-data": components["schemas"]["ErrorTrackingIssueChanges"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingIssue"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingIssueValues: {
    parameters: {
      query?: {
        key?: string;
        value?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            results: {
                name: string;
              }[];
            /** @constant */
            refreshing: false;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  checkErrorTrackingIssuesExist: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            exists: boolean;
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  mergeErrorTrackingIssue: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          ids: string[];
        };
        "application/x-www-form-urlencoded": {
          ids: string[];
        };
        "multipart/form-data": {
          ids: string[];
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingMerging"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  unmergeErrorTrackingIssue: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          ids: string[];
        };
        "application/x-www-form-urlencoded": {
          ids: string[];
        };
        "multipart/form-data": {
          ids: string[];
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingMerging"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listMergedErrorTrackingIssues: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingMergedIssueList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  splitErrorTrackingIssue: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          fingerprints?: ({
              fingerprint: string;
              name?: string | null;
              description?: string | null;
            })[];
        };
        "application/x-www-form-urlencoded": {
          fingerprints?: ({
              fingerprint: string;
              name?: string | null;
              description?: string | null;
            })[];
        };
        "multipart/form-data": {
          fingerprints?: ({
              fingerprint: string;
              name?: string | null;
              description?: string | null;
            })[];
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
            new_issue_ids: string[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  assignErrorTrackingIssue: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          assignee: ({
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          }) | null;
        };
        "application/x-www-form-urlencoded": {
          assignee: ({
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          }) | null;
        };
        "multipart/form-data": {
          assignee: ({
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          }) | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSuccess"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  assignCohortToErrorTrackingIssue: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          cohortId: number;
        };
        "application/x-www-form-urlencoded": {
          cohortId: number;
        };
        "multipart/form-data": {
          cohortId: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSuccess"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  changeErrorTrackingIssues: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          action: "set_status" | "assign";
          ids: string[];
          /** @enum {string} */
          status?: "active" | "resolved" | "suppressed";
          assignee?: ({
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          }) | null;
        };
        "application/x-www-form-urlencoded": {
          /** @enum {string} */
          action: "set_status" | "assign";
          ids: string[];
          /** @enum {string} */
          status?: "active" | "resolved" | "suppressed";
          assignee?: ({
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          }) | null;
        };
        "multipart/form-data": {
          /** @enum {string} */
          action: "set_status" | "assign";
          ids: string[];
          /** @enum {string} */
          status?: "active" | "resolved" | "suppressed";
          assignee?: ({
            /** @enum {string} */
            type: "user" | "role";
            id: number | string;
          }) | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSuccess"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingIssueActivity: {
    parameters: {
      query?: {
        limit?: number;
        page?: number;
      };
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingIssueActivityList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingActivity: {
    parameters: {
      query?: {
        limit?: number;
        page?: number;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingIssueActivityList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getErrorTrackingIssueGrouping: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** Format: uuid */
            issue_id: string;
            fingerprints: ({
                fingerprint: string;
                /** @enum {string} */
                how: "manual" | "rule" | "automatic";
                moved: boolean;
                rule: ({
                  /** Format: uuid */
                  id: string;
                  description: string | null;
                }) | null;
                record: (({
                    /** @enum {string} */
                    type: "manual" | "overflow" | "custom" | "exception" | "frame";
                    id?: string;
                    raw_id?: string;
                    rule_id?: string;
                    pieces?: string[];
                    [key: string]: unknown;
                  })[]) | null;
              })[];
            frames: components["schemas"]["ErrorTrackingStackFrame"][];
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingFingerprints: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        issue_id?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingFingerprintList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingFingerprint: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingFingerprint"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingFingerprint: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          deleted?: boolean;
        };
        "application/x-www-form-urlencoded": {
          deleted?: boolean;
        };
        "multipart/form-data": {
          deleted?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingFingerprint"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  resolveErrorTrackingFingerprint: {
    parameters: {
      query: {
        fingerprint: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingFingerprint"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  explainErrorTrackingFingerprint: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            fingerprint: string;
            /** Format: uuid */
            issue_id: string;
            version: ("v1" | "v2") | null;
            /** @enum {string} */
            how: "manual" | "rule" | "automatic";
            rule: ({
              /** Format: uuid */
              id: string;
              description: string | null;
            }) | null;
            pieces: ({
                /** @enum {string} */
                type: "manual" | "overflow" | "custom" | "exception" | "frame";
                id?: string;
                raw_id?: string;
                rule_id?: string;
                pieces?: string[];
                frame?: components["schemas"]["ErrorTrackingStackFrame"] | null;
                [key: string]: unknown;
              })[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingStackFrames: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingStackFrameList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingStackFrame: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingStackFrame"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  batchGetErrorTrackingStackFrames: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          raw_ids?: string[] | null;
          symbol_set?: string | null;
        };
        "application/x-www-form-urlencoded": {
          raw_ids?: string[] | null;
          symbol_set?: string | null;
        };
        "multipart/form-data": {
          raw_ids?: string[] | null;
          symbol_set?: string | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            results: components["schemas"]["ErrorTrackingStackFrame"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingSymbolSets: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        ref?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingSymbolSetList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  bulkCheckUploadErrorTrackingSymbolSets: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          symbol_sets?: components["schemas"]["ErrorTrackingSymbolSetUpload"][];
          chunk_ids?: string[] | null;
          release_id?: string | null;
          force?: boolean;
          skip_on_conflict?: boolean;
        };
        "application/x-www-form-urlencoded": {
          symbol_sets?: components["schemas"]["ErrorTrackingSymbolSetUpload"][];
          chunk_ids?: string[] | null;
          release_id?: string | null;
          force?: boolean;
          skip_on_conflict?: boolean;
        };
        "multipart/form-data": {
          symbol_sets?: components["schemas"]["ErrorTrackingSymbolSetUpload"][];
          chunk_ids?: string[] | null;
          release_id?: string | null;
          force?: boolean;
          skip_on_conflict?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            chunk_ids_to_upload: string[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  bulkStartUploadErrorTrackingSymbolSets: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          symbol_sets?: components["schemas"]["ErrorTrackingSymbolSetUpload"][];
          chunk_ids?: string[] | null;
          release_id?: string | null;
          force?: boolean;
          skip_on_conflict?: boolean;
        };
        "application/x-www-form-urlencoded": {
          symbol_sets?: components["schemas"]["ErrorTrackingSymbolSetUpload"][];
          chunk_ids?: string[] | null;
          release_id?: string | null;
          force?: boolean;
          skip_on_conflict?: boolean;
        };
        "multipart/form-data": {
          symbol_sets?: components["schemas"]["ErrorTrackingSymbolSetUpload"][];
          chunk_ids?: string[] | null;
          release_id?: string | null;
          force?: boolean;
          skip_on_conflict?: boolean;
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": {
            id_map: {
              [key: string]: components["schemas"]["ErrorTrackingSymbolSetAddress"];
            };
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  bulkFinishUploadErrorTrackingSymbolSets: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          content_hashes: {
            [key: string]: string;
          } | null;
        };
        "application/x-www-form-urlencoded": {
          content_hashes: {
            [key: string]: string;
          } | null;
        };
        "multipart/form-data": {
          content_hashes: {
            [key: string]: string;
          } | null;
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  startUploadErrorTrackingSymbolSets: {
    parameters: {
      query: {
        chunk_id: string;
        release_id?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSymbolSetAddress"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingSymbolSet: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingSymbolSet"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteErrorTrackingSymbolSet: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getErrorTrackingSymbolSetDownload: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** Format: uri */
            url: string;
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  finishUploadErrorTrackingSymbolSet: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          content_hash: string;
        };
        "application/x-www-form-urlencoded": {
          content_hash: string;
        };
        "multipart/form-data": {
          content_hash: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingSpikeEvents: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        issue_ids?: string;
        date_from?: string;
        date_to?: string;
        order_by?: "detected_at" | "-detected_at" | "computed_baseline" | "-computed_baseline" | "current_bucket_value" | "-current_bucket_value";
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingSpikeEventList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingAlertRules: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingAlertRuleList"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createErrorTrackingAlertRule: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingAlertRuleWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingAlertRuleWrite"];
        "multipart/form-data": components["schemas"]["ErrorTrackingAlertRuleWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["NewErrorTrackingAlertRule"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveErrorTrackingAlertRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingAlertRule"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteErrorTrackingAlertRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateErrorTrackingAlertRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ErrorTrackingAlertRuleChanges"];
        "application/x-www-form-urlencoded": components["schemas"]["ErrorTrackingAlertRuleChanges"];
        "multipart/form-data": components["schemas"]["ErrorTrackingAlertRuleChanges"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingAlertRule"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  testErrorTrackingAlertRule: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ErrorTrackingAlertTest"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listErrorTrackingIssues: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        order_by?: "created_at" | "-created_at" | "first_seen" | "-first_seen" | "last_seen" | "-last_seen" | "occurrences" | "-occurrences" | "users" | "-users" | "sessions" | "-sessions";
        status?: string;
        severity?: string;
        assignee?: string;
        search?: string;
        date_from?: string;
        date_to?: string;
        aggregations?: string;
      };
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedErrorTrackingIssueList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getQuotaLimits: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["QuotaLimits"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listOrganizations: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedOrganizationList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createOrganization: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrganizationWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["OrganizationWrite"];
        "multipart/form-data": components["schemas"]["OrganizationWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["Organization"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveOrganization: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Organization"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  replaceOrganization: {
    parameters: {
      path: {
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrganizationWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["OrganizationWrite"];
        "multipart/form-data": components["schemas"]["OrganizationWrite"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Organization"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteOrganization: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateOrganization: {
    parameters: {
      path: {
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PatchedOrganization"];
        "application/x-www-form-urlencoded": components["schemas"]["PatchedOrganization"];
        "multipart/form-data": components["schemas"]["PatchedOrganization"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Organization"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  removeBlockedMembersAndEnforceVerifiedDomains: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["OrganizationRemoveBlockedMembersResponse"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  requestAiAccess: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["AiAccessRequested"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listOrganizationMembers: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        organization_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedOrganizationMemberList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listOrganizationRoles: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        organization_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedOrganizationRoleList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listOauthApplications: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        organization_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedOrganizationOAuthApplicationList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listDomains: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        organization_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PaginatedOrganizationDomainList"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createDomain: {
    parameters: {
      path: {
        organization_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrganizationDomainWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["OrganizationDomainWrite"];
        "multipart/form-data": components["schemas"]["OrganizationDomainWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["OrganizationDomain"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveDomain: {
    parameters: {
      path: {
        organization_id: string;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["OrganizationDomain"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteDomain: {
    parameters: {
      path: {
        organization_id: string;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateDomain: {
    parameters: {
      path: {
        organization_id: string;
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PatchedOrganizationDomain"];
        "application/x-www-form-urlencoded": components["schemas"]["PatchedOrganizationDomain"];
        "multipart/form-data": components["schemas"]["PatchedOrganizationDomain"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["OrganizationDomain"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  verifyDomain: {
    parameters: {
      path: {
        organization_id: string;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["OrganizationDomain"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveExternalAccount: {
    parameters: {
      query?: {
        external_id?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ExternalAccount"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      401: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      403: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createExternalAccount: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExternalAccountCreate"];
        "application/x-www-form-urlencoded": components["schemas"]["ExternalAccountCreate"];
        "multipart/form-data": components["schemas"]["ExternalAccountCreate"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ExternalAccount"];
        };
      };
      201: {
        content: {
          "application/json": components["schemas"]["ExternalAccount"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      401: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      403: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateExternalAccount: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExternalAccountUpdate"];
        "application/x-www-form-urlencoded": components["schemas"]["ExternalAccountUpdate"];
        "multipart/form-data": components["schemas"]["ExternalAccountUpdate"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ExternalAccount"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      401: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      403: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      409: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  updateExternalAccountCustomPropertyValues: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExternalAccountValues"];
        "application/x-www-form-urlencoded": components["schemas"]["ExternalAccountValues"];
        "multipart/form-data": components["schemas"]["ExternalAccountValues"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ExternalAccountValuesSet"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      401: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      403: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      404: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      406: components["responses"]["NotAcceptable"];
      409: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountError"];
        };
      };
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listExternalAccounts: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        assigned_only?: boolean;
        include_ignored?: boolean;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ExternalAccountListPage"];
        };
      };
      400: {
        content: {
          "application/json": components["schemas"]["Error"] | components["schemas"]["ExternalAccountListValidationError"];
        };
      };
      401: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      403: {
        content: {
          "application/json": components["schemas"]["ExternalAccountError"];
        };
      };
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listPersonalApiKeys: {
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PersonalApiKey"][];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createPersonalApiKey: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["PersonalApiKeyWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["PersonalApiKeyWrite"];
        "multipart/form-data": components["schemas"]["PersonalApiKeyWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["PersonalApiKey"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  retrieveCurrentPersonalApiKey: {
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CurrentPersonalApiKey"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  rollPersonalApiKey: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PersonalApiKey"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deletePersonalApiKey: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  listProjectSecretApiKeys: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ProjectSecretApiKey"][];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  createProjectSecretApiKey: {
    parameters: {
      path: {
        project_id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProjectSecretApiKeyWrite"];
        "application/x-www-form-urlencoded": components["schemas"]["ProjectSecretApiKeyWrite"];
        "multipart/form-data": components["schemas"]["ProjectSecretApiKeyWrite"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["ProjectSecretApiKey"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["PayloadTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  rollProjectSecretApiKey: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ProjectSecretApiKey"];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  deleteProjectSecretApiKey: {
    parameters: {
      path: {
        project_id: number;
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getMyLlmSpend: {
    parameters: {
      query: {
        product: string;
        date_from?: string;
        date_to?: string;
        limit?: number;
        bucket_minutes?: 5 | 15 | 30 | 60;
        refresh?: boolean;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PersonalSpendAnalysisResponse"][] | components["schemas"]["PersonalSpendAnalysisResponse"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      406: components["responses"]["NotAcceptable"];
      429: components["responses"]["TooManyRequests"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  getSchema: {
    responses: {
      200: {
        content: {
          "application/json": Record<string, never>;
        };
      };
      404: components["responses"]["NotFound"];
      500: components["responses"]["ServerError"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
}
