import * as z from "zod";
import { isHyphenatedUuid } from "../../lib/core/uuid.ts";
import type { Assignee } from "../../lib/error-tracking/issues.ts";
import { invalid } from "../../lib/http/errors.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import { Roles } from "../../lib/organizations/roles.ts";
import type { Table } from "../../lib/ports/table.ts";
import { get } from "../../lib/table/store.ts";

const WHOLE = /^\s*[+-]?\d{1,15}\s*$/;

/** Who is to look after an issue, as a client writes it: a user's number, also as text, or a role's UUID. */
export const AssigneeField = z
  .object({
    type: z.enum(["user", "role"]),
    id: z.unknown().meta({ anyOf: [{ type: "integer" }, { type: "string" }] }),
  })
  .transform((sent, context): Assignee => {
    const refuse = (code: string, message: string): never => {
      context.addIssue({ code: "custom", path: ["id"], message, params: { code } });
      return z.NEVER;
    };
    const { type, id } = sent;
    if (id === undefined) return refuse("required", "This field is required.");
    if (id === null) return refuse("null", "This field may not be null.");
    if (type === "role") {
      return typeof id === "string" && isHyphenatedUuid(id)
        ? { type, id: id.toLowerCase() }
        : refuse("invalid_input", "Must be a valid UUID.");
    }
    const number = typeof id === "string" && WHOLE.test(id) ? Number(id) : id;
    return typeof number === "number" && Number.isSafeInteger(number)
      ? { type, id: number }
      : refuse("invalid_input", "A valid integer is required.");
  });

/** Throws 400 for a user who is no member of the organization, and for a role that it does not have. */
export const checkAssignee = async (table: Table, organization: string, assignee: Assignee | null): Promise<void> => {
  if (assignee === null) return;
  if (assignee.type === "role") {
    const role = await get(table, Roles, { organization_id: organization, id: assignee.id }, { consistent: true });
    if (role === undefined) throw invalid("assignee__id", "No role of the organization has this id.");
    return;
  }
  const known = assignee.id > 0 && (await get(table, Memberships, { organization_id: organization, user_id: assignee.id }));
  if (!known) throw invalid("assignee__id", "No member of the organization has this id.");
};
