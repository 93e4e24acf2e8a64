import type { components } from "../../../calls/api.d.ts";
import { type Call, get, patch, post, remove } from "../../../calls/client.ts";
import type { Assignee, Severity } from "../calls.ts";
import { type RuleFilters, sentFilters } from "./filters.ts";

type Schemas = components["schemas"];
export type RuleTrial = Schemas["ErrorTrackingRuleTrial"];
export type RuleKind = "grouping" | "assignment" | "severity";
export type Rule = Schemas["ErrorTrackingGroupingRule"] | Schemas["ErrorTrackingSeverityRule"] | Schemas["ErrorTrackingAssignmentRule"];

/** Whether somebody switched a rule off, which only some kinds say by a field of their own. */
export const isSwitchedOff = (rule: Rule): boolean =>
  "enabled" in rule ? !rule.enabled : rule.disabled_data !== null && !FAILED.some((key) => key in (rule.disabled_data ?? {}));

/** What is told of a rule that failed: the event on which it did. */
const FAILED = ["props", "properties"];

/** A rule as it is written: its filters, and the fields of its kind. */
export interface RuleDraft {
  readonly filters: RuleFilters;
  readonly severity: Severity;
  readonly description: string;
  readonly assignee: Assignee | null;
}

// Where nobody was chosen, the API says that somebody has to be.
const required = (assignee: Assignee | null): Assignee => assignee as Assignee;

const inProject = (project_id: number) => ({ params: { path: { project_id } } });
const ofRule = (project_id: number, id: string) => ({ params: { path: { project_id, id } } });

/** The calls of rules, by their kind. */
export interface RuleCalls {
  list(project: number): Call<{ readonly results: readonly Rule[] }>;
  /** A new rule, asked at a place of the order. */
  create(project: number, draft: RuleDraft, order_key: number): Call<Rule>;
  update(project: number, id: string, draft: RuleDraft): Call<unknown>;
  /** Switches it on or off. */
  enable(project: number, id: string, enabled: boolean): Call<unknown>;
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
    enable: (project, id, enabled) =>
      patch("/api/projects/{project_id}/error_tracking/grouping_rules/{id}", { ...ofRule(project, id), body: { enabled } }),
    remove: (project, id) => remove("/api/projects/{project_id}/error_tracking/grouping_rules/{id}", ofRule(project, id)),
    reorder: (project, orders) =>
      patch("/api/projects/{project_id}/error_tracking/grouping_rules/reorder", { ...inProject(project), body: { orders } }),
    attempt: (project, filters) =>
      post("/api/projects/{project_id}/error_tracking/grouping_rules/try", { ...inProject(project), body: { filters: { ...filters } } }),
  },
  assignment: {
    list: (project) => get("/api/projects/{project_id}/error_tracking/assignment_rules", inProject(project)),
    create: (project, { filters, assignee }, order_key) =>
      post("/api/projects/{project_id}/error_tracking/assignment_rules", {
        ...inProject(project),
        body: { filters: sentFilters(filters), assignee: required(assignee), order_key },
      }),
    update: (project, id, { filters, assignee }) =>
      patch("/api/projects/{project_id}/error_tracking/assignment_rules/{id}", {
        ...ofRule(project, id),
        body: { filters: sentFilters(filters), assignee: required(assignee) },
      }),
    enable: (project, id, enabled) =>
      patch("/api/projects/{project_id}/error_tracking/assignment_rules/{id}", { ...ofRule(project, id), body: { enabled } }),
    remove: (project, id) => remove("/api/projects/{project_id}/error_tracking/assignment_rules/{id}", ofRule(project, id)),
    reorder: (project, orders) =>
      patch("/api/projects/{project_id}/error_tracking/assignment_rules/reorder", { ...inProject(project), body: { orders } }),
    attempt: (project, filters) =>
      post("/api/projects/{project_id}/error_tracking/assignment_rules/try", { ...inProject(project), body: { filters: { ...filters } } }),
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
    enable: (project, id, enabled) =>
      patch("/api/projects/{project_id}/error_tracking/severity_rules/{id}", { ...ofRule(project, id), body: { enabled } }),
    remove: (project, id) => remove("/api/projects/{project_id}/error_tracking/severity_rules/{id}", ofRule(project, id)),
    reorder: (project, orders) =>
      patch("/api/projects/{project_id}/error_tracking/severity_rules/reorder", { ...inProject(project), body: { orders } }),
    attempt: (project, filters) =>
      post("/api/projects/{project_id}/error_tracking/severity_rules/try", { ...inProject(project), body: { filters: { ...filters } } }),
  },
};
