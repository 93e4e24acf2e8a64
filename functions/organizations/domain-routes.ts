import { route } from "../../lib/app/routes.ts";
import { type OrganizationGrant, organizationKey } from "../../lib/auth/access.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { empty, json } from "../../lib/http/reply.ts";
import { Domains } from "../../lib/organizations/domains.ts";
import { readWindow } from "../../lib/table/paging.ts";
import { DomainForm, domainForm, NewDomain, PatchedDomain } from "./domain-wire.ts";
import { changeDomain, changingDomain, createDomain, deleteDomain, domainWith, verifyDomain } from "./domains.ts";

const TAGS = ["Organizations"];
const PATH = "/api/organizations/{organization_id}/domains/";
const ONE = "/api/organizations/{organization_id}/domains/{id}/";

const reading = organizationKey("organization:read");
const writing = organizationKey("organization:write", { level: "admin" });

const named = ({ organization }: OrganizationGrant, { id }: { readonly id: string }) => ({ organization: organization.id, id });

export const domainRoutes = [
  route({
    method: "GET",
    path: PATH,
    summary: "List an organization's domains",
    tags: TAGS,
    access: reading,
    query: PageQuery,
    reply: json(200, paginated(DomainForm)),
    async handle({ query, grant, world, request }) {
      const { count, items } = await readWindow(world.table, Domains, "key", { organization_id: grant.organization.id }, query);
      return page(request, query, count, items.map(domainForm));
    },
  }),
  route({
    method: "POST",
    path: PATH,
    summary: "Name a domain of an organization",
    description: "It counts once it is verified.",
    tags: TAGS,
    access: writing,
    body: NewDomain,
    examples: { body: { domain: "shop.example" } },
    reply: json(201, DomainForm),
    handle: async ({ body, grant, world }) => domainForm(await createDomain(world, grant.organization.id, body)),
  }),
  route({
    method: "GET",
    path: ONE,
    summary: "Retrieve a domain",
    tags: TAGS,
    access: reading,
    reply: json(200, DomainForm),
    handle: async ({ params, grant, world }) => domainForm(await domainWith(world.table, grant.organization.id, params.id)),
  }),
  route({
    method: "PATCH",
    path: ONE,
    summary: "Update a domain's settings",
    description: "They can be set once the domain is verified. Its name stays.",
    tags: TAGS,
    access: writing,
    body: PatchedDomain,
    examples: { body: { jit_provisioning_enabled: true } },
    reply: json(200, DomainForm),
    handle: async ({ params, body, grant, world }) =>
      domainForm(await changingDomain(world.table, named(grant, params), (domain) => changeDomain(world.table, domain, body))),
  }),
  route({
    method: "DELETE",
    path: ONE,
    summary: "Forget a domain",
    description: "Refused while verified domains are enforced and your own address would no longer be in one.",
    tags: TAGS,
    access: writing,
    reply: empty(204),
    errors: [400],
    handle: ({ params, grant, world }) => changingDomain(world.table, named(grant, params), (domain) => deleteDomain(world, domain, grant)),
  }),
  route({
    method: "POST",
    path: "/api/organizations/{organization_id}/domains/{id}/verify/",
    summary: "Verify a domain",
    description: "Looks for `verification_challenge` in the domain's DNS. Where it is not there yet, `is_verified` stays false.",
    tags: TAGS,
    access: writing,
    reply: json(200, DomainForm),
    errors: [400],
    handle: async ({ params, grant, world }) =>
      domainForm(await changingDomain(world.table, named(grant, params), (domain) => verifyDomain(world, domain))),
  }),
];
