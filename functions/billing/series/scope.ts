import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import { permissionDenied } from "../../../lib/http/errors.ts";
import { type AccessGrant, AccessGrants } from "../../../lib/organizations/access-grants.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { getMany, list, pages } from "../../../lib/table/store.ts";

/** The projects that somebody may be told of: all of the organization, those that are gone too, or just these. */
export type Scope = "all" | ReadonlySet<number>;

/** Whether figures are looked at, or taken away in a file. */
export type Purpose = "look" | "export";

/**
 * The projects that an answer may speak of: those asked for, of those that the caller may see. Decided before any figure is read.
 * Never an empty set. Throws 403.
 */
export const findScope = async (table: Table, grant: BillingGrant, asked: readonly number[] | null, purpose: Purpose): Promise<Scope> => {
  if (asked !== null) await refuseForeign(table, grant, asked);
  if (grant.access === "full") return asked === null ? "all" : new Set(asked);
  const seen = await visibleProjects(table, grant);
  const wanted = asked === null ? seen : new Map(asked.filter((id) => seen.has(id)).map((id) => [id, seen.get(id)]));
  if (wanted.size === 0) throw permissionDenied("The requested projects are not available to this user or key.");
  if (purpose === "look") return new Set(wanted.keys());
  const exportable = [...wanted].filter(([, given]) => given?.export === "editor").map(([id]) => id);
  if (exportable.length === 0) throw permissionDenied("You are not allowed to export from any of these projects.");
  return new Set(exportable);
};

export const isIn = (scope: Scope, project: number): boolean => scope === "all" || scope.has(project);

/** A project that no longer exists anywhere may be asked for: it is the organization's own history, or nothing. */
const refuseForeign = async (table: Table, { organization }: BillingGrant, asked: readonly number[]): Promise<void> => {
  const known = await getMany(
    table,
    Projects,
    asked.filter((id) => id > 0).map((id) => ({ id })),
  );
  if (known.some(({ state, organization_id }) => state === "active" && organization_id !== organization.id))
    throw permissionDenied("One or more requested projects are not in this organization.");
};

/** The projects that a member sees, within the key's restrictions, each with the access that was granted there. */
const visibleProjects = async (
  table: Table,
  { organization, caller }: BillingGrant,
): Promise<ReadonlyMap<number, AccessGrant | undefined>> => {
  const member = { organization_id: organization.id, user_id: caller.user.id };
  const given = new Map((await list(table, AccessGrants, "ofMember", member)).map((each) => [each.project_id, each]));
  const restricted = caller.key.scoped_teams;
  const seen = new Map<number, AccessGrant | undefined>();
  for await (const projects of pages(table, Projects, "ofOrganization", { organization_id: organization.id })) {
    for (const { id, state } of projects) {
      if (state !== "active" || given.get(id)?.visible === false) continue;
      if (restricted.length === 0 || restricted.includes(id)) seen.set(id, given.get(id));
    }
  }
  return seen;
};
