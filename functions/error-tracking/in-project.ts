import type { World } from "../../lib/app/world.ts";
import type { ProjectGrant } from "../../lib/auth/access.ts";

/** A call on one thing of a project. */
export interface InProject {
  readonly params: { readonly id: string };
  readonly grant: ProjectGrant;
  readonly world: World;
}
