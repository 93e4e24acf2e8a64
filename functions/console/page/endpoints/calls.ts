import type { components } from "../../calls/api.d.ts";
import { get, patch, post, postRows, remove, withReply } from "../../calls/client.ts";

type Schemas = components["schemas"];
export type Endpoint = Schemas["SavedQueryEndpoint"];
export type EndpointChange = Schemas["SavedQueryEndpointWrite"];
export type EndpointQuery = NonNullable<Endpoint["query"]>;
export type LogEntry = Schemas["EndpointLogEntry"];
export type Preview = Schemas["MaterializationPreview"];
export type RunRequest = Schemas["EndpointRunRequest"];

/** An endpoint's place in the API. */
export interface Place {
  readonly project_id: number;
  readonly name: string;
}

/** What answers of an endpoint, and of lists of endpoints, begin with: they are asked for anew when something was changed. */
export const endpointsPath = (project_id: number): string => `api/projects/${project_id}/endpoints`;
export const listPath = (project_id: number): string => `${endpointsPath(project_id)}?`;

interface ListQuery {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly is_active?: boolean | undefined;
}

export const list = (project_id: number, query: ListQuery) =>
  get("/api/projects/{project_id}/endpoints", { params: { path: { project_id }, query } });

export const retrieve = (path: Place, version?: number) =>
  get("/api/projects/{project_id}/endpoints/{name}", { params: { path, query: { version } } });

export const change = (path: Place, body: EndpointChange) =>
  patch("/api/projects/{project_id}/endpoints/{name}", { params: { path }, body });

export const destroy = (path: Place) => remove("/api/projects/{project_id}/endpoints/{name}", { params: { path } });

export const versions = (path: Place, query: { readonly limit: number; readonly offset: number }) =>
  get("/api/projects/{project_id}/endpoints/{name}/versions", { params: { path, query } });

interface Described {
  readonly version?: number | undefined;
  readonly openapi?: "3.0" | "3.1";
}

/** The description of a run, which says which variables it takes and which of them it needs. */
export const description = (path: Place, { version, openapi = "3.1" }: Described = {}) =>
  get("/api/projects/{project_id}/endpoints/{name}/openapi.json", { params: { path, query: { openapi, version } } });

export const run = (path: Place, body: RunRequest) =>
  withReply(postRows("/api/projects/{project_id}/endpoints/{name}/run", { params: { path }, body }));

export type RunReply = Awaited<ReturnType<ReturnType<typeof run>["send"]>>;

export const preview = (path: Place) =>
  post("/api/projects/{project_id}/endpoints/{name}/materialization_preview", { params: { path }, body: {} });

/** A run of the version both ways, from the events and from a table, with these variables. */
export const compare = (path: Place, variables: Readonly<Record<string, unknown>>) =>
  post("/api/projects/{project_id}/endpoints/{name}/materialization_preview", { params: { path }, body: { variables } });

export const suggest = (path: Place) =>
  post("/api/projects/{project_id}/endpoints/{name}/materialization_suggestion", { params: { path }, body: {} });

interface LogFilter {
  readonly level?: string | undefined;
  readonly search?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

export const logs = (path: Place, query: LogFilter) => get("/api/projects/{project_id}/endpoints/{name}/logs", { params: { path, query } });
