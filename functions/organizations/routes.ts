import * as z from "zod";
import { group, route } from "../../lib/app/routes.ts";
import { organizationKey, personalKey, unrestrictedKey } from "../../lib/auth/access.ts";
import { ACCESS_LIST, CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { isoBrief } from "../../lib/core/time.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { empty, json } from "../../lib/http/reply.ts";
import { OauthApplications } from "../../lib/organizations/oauth-applications.ts";
import { readWindow } from "../../lib/table/paging.ts";
import { OrganizationBody, PatchedOrganization } from "./bodies.ts";
import { domainRoutes } from "./domain-routes.ts";
import { RemovedMembers, removeBlockedAndEnforce } from "./enforcement.ts";
import { listMembers, MemberForm } from "./members.ts";
import { createOrganization, deleteOrganization, listOrganizations, updateOrganization } from "./organizations.ts";
import { AiAccessRequested, requestAiAccess } from "./request-ai-access.ts";
import { listRoles } from "./roles.ts";
import { allShown, shown } from "./shown.ts";
import { OrganizationForm } from "./wire.ts";

const TAGS = ["Organizations"];
const PATH = "/api/organizations/";
const ONE = "/api/organizations/{id}/";

const list = route({
  method: "GET",
  path: PATH,
  summary: "List the organizations that you are a member of",
  tags: TAGS,
  access: personalKey("organization:read"),
  query: PageQuery,
  reply: json(200, paginated(OrganizationForm)),
  errors: [404],
  async handle({ query, grant, world, request }) {
    const mine = await listOrganizations(world.table, grant.caller);
    const window = mine.slice(query.offset, query.offset + query.limit);
    return page(request, query, mine.length, await allShown(world.table, window));
  },
});

const create = route({
  method: "POST",
  path: PATH,
  summary: "Create an organization",
  description:
    "You become its owner, and it begins with one project. A key that is restricted to an organization or to projects makes none.",
  tags: TAGS,
  access: unrestrictedKey("organization:write"),
  body: OrganizationBody,
  examples: { body: { name: "Acme" } },
  reply: json(201, OrganizationForm),
  async handle({ body, grant, world }) {
    return shown(world.table, await createOrganization(world, grant.caller.user, body));
  },
});

const retrieve = route({
  method: "GET",
  path: ONE,
  summary: "Retrieve an organization",
  tags: TAGS,
  access: organizationKey("organization:read", { hole: "id", whileBlocked: "owner" }),
  reply: json(200, OrganizationForm),
  handle: ({ grant, world }) => shown(world.table, grant),
});

const changing = organizationKey("organization:write", { hole: "id", level: "admin", whileBlocked: "owner" });

const replace = route({
  method: "PUT",
  path: ONE,
  summary: "Update an organization, its name included",
  tags: TAGS,
  access: changing,
  body: OrganizationBody,
  examples: { body: { name: "Acme", is_ai_data_processing_approved: true } },
  reply: json(200, OrganizationForm),
  async handle({ body, grant, world }) {
    const organization = await updateOrganization(world, grant.organization, grant.caller.user, body);
    return shown(world.table, { ...grant, organization });
  },
});

const patch = route({
  method: "PATCH",
  path: ONE,
  summary: "Update some of an organization's fields",
  tags: TAGS,
  access: changing,
  body: PatchedOrganization,
  examples: { body: { members_can_invite: false } },
  reply: json(200, OrganizationForm),
  async handle({ body, grant, world }) {
    const organization = await updateOrganization(world, grant.organization, grant.caller.user, body);
    return shown(world.table, { ...grant, organization });
  },
});

const destroy = route({
  method: "DELETE",
  path: ONE,
  summary: "Delete an organization with its projects and all that belongs to them",
  description: "Access ends with the answer; a worker deletes the rest. Its id, and those of its projects, are never used again.",
  tags: TAGS,
  access: organizationKey("organization:write", { hole: "id", level: "owner" }),
  reply: empty(204),
  errors: [400],
  handle: ({ grant, world }) => deleteOrganization(world, grant.organization),
});

const removeBlocked = route({
  method: "POST",
  path: "/api/organizations/{id}/remove_blocked_members_and_enforce_verified_domains/",
  summary: "Remove the members outside the verified domains, and insist on these from then on",
  description: "All of them or none; owners are never removed. Safe to repeat, also after an answer was lost.",
  tags: TAGS,
  access: organizationKey("organization:write", { hole: "id", level: "admin" }),
  reply: json(200, RemovedMembers),
  errors: [400],
  handle: ({ grant, world }) => removeBlockedAndEnforce(world, grant.organization, grant.caller.user),
});

const requestAi = route({
  method: "POST",
  path: "/api/organizations/{id}/request_ai_access/",
  summary: "Ask the organization's admins to enable the AI features",
  description: "They are told by e-mail, once a day for each member who asks.",
  tags: TAGS,
  access: organizationKey(null, { hole: "id" }),
  reply: json(200, AiAccessRequested),
  handle: ({ grant, world }) => requestAiAccess(world, grant),
});

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

const listOauthApplications = route({
  method: "GET",
  path: "/api/organizations/{organization_id}/oauth_applications/",
  summary: "List an organization's OAuth applications",
  description: "In the order in which they were made.",
  tags: TAGS,
  access: organizationKey("organization:read"),
  query: PageQuery,
  reply: json(200, paginated(OauthApplicationForm)),
  async handle({ query, grant, world, request }) {
    const { count, items } = await readWindow(world.table, OauthApplications, "key", { organization_id: grant.organization.id }, query);
    const rows = items.map((item) => ({ ...item, created: isoBrief(item.created), updated: isoBrief(item.updated) }));
    return page(request, query, count, rows);
  },
});

const membersList = route({
  method: "GET",
  path: "/api/organizations/{organization_id}/members/",
  summary: "List an organization's members",
  description: "In the order in which they first came to the deployment.",
  tags: TAGS,
  access: organizationKey("organization_member:read"),
  query: PageQuery,
  reply: json(200, paginated(MemberForm)),
  async handle({ query, grant, world, request }) {
    const { count, rows } = await listMembers(world.table, grant.organization, query);
    return page(request, query, count, rows);
  },
});

export const organizations = group({
  name: "organizations",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, "slugs", "aiAccessRequests", "billing", "lake", "ownedOrganizationCount", "domainCount"],
      lists: [...CALLER_PARTITIONS.lists, ACCESS_LIST],
      // A new organization comes with a project, whose tokens and lake begin with it; one that is removed closes them.
      write: [
        ...CALLER_PARTITIONS.write,
        "organization",
        "project",
        "slugs",
        "tokens",
        "lake",
        "sequences",
        "aiAccessRequests",
        "ownedOrganizationCount",
        "domainCount",
      ],
      removes: true,
      // Whoever insists on domains holds their own to be one of them.
      checks: true,
    },
    mail: true,
  },
  routes: [
    list,
    create,
    retrieve,
    replace,
    patch,
    destroy,
    removeBlocked,
    requestAi,
    membersList,
    listRoles,
    listOauthApplications,
    ...domainRoutes,
  ],
});
