import type { Assignee } from "../../lib/error-tracking/issues.ts";
import { invalid } from "../../lib/http/errors.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import type { Table } from "../../lib/ports/table.ts";
import { get } from "../../lib/table/store.ts";

/** Throws 400 for a user who is no member of the organization. Roles are kept elsewhere, so any UUID may be one. */
export const checkAssignee = async (table: Table, organization: string, assignee: Assignee | null): Promise<void> => {
  if (assignee?.type !== "user") return;
  const known = assignee.id > 0 && (await get(table, Memberships, { organization_id: organization, user_id: assignee.id }));
  if (!known) throw invalid("assignee__id", "No member of the organization has this id.");
};
