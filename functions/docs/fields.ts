import { RULES } from "../../lib/error-tracking/rules.ts";
import type { FieldBook } from "../../lib/http/openapi.ts";
import { BILLING_FIELDS } from "./fields/billing.ts";
import { CODE_FIELDS } from "./fields/code.ts";
import { ACCOUNT_FIELDS } from "./fields/customer-analytics.ts";
import { DASHBOARD_FIELDS } from "./fields/dashboards.ts";
import { ENDPOINT_FIELDS } from "./fields/endpoints.ts";
import { ERROR_TRACKING_FIELDS } from "./fields/error-tracking.ts";
import { HEALTH_FIELDS } from "./fields/health.ts";
import { INSIGHT_FIELDS } from "./fields/insights.ts";
import { KEY_FIELDS } from "./fields/keys.ts";
import { LLM_FIELDS } from "./fields/llm-analytics.ts";
import { ORGANIZATION_FIELDS } from "./fields/organizations.ts";
import { QUERY_FIELDS } from "./fields/query.ts";
import { QUOTA_FIELDS } from "./fields/quota-limits.ts";
import { SHARED_FIELDS } from "./fields/shared.ts";

/** The meaning of the fields of all schemas and of the parameters of all paths. */
export const FIELDS: FieldBook = {
  schemas: {
    ...SHARED_FIELDS,
    ...ENDPOINT_FIELDS,
    ...INSIGHT_FIELDS,
    ...ERROR_TRACKING_FIELDS,
    ...ORGANIZATION_FIELDS,
    ...KEY_FIELDS,
    ...BILLING_FIELDS,
    ...QUERY_FIELDS,
    ...HEALTH_FIELDS,
    ...DASHBOARD_FIELDS,
    ...QUOTA_FIELDS,
    ...ACCOUNT_FIELDS,
    ...LLM_FIELDS,
    ...CODE_FIELDS,
  },
  pathParameters: {
    "projects/{project_id}": "Number of the project, or `@current` for the one that the key's owner works in.",
    "organizations/{organization_id}": "Id of the organization, a UUID, or `@current` for that of the key's owner.",
    "organizations/{id}": "Id of the organization, a UUID, or `@current` for that of the key's owner.",
    "endpoints/{name}": "Name of the saved query endpoint.",
    "persons/{uuid}": "Id of the person, a UUID.",
    "dashboards/{id}": "Id of the dashboard, a UUID.",
    "shared/{token}": "The public link's token, as its address holds it.",
    "tiles/{tile_id}": "Id of the tile, a UUID.",
    "invoices/{id}": "Id of the invoice, or its number.",
    "releases/{id}": "Id of the release, a UUID.",
    "hash/{hash_id}": "The release's `hash_id`; one that holds a slash or a dot cannot be asked for.",
    "alert_rules/{id}": "Id of the alert rule, a UUID.",
    ...Object.fromEntries(Object.keys(RULES).map((kind) => [`${kind}_rules/{id}`, `Id of the ${kind} rule, a UUID.`])),
    "external_references/{id}": "Id of the external reference, a UUID.",
    "issues/{id}": "Id of the issue, a UUID.",
    "fingerprints/{id}": "Id of the fingerprint's entry, a UUID, not the fingerprint itself.",
    "symbol_sets/{id}": "Id of the symbol set, a UUID.",
    "stack_frames/{id}": "Id of the stack frame, a UUID.",
    "webhooks/{id}": "Id of the endpoint, a UUID.",
    "deliveries/{delivery_id}": "Id of the event, as the list of deliveries has it.",
    "domains/{id}": "Id of the domain's entry, a UUID.",
    "personal_api_keys/{id}": "Id of the key, a UUID, which is not its value.",
    "project_secret_api_keys/{id}": "Id of the key, a UUID, which is not its value.",
  },
};
