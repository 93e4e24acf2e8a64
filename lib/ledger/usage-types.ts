/** What is counted for billing, in the order in which it is shown, with the product that it is counted for. */
export const USAGE_LABELS = {
  event_count_in_period: "Events",
  exceptions_captured_in_period: "Exceptions",
  recording_count_in_period: "Recordings",
  rows_synced_in_period: "Synced rows",
  free_historical_rows_synced_in_period: "Free historical synced rows",
  survey_responses_count_in_period: "Survey responses",
  mobile_recording_count_in_period: "Mobile recordings",
  mobile_billable_recording_count_in_period: "Billable mobile recordings",
  billable_feature_flag_requests_count_in_period: "Feature flag requests",
  enhanced_persons_event_count_in_period: "Enhanced persons events",
  ai_event_count_in_period: "LLM events",
  cdp_billable_invocations_in_period: "Destination invocations",
  rows_exported_in_period: "Exported rows",
  ai_credits_used_in_period: "AI credits",
  signals_credits_used_in_period: "Signals credits",
  service_code_credits_used_in_period: "Code credits",
  service_code_token_credits_used_in_period: "Code token credits",
  sandbox_compute_credits_used_in_period: "Sandbox compute credits",
  sandbox_compute_cpu_millicore_seconds_in_period: "Sandbox CPU millicore seconds",
  sandbox_compute_memory_mib_seconds_in_period: "Sandbox memory MiB seconds",
  workflow_emails_sent_in_period: "Workflow emails",
  workflow_billable_invocations_in_period: "Workflow dispatches",
  logs_mb_in_period: "Logs (MB)",
  logs_retention_30d_mb_in_period: "Logs with 30 days' retention (MB)",
  replay_vision_credits_used_in_period: "Replay vision credits",
  data_pipelines: "Data pipelines",
  group_analytics: "Group analytics",
} as const;

export type UsageType = keyof typeof USAGE_LABELS;

export const isUsageType = (name: string): name is UsageType => Object.hasOwn(USAGE_LABELS, name);

/** All types, in the order of the table: an object's own names keep the order in which they are written. */
export const USAGE_TYPES = Object.keys(USAGE_LABELS).filter(isUsageType);
