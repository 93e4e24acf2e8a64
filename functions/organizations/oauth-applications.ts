import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { organizationKey } from "../../lib/auth/access.ts";
import { isoBrief } from "../../lib/core/time.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { json } from "../../lib/http/reply.ts";
import { OauthApplications } from "../../lib/organizations/oauth-applications.ts";
import { windowOf } from "../../lib/table/paging.ts";

const OauthApplicationForm = z
  .object({
    id: z.guid(),
    name: z.string(),
    client_id: z.string(),
    redirect_uris_list: z.array(z.string()),
    is_verified: z.boolean(),
    created: z.string(),
    updated: z.string(),
  })
  .meta({ id: "OrganizationOAuthApplication" });

export const listOauthApplications = route({
  method: "GET",
  path: "/api/organizations/{organization_id}/oauth_applications/",
  summary: "List an organization's OAuth applications",
  description: "In the order in which they were made.",
  tags: ["Organizations"],
  access: organizationKey("organization:read"),
  query: PageQuery,
  reply: json(200, paginated(OauthApplicationForm)),
  async handle({ query, grant, world, request }) {
    const { count, items } = await windowOf(world.table, OauthApplications, "key", { organization_id: grant.organization.id }, query);
    const rows = items.map((item) => ({ ...item, created: isoBrief(item.created), updated: isoBrief(item.updated) }));
    return page(request, query, count, rows);
  },
});
