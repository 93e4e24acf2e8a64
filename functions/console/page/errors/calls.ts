import type { components } from "../../calls/api.d.ts";
import { type Call, get, patch, post, remove } from "../../calls/client.ts";

type Schemas = components["schemas"];
export type Issue = Schemas["ErrorTrackingIssue"];
export type Status = NonNullable<Schemas["ErrorTrackingIssueChanges"]["status"]>;
export type Severity = NonNullable<Issue["severity"]>;
export type Assignee = Schemas["ErrorTrackingAssignee"];
export type Release = Schemas["ErrorTrackingRelease"];
export type StackFrame = Schemas["ErrorTrackingStackFrame"];
export type Spike = Schemas["ErrorTrackingSpikeEvent"];
export type SpikeConfig = Schemas["SpikeDetectionConfig"];
export type RuleTrial = Schemas["ErrorTrackingRuleTrial"];
export type GroupingRule = Schemas["ErrorTrackingGroupingRule"];
export type SeverityRule = Schemas["ErrorTrackingSeverityRule"];
export type RuleKind = "grouping" | "severity";
export type Rule = GroupingRule | SeverityRule;

/** What a change of an issue makes old: everything of error tracking, and the queries beside it. */
export const errorTrackingOf = (project_id: number): string => `api/projects/${project_id}/error_tracking/`;

/** What merging and splitting make old besides: the counts of issues. */
export const queriesOf = (project_id: number): string => `api/projects/${project_id}/query`;

/** Issues that the list looks at, the newest: the API's longest page. */
export const MOST_ISSUES = 1_000;

export const listIssues = (project_id: number) =>
  get("/api/projects/{project_id}/error_tracking/issues", { params: { path: { project_id }, query: { limit: MOST_ISSUES } } });

export const retrieveIssue = (project_id: number, id: string) =>
  get("/api/projects/{project_id}/error_tracking/issues/{id}", { params: { path: { project_id, id } } });

export const setStatus = (project_id: number, ids: readonly string[], status: Status) =>
  post("/api/projects/{project_id}/error_tracking/issues/bulk", {
    params: { path: { project_id } },
    body: { action: "set_status", ids: [...ids], status },
  });

export const setSeverity = (project_id: number, id: string, severity: Severity | null) =>
  patch("/api/projects/{project_id}/error_tracking/issues/{id}", { params: { path: { project_id, id } }, body: { severity } });

export const assignIssue = (project_id: number, id: string, assignee: Assignee | null) =>
  patch("/api/projects/{project_id}/error_tracking/issues/{id}/assign", { params: { path: { project_id, id } }, body: { assignee } });

export const mergeIssues = (project_id: number, id: string, ids: readonly string[]) =>
  post("/api/projects/{project_id}/error_tracking/issues/{id}/merge", { params: { path: { project_id, id } }, body: { ids: [...ids] } });

/** A fingerprint that is to have an issue of its own, and what that one is called. */
export interface Part {
  readonly fingerprint: string;
  readonly name: string | null;
  readonly description: string | null;
}

export const splitIssue = (project_id: number, id: string, fingerprints: readonly Part[]) =>
  post("/api/projects/{project_id}/error_tracking/issues/{id}/split", {
    params: { path: { project_id, id } },
    body: { fingerprints: [...fingerprints] },
  });

export const listFingerprints = (project_id: number, issue_id: string) =>
  get("/api/projects/{project_id}/error_tracking/fingerprints", { params: { path: { project_id }, query: { issue_id, limit: 100 } } });

export const findFrames = (project_id: number, raw_ids: readonly string[]) =>
  post("/api/projects/{project_id}/error_tracking/stack_frames/batch_get", {
    params: { path: { project_id } },
    body: { raw_ids: [...raw_ids] },
  });

/** The page that shows a line of code; asked only where somebody wants to go there. */
export const findLine = (
  project_id: number,
  provider: "github" | "gitlab",
  query: { readonly owner: string; readonly repository: string; readonly code_sample: string; readonly file_name: string },
) =>
  get(`/api/projects/{project_id}/error_tracking/git-provider-file-links/resolve_${provider}`, { params: { path: { project_id }, query } });

export const listReleases = (project_id: number, offset: number) =>
  get("/api/projects/{project_id}/error_tracking/releases", { params: { path: { project_id }, query: { limit: PAGE, offset } } });

export const retrieveRelease = (project_id: number, id: string) =>
  get("/api/projects/{project_id}/error_tracking/releases/{id}", { params: { path: { project_id, id } } });

/** Rows of one page of releases and of spikes. */
export const PAGE = 50;

export const listSpikes = (project_id: number, offset: number) =>
  get("/api/projects/{project_id}/error_tracking/spike_events", { params: { path: { project_id }, query: { limit: PAGE, offset } } });

export const spikeConfig = (project_id: number) =>
  get("/api/projects/{project_id}/error_tracking/spike_detection_config", { params: { path: { project_id } } });

export const setSpikeConfig = (project_id: number, body: SpikeConfig) =>
  patch("/api/projects/{project_id}/error_tracking/spike_detection_config/update_config", { params: { path: { project_id } }, body });

/** The people whom an issue may be assigned to. */
export const listMembers = (organization_id: string) =>
  get("/api/organizations/{organization_id}/members", { params: { path: { organization_id }, query: { limit: 200 } } });

/** What a rule asks of an exception, as the API takes it. */
export interface RuleFilters {
  readonly type: "AND" | "OR";
  readonly values: readonly unknown[];
}

/** A rule as it is written: its filters, and the fields of its kind. */
export interface RuleDraft {
  readonly filters: RuleFilters;
  readonly severity: Severity;
  readonly description: string;
  readonly assignee: Assignee | null;
}

// The description of the API says of filters no more than that they are an object.
const sentFilters = (filters: RuleFilters): Record<string, never> => filters as unknown as Record<string, never>;

const inProject = (project_id: number) => ({ params: { path: { project_id } } });
const ofRule = (project_id: number, id: string) => ({ params: { path: { project_id, id } } });

/** The calls of rules, by their kind. */
export interface RuleCalls {
  list(project: number): Call<{ readonly results: readonly Rule[] }>;
  /** A new rule, asked at a place of the order. */
  create(project: number, draft: RuleDraft, order_key: number): Call<Rule>;
  update(project: number, id: string, draft: RuleDraft): Call<unknown>;
  remove(project: number, id: string): Call<unknown>;
  reorder(project: number, orders: Record<string, number>): Call<unknown>;
  /** What it would have matched of the exceptions that are stored. */
  attempt(project: number, filters: RuleFilters): Call<RuleTrial>;
}

export const RULE_CALLS: Readonly<Record<RuleKind, RuleCalls>> = {
  grouping: {
    list: (project) => get("/api/projects/{project_id}/error_tracking/grouping_rules", inProject(project)),
    create: (project, { filters, description, assignee }) =>
      post("/api/projects/{project_id}/error_tracking/grouping_rules", {
        ...inProject(project),
        body: { filters: sentFilters(filters), description: description || null, assignee },
      }),
    update: (project, id, { filters }) =>
      patch("/api/projects/{project_id}/error_tracking/grouping_rules/{id}", {
        ...ofRule(project, id),
        body: { filters: sentFilters(filters) },
      }),
    remove: (project, id) => remove("/api/projects/{project_id}/error_tracking/grouping_rules/{id}", ofRule(project, id)),
    reorder: (project, orders) =>
      patch("/api/projects/{project_id}/error_tracking/grouping_rules/reorder", { ...inProject(project), body: { orders } }),
    attempt: (project, filters) =>
      post("/api/projects/{project_id}/error_tracking/grouping_rules/try", { ...inProject(project), body: { filters: { ...filters } } }),
  },
  severity: {
    list: (project) => get("/api/projects/{project_id}/error_tracking/severity_rules", inProject(project)),
    create: (project, { filters, severity }, order_key) =>
      post("/api/projects/{project_id}/error_tracking/severity_rules", {
        ...inProject(project),
        body: { filters: sentFilters(filters), severity, order_key },
      }),
    update: (project, id, { filters, severity }) =>
      patch("/api/projects/{project_id}/error_tracking/severity_rules/{id}", {
        ...ofRule(project, id),
        body: { filters: sentFilters(filters), severity },
      }),
    remove: (project, id) => remove("/api/projects/{project_id}/error_tracking/severity_rules/{id}", ofRule(project, id)),
    reorder: (project, orders) =>
      patch("/api/projects/{project_id}/error_tracking/severity_rules/reorder", { ...inProject(project), body: { orders } }),
    attempt: (project, filters) =>
      post("/api/projects/{project_id}/error_tracking/severity_rules/try", { ...inProject(project), body: { filters: { ...filters } } }),
  },
};
