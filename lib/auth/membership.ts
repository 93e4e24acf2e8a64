import { AccessGrants } from "../entities/access-grants.ts";
import { type Membership, Memberships } from "../entities/memberships.ts";
import { LEVELS, type Organization } from "../entities/organizations.ts";
import type { Project } from "../entities/projects.ts";
import { permissionDenied } from "../http/errors.ts";
import type { Table } from "../ports/table.ts";
import { decode, keyOf } from "../table/entity.ts";
import { get } from "../table/store.ts";
import type { PersonalCaller } from "./callers.ts";

/** The caller's membership in an organization, read afresh: whoever leaves loses access with the next request. */
export const membershipIn = (table: Table, { user }: PersonalCaller, organization: string): Promise<Membership | undefined> =>
  get(table, Memberships, { organization_id: organization, user_id: user.id }, { consistent: true });

/** The caller's membership in a project's organization, unless the project is hidden from them. One call. */
export const membershipOf = async (table: Table, { user }: PersonalCaller, project: Project): Promise<Membership | undefined> => {
  const membershipKey = keyOf(Memberships, { organization_id: project.organization_id, user_id: user.id });
  const grantKey = keyOf(AccessGrants, { project_id: project.id, user_id: user.id });
  const stored = await table.getMany([membershipKey, grantKey], { consistent: true });
  const membership = stored.find((item) => item.entity === Memberships.name);
  if (membership === undefined) return undefined;
  const found = decode(Memberships, membership);
  const grant = stored.find((item) => item.entity === AccessGrants.name);
  const hidden = grant !== undefined && !decode(AccessGrants, grant).visible;
  return hidden && found.level < LEVELS.admin ? undefined : found;
};

/** Throws 403 where an organization keeps its members from using personal keys; its admins may all the same. */
export const checkPersonalKeys = (organization: Organization, membership: Membership): void => {
  if (organization.members_can_use_personal_api_keys || membership.level >= LEVELS.admin) return;
  throw permissionDenied(`Organization "${organization.name}" does not allow its members to use personal API keys.`);
};
