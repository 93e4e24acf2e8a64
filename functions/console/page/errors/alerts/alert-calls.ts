import type { components } from "../../../calls/api.d.ts";
import { get, patch, post, remove } from "../../../calls/client.ts";

type Schemas = components["schemas"];
export type AlertRule = Schemas["ErrorTrackingAlertRule"];
/** All that is said of an alert. */
export type AlertDraft = Schemas["ErrorTrackingAlertRuleWrite"];
export type Channel = AlertRule["channels"][number];
export type Trigger = AlertRule["trigger"];

/** What became of a test: `error` says which channels did not take it, and why. */
export type AlertTest = Schemas["ErrorTrackingAlertTest"];

const inProject = (project_id: number) => ({ params: { path: { project_id } } });
const ofRule = (project_id: number, id: string) => ({ params: { path: { project_id, id } } });

export const listAlerts = (project: number) => get("/api/projects/{project_id}/error_tracking/alert_rules", inProject(project));

/** The answer holds the secret that webhooks are signed with, which is shown this once. */
export const createAlert = (project: number, body: AlertDraft) =>
  post("/api/projects/{project_id}/error_tracking/alert_rules", { ...inProject(project), body });

export const updateAlert = (project: number, id: string, body: Partial<AlertDraft>) =>
  patch("/api/projects/{project_id}/error_tracking/alert_rules/{id}", { ...ofRule(project, id), body });

export const deleteAlert = (project: number, id: string) =>
  remove("/api/projects/{project_id}/error_tracking/alert_rules/{id}", ofRule(project, id));

export const testAlert = (project: number, id: string) =>
  post("/api/projects/{project_id}/error_tracking/alert_rules/{id}/test", ofRule(project, id));
