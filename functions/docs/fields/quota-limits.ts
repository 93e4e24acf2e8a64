import type { FieldBook } from "../../../lib/http/openapi.ts";

/** The things that each resource counts. */
const RESOURCES = {
  events: "Events of every name that belongs to no other resource.",
  exceptions: "Events named `$exception`, of which issues are made.",
  recordings: "Recorded sessions of web pages.",
  rows_synced: "Rows brought in from other databases.",
  feature_flag_requests: "Questions about feature flags.",
  api_queries_read_bytes: "Bytes read by queries over the API.",
  survey_responses: "Submitted answers to surveys.",
  llm_events: "Events whose names begin with `$ai_`.",
  cdp_trigger_events: "Events sent on to destinations.",
  rows_exported: "Rows written to other databases.",
  ai_credits: "Credits of the built-in assistant.",
  workflow_emails: "Letters sent by workflows.",
  workflow_destinations_dispatched: "Calls and notifications sent by workflows.",
  logs_mb_ingested: "Megabytes of stored log lines.",
  signals_credits: "Credits of reports that signals write.",
  replay_vision_credits: "Credits of watching recordings by a model.",
  service_code_credits: "Credits of the coding assistant.",
};

/** Fields of quotas: every resource is always there. */
export const QUOTA_FIELDS: FieldBook["schemas"] = {
  QuotaLimits: {
    limited: "Every resource by its name; one that a client does not find counts as not limited.",
    ...Object.fromEntries(
      Object.entries(RESOURCES).flatMap(([name, text]) => [
        [`limited.${name}`, text],
        [`limited.${name}.limited`, "Whether the limit is reached, so that what is sent of it is dropped for now."],
      ]),
    ),
  },
};
