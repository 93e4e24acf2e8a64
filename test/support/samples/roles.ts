import { Roles } from "../../../lib/organizations/roles.ts";
import type { Ports } from "../../../lib/ports/ports.ts";
import { put } from "../../../lib/table/store.ts";

/** A role of an organization, which nobody has; its id. */
export const aRole = async ({ table, ids }: Pick<Ports, "table" | "ids">, organization_id: string): Promise<string> => {
  const id = ids.uuid();
  await put(table, Roles, { organization_id, id, name: "On call", members: [], created_at: "2026-01-01T00:00:00.000Z" });
  return id;
};
