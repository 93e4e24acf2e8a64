import { get } from "../../calls/client.ts";

/** The endpoints that the search finds by their names. */
export const findEndpoints = (project_id: number) =>
  get("/api/projects/{project_id}/endpoints", { params: { path: { project_id: project_id }, query: { limit: 100 } } });
