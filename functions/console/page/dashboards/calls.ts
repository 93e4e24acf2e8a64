import type { components } from "../../calls/api.d.ts";
import { type Call, get, patch, post, postRows, remove } from "../../calls/client.ts";
import { inTurn } from "../../calls/in-turn.ts";

type Schemas = components["schemas"];
export type Dashboard = Schemas["Dashboard"];
export type DashboardChange = Schemas["DashboardChange"];
export type NewDashboard = Schemas["DashboardWrite"];
export type Filters = Schemas["DashboardFilters"];
export type Tile = Schemas["DashboardTile"];
export type Endpoint = Schemas["SavedQueryEndpoint"];
type RunRequest = Schemas["EndpointRunRequest"];
type RunResult = Schemas["EndpointRunResult"];

/** A dashboard's place in the API. */
export interface Place {
  readonly project_id: number;
  readonly id: string;
}

/** What answers about dashboards begin with: they are asked for anew when one was changed. */
export const dashboardsPath = (project_id: number): string => `api/projects/${project_id}/dashboards`;
export const listPath = (project_id: number): string => `${dashboardsPath(project_id)}?`;

export const list = (project_id: number, query: { readonly limit: number; readonly offset?: number }) =>
  get("/api/projects/{project_id}/dashboards", { params: { path: { project_id }, query } });

export const create = (project_id: number, body: NewDashboard) =>
  post("/api/projects/{project_id}/dashboards", { params: { path: { project_id } }, body });

export const retrieve = (path: Place) => get("/api/projects/{project_id}/dashboards/{id}", { params: { path } });

export const change = (path: Place, body: DashboardChange) =>
  patch("/api/projects/{project_id}/dashboards/{id}", { params: { path }, body });

export const destroy = (path: Place) => remove("/api/projects/{project_id}/dashboards/{id}", { params: { path } });

export const sharing = (path: Place) => get("/api/projects/{project_id}/dashboards/{id}/sharing", { params: { path } });
export const share = (path: Place) => post("/api/projects/{project_id}/dashboards/{id}/sharing", { params: { path } });
export const unshare = (path: Place) => remove("/api/projects/{project_id}/dashboards/{id}/sharing", { params: { path } });

/** As many as a page of the list has: one chooses among them. */
export const endpoints = (project_id: number) =>
  get("/api/projects/{project_id}/endpoints", { params: { path: { project_id }, query: { limit: 1_000 } } });

/** The endpoint of a tile, in the version that it shows. */
export const endpoint = (project_id: number, { endpoint: name, version }: Pick<Tile, "endpoint" | "version">) =>
  inTurn(
    get("/api/projects/{project_id}/endpoints/{name}", {
      params: { path: { project_id, name }, query: { version: version ?? undefined } },
    }),
  );

/** The run of a tile. With `force` its rows are computed anew; they are kept under the same name. */
export const runTile = (project_id: number, name: string, body: RunRequest, { force }: { readonly force: boolean }): Call<RunResult> => {
  const runWith = (sent: RunRequest) =>
    inTurn(postRows("/api/projects/{project_id}/endpoints/{name}/run", { params: { path: { project_id, name } }, body: sent }));
  return force ? { ...runWith(body), send: runWith({ ...body, refresh: "force" }).send } : runWith(body);
};

export const properties = (project_id: number, type: "event" | "person") =>
  get("/api/projects/{project_id}/property_definitions", { params: { path: { project_id }, query: { type, limit: 1_000 } } });
