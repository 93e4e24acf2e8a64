import type { Access } from "../http/access.ts";
import type { Scope } from "../keys/scopes.ts";
import type { Ports } from "../ports/ports.ts";
import type { Project } from "../projects/projects.ts";
import { checkScopes, covers, keyedPerson, type PersonalGrant, scopesFor } from "./access.ts";
import { findProject, type PersonalCaller } from "./callers.ts";
import { checkMember, placeInProject } from "./membership.ts";

/**
 * A personal key with the scope, on paths that name projects by names of their own. It may be restricted to projects or organizations:
 * the operation asks for each project whether the caller may read it.
 */
export const readerKey = (scope: Scope): Access<Ports, PersonalGrant> =>
  keyedPerson({ level: "user", scopes: [scope] }, async (caller, call) => {
    checkScopes(caller.key.scopes, scopesFor(call, [scope]));
    return { grant: { caller } };
  });

/**
 * The project with this id; undefined where there is none, or none that the caller and their key see. Throws 403 where its organization
 * keeps them out though they are its member, and 404 where it was removed.
 */
export const readableProject = async (
  world: Pick<Ports, "table" | "clock">,
  caller: PersonalCaller,
  id: number,
): Promise<Project | undefined> => {
  const project = await findProject(world, id);
  if (project === undefined || !isCovered(project, caller)) return undefined;
  const place = await placeInProject(world.table, caller, project);
  if (place === undefined) return undefined;
  await checkMember(world.table, place, caller.user);
  return project;
};

const isCovered = ({ id, organization_id }: Project, { key }: PersonalCaller): boolean =>
  covers(key.scoped_teams, id) && covers(key.scoped_organizations, organization_id);
