import type { components, operations } from "../../calls/api.d.ts";
import { type Call, get, patch, post, remove, together } from "../../calls/client.ts";

type Schemas = components["schemas"];
export type Issue = Schemas["ErrorTrackingIssue"];
export type Status = NonNullable<Schemas["ErrorTrackingIssueChanges"]["status"]>;
export type Severity = NonNullable<Issue["severity"]>;
export type Assignee = Schemas["ErrorTrackingAssignee"];
export type Release = Schemas["ErrorTrackingRelease"];
export type StackFrame = Schemas["ErrorTrackingStackFrame"];
export type Spike = Schemas["ErrorTrackingSpikeEvent"];
export type SpikeConfig = Schemas["SpikeDetectionConfig"];
export type MergedIssue = Schemas["ErrorTrackingMergedIssue"];
export type SymbolSet = Schemas["ErrorTrackingSymbolSet"];
export type Activity = Schemas["ErrorTrackingIssueActivity"];

/** What a change of an issue makes old: everything of error tracking, and the queries beside it. */
export const errorTrackingOf = (project_id: number): string => `api/projects/${project_id}/error_tracking/`;

/** What merging and splitting make old besides: the counts of issues. */
export const queriesOf = (project_id: number): string => `api/projects/${project_id}/query`;

/** Any status, severity or assignee. */
export const ANY = "all";

export type ListedIssue = Schemas["ErrorTrackingListedIssue"];

/** Which issues are listed, in which order, and what their events are counted for. */
export type IssueQuery = NonNullable<operations["listErrorTrackingIssues"]["parameters"]["query"]>;
export type Order = NonNullable<IssueQuery["order_by"]>;

export const listIssues = (project_id: number, query: IssueQuery) =>
  get("/api/projects/{project_id}/error_tracking/issues", { params: { path: { project_id }, query } });

export const retrieveIssue = (project_id: number, id: string) =>
  get("/api/projects/{project_id}/error_tracking/issues/{id}", { params: { path: { project_id, id } } });

/** Several issues at once; those that are there no more are left out. */
export const retrieveIssues = (project_id: number, ids: readonly string[]): Call<readonly Issue[]> =>
  together(
    `${errorTrackingOf(project_id)}issues`,
    ids.map((id) => retrieveIssue(project_id, id)),
  );

export const setStatus = (project_id: number, ids: readonly string[], status: Status) =>
  post("/api/projects/{project_id}/error_tracking/issues/bulk", {
    params: { path: { project_id } },
    body: { action: "set_status", ids: [...ids], status },
  });

export const setSeverity = (project_id: number, id: string, severity: Severity | null) =>
  patch("/api/projects/{project_id}/error_tracking/issues/{id}", { params: { path: { project_id, id } }, body: { severity } });

export const assignIssue = (project_id: number, id: string, assignee: Assignee | null) =>
  patch("/api/projects/{project_id}/error_tracking/issues/{id}/assign", { params: { path: { project_id, id } }, body: { assignee } });

/** The answer says `finished: false` where the merge goes on in the background. */
export const mergeIssues = (project_id: number, id: string, ids: readonly string[]) =>
  post("/api/projects/{project_id}/error_tracking/issues/{id}/merge", { params: { path: { project_id, id } }, body: { ids: [...ids] } });

export const listMerged = (project_id: number, id: string, offset: number) =>
  get("/api/projects/{project_id}/error_tracking/issues/{id}/merged", {
    params: { path: { project_id, id }, query: { limit: MERGED_PAGE, offset } },
  });

/** Rows of one page of what was merged into an issue. */
export const MERGED_PAGE = 20;

export const unmergeIssues = (project_id: number, id: string, ids: readonly string[]) =>
  post("/api/projects/{project_id}/error_tracking/issues/{id}/unmerge", { params: { path: { project_id, id } }, body: { ids: [...ids] } });

export const listActivity = (project_id: number, id: string, limit: number) =>
  get("/api/projects/{project_id}/error_tracking/issues/{id}/activity", { params: { path: { project_id, id }, query: { limit } } });

/** Of each fingerprint of an issue: what it was made of, or the rule that made it. */
export const explainIssue = (project_id: number, id: string) =>
  get("/api/projects/{project_id}/error_tracking/issues/{id}/grouping", { params: { path: { project_id, id } } });

/** The pieces of one fingerprint, with the frames among them. */
export const explainFingerprint = (project_id: number, id: string) =>
  get("/api/projects/{project_id}/error_tracking/fingerprints/{id}/explain", { params: { path: { project_id, id } } });

export type Piece = Awaited<ReturnType<ReturnType<typeof explainFingerprint>["send"]>>["pieces"][number];

type Grouping = Awaited<ReturnType<ReturnType<typeof explainIssue>["send"]>>;
export type Explanation = Grouping["fingerprints"][number];

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

/** The newest stack frames of a project. */
export const listNewestFrames = (project_id: number) =>
  get("/api/projects/{project_id}/error_tracking/stack_frames", { params: { path: { project_id }, query: { limit: 100 } } });

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

export const listSymbolSets = (project_id: number, offset: number) =>
  get("/api/projects/{project_id}/error_tracking/symbol_sets", { params: { path: { project_id }, query: { limit: PAGE, offset } } });

export const deleteSymbolSet = (project_id: number, id: string) =>
  remove("/api/projects/{project_id}/error_tracking/symbol_sets/{id}", { params: { path: { project_id, id } } });

/** Rows of one page of releases, of symbol sets and of spikes. */
export const PAGE = 50;

export const listSpikes = (project_id: number, offset: number) =>
  get("/api/projects/{project_id}/error_tracking/spike_events", { params: { path: { project_id }, query: { limit: PAGE, offset } } });

export const spikeConfig = (project_id: number) =>
  get("/api/projects/{project_id}/error_tracking/spike_detection_config", { params: { path: { project_id } } });

export const setSpikeConfig = (project_id: number, body: SpikeConfig) =>
  patch("/api/projects/{project_id}/error_tracking/spike_detection_config/update_config", { params: { path: { project_id } }, body });

/** The roles that an issue may be assigned to. */
export const listRoles = (organization_id: string) =>
  get("/api/organizations/{organization_id}/roles", { params: { path: { organization_id }, query: { limit: 200 } } });

/** The people whom an issue may be assigned to. */
export const listMembers = (organization_id: string) =>
  get("/api/organizations/{organization_id}/members", { params: { path: { organization_id }, query: { limit: 200 } } });
