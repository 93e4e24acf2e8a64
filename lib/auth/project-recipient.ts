import { Users } from "../organizations/users.ts";
import type { Table } from "../ports/table.ts";
import type { Project } from "../projects/projects.ts";
import { get } from "../table/store.ts";
import { isBlocked, placeInProject } from "./membership.ts";

/**
 * The address of a member to whom a letter on a project may go; undefined for whoever may not see the project, is deactivated or kept
 * out, or is no member. Throws 404 where the organization was removed.
 */
export const projectRecipient = async (table: Table, project: Project, user_id: number): Promise<string | undefined> => {
  const user = await get(table, Users, { id: user_id }, { consistent: true });
  if (user === undefined || !user.is_active) return undefined;
  const place = await placeInProject(table, { user }, project);
  if (place === undefined || !place.organization.is_active || (await isBlocked(table, place.organization, user))) return undefined;
  return user.email;
};
