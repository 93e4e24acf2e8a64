import { projectKey } from "../../lib/auth/access.ts";

/** Where all of error tracking lies. */
export const BASE = "/api/projects/{project_id}/error_tracking";

export const TAGS = ["error_tracking"];

export const read = projectKey("error_tracking:read");
export const write = projectKey("error_tracking:write");
