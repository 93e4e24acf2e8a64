import type { World } from "../../lib/app/world.ts";
import { type ProjectGrant, projectKey } from "../../lib/auth/access.ts";
import type { Route } from "../../lib/http/route.ts";

/** Where all of error tracking lies. */
export const BASE = "/api/projects/{project_id}/error_tracking";

export const TAGS = ["Error tracking"];

export const read = projectKey("error_tracking:read");
export const write = projectKey("error_tracking:write");

/** A call on one thing of a project. */
export interface InProject {
  readonly params: { readonly id: string };
  readonly grant: ProjectGrant;
  readonly world: World;
}

/** The operations, and the same under the other name of a project's place; ids are the same numbers. */
export const underBothNames = (routes: readonly Route<World>[]): readonly Route<World>[] => [...routes, ...routes.map(ofEnvironment)];

const otherName = (path: string): string => path.replace("/api/projects/", "/api/environments/");

/** Both names of the place. */
export const FOLDERS = [BASE, otherName(BASE)];

const ofEnvironment = (route: Route<World>): Route<World> => {
  const path = otherName(route.path);
  return Object.freeze({ ...route, path, id: `${route.method} ${path}` });
};
