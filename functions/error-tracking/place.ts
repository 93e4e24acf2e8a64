import { type ProjectGrant, projectKey } from "../../lib/auth/access.ts";
import type { World } from "../../lib/world/world.ts";

/** Where all of error tracking lies. */
export const BASE = "/api/projects/{project_id}/error_tracking";

export const TAGS = ["error_tracking"];

export const read = projectKey("error_tracking:read");
export const write = projectKey("error_tracking:write");

/** A call on one thing of a project. */
export interface InProject {
  readonly params: { readonly id: string };
  readonly grant: ProjectGrant;
  readonly world: World;
}
