import type { components } from "../../calls/api.d.ts";
import { get, post, postRows } from "../../calls/client.ts";

type QueryRequest = components["schemas"]["QueryRequest"];
export type Query = QueryRequest["query"];
export type SqlQuery = Extract<Query, { kind: "HogQLQuery" }>;
export type TrendsQuery = Extract<Query, { kind: "TrendsQuery" }>;
export type RetentionQuery = Extract<Query, { kind: "RetentionQuery" }>;

/** The most rows that are asked for; where there are more, the answer says so. */
export const MOST_ROWS = 1_000;

/** An insight answers all of its rows, and takes no limit. */
export const runQuery = (project_id: number, query: Query) =>
  postRows("/api/projects/{project_id}/query", {
    params: { path: { project_id } },
    body: { query, ...(query.kind === "HogQLQuery" && { limit: MOST_ROWS }) },
  });

/** The tables and functions of the language. */
export const listLanguage = (project_id: number) => get("/api/projects/{project_id}/query/schema", { params: { path: { project_id } } });

export const saveEndpoint = (project_id: number, body: { readonly name: string; readonly description: string; readonly query: Query }) =>
  post("/api/projects/{project_id}/endpoints", { params: { path: { project_id } }, body });

/** The names of the last 30 days with how many events have them, those of most events first. The API's own list is in order of the names. */
export const frequentEvents = (project_id: number) =>
  runQuery(project_id, {
    kind: "HogQLQuery",
    query:
      "SELECT event, count() AS events FROM events WHERE timestamp >= now() - INTERVAL 30 DAY GROUP BY event ORDER BY events DESC, event",
  });

/** The most names of an answer. */
const MOST_NAMES = 1_000;

/** The events whose names hold a text. */
export const findEvents = (project_id: number, search: string) =>
  get("/api/projects/{project_id}/event_definitions", { params: { path: { project_id }, query: { limit: MOST_NAMES, search } } });

export const listProperties = (project_id: number, type: "event" | "person", search?: string) =>
  get("/api/projects/{project_id}/property_definitions", {
    params: { path: { project_id }, query: { limit: MOST_NAMES, type, ...(search !== undefined && { search }) } },
  });

/** The most frequent values of a property. */
export const listValues = (project_id: number, type: "event" | "person", key: string) =>
  get("/api/projects/{project_id}/property_definitions/values", { params: { path: { project_id }, query: { type, key } } });
