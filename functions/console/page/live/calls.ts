import { getExact, post } from "../../calls/client.ts";
import type { Filters } from "./filters.ts";

/** So many events of an answer: more than a person reads in two seconds. */
export const MOST_AT_ONCE = 100;

/** The events that came since an answer, the newest first; without one, the newest of all. */
export const liveEvents = (project_id: number, filters: Filters, after?: string) =>
  getExact("/api/projects/{project_id}/live_events", {
    params: { path: { project_id }, query: { ...filters, limit: MOST_AT_ONCE, ...(after !== undefined && { after }) } },
  });

const COLUMNS = "uuid, event, timestamp, created_at, distinct_id, person_id, properties";

/** One event of the last 30 days. The id has to be a UUID. */
export const oneEvent = (project_id: number, uuid: string) =>
  post("/api/projects/{project_id}/query", {
    params: { path: { project_id } },
    body: {
      query: {
        kind: "HogQLQuery",
        query: `SELECT ${COLUMNS} FROM events WHERE uuid = '${uuid}' AND timestamp > now() - INTERVAL 30 DAY LIMIT 1`,
      },
    },
  });
