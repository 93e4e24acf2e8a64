import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { organizationKey } from "../../lib/auth/access.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { json } from "../../lib/http/reply.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import { Roles } from "../../lib/organizations/roles.ts";
import { readWindow } from "../../lib/table/paging.ts";
import { getMany } from "../../lib/table/store.ts";

const RoleForm = z.object({ id: z.guid(), name: z.string(), members: z.array(z.int()) }).meta({ id: "OrganizationRole" });

/** The roles of an organization: the operator's document makes them. */
export const listRoles = route({
  method: "GET",
  path: "/api/organizations/{organization_id}/roles/",
  summary: "List an organization's roles",
  description: "In the order in which they were made.",
  tags: ["Organizations"],
  access: organizationKey("organization:read"),
  query: PageQuery,
  reply: json(200, paginated(RoleForm)),
  async handle({ query, grant, world: { table }, request }) {
    const organization_id = grant.organization.id;
    const { count, items } = await readWindow(table, Roles, "key", { organization_id }, query);
    const named = [...new Set(items.flatMap(({ members }) => members))].map((user_id) => ({ organization_id, user_id }));
    const memberships = named.length === 0 ? [] : await getMany(table, Memberships, named);
    const isMember = new Set(memberships.map(({ user_id }) => user_id));
    const rows = items.map(({ id, name, members }) => ({ id, name, members: members.filter((user) => isMember.has(user)) }));
    return page(request, query, count, rows);
  },
});
