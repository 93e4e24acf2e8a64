import type { ProjectGrant } from "../../lib/auth/access.ts";
import type { World } from "../../lib/world/world.ts";

/** A call on one thing of a project. */
export interface InProject {
  readonly params: { readonly id: string };
  readonly grant: ProjectGrant;
  readonly world: World;
}
