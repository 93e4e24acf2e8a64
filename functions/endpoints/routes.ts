import * as z from "zod";
import { group, refusal, route } from "../../lib/app/routes.ts";
import { projectKey } from "../../lib/auth/access.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { requireEndpoint, requireVersion } from "../../lib/endpoints/load.ts";
import { findMaterialisation } from "../../lib/endpoints/materialisations.ts";
import { isPossibleVersion } from "../../lib/endpoints/requested-version.ts";
import {
  ENDPOINT_TAGS,
  publicOrigin,
  readEndpoint,
  readEndpoints,
  UnknownVersion,
  underEachBase,
  VersionQuery,
} from "../../lib/endpoints/route-parts.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { empty, json } from "../../lib/http/reply.ts";
import { readPeople, withPeople } from "../../lib/organizations/people.ts";
import type { Table } from "../../lib/ports/table.ts";
import { ChangedEndpointBody, EndpointBody, NEW_ENDPOINT_EXAMPLE, NewEndpointBody } from "./bodies.ts";
import { createEndpoint } from "./create.ts";
import { descriptions } from "./description/routes.ts";
import { listEndpoints, listVersions } from "./list.ts";
import { materialisations } from "./materialisation-routes.ts";
import { runRecords } from "./run-records/routes.ts";
import { readTables, tablesFor } from "./shown-with.ts";
import { deleteEndpoint, updateEndpoint } from "./update.ts";
import { endpointForm, SavedQueryEndpoint, versionFields, versionForm } from "./wire.ts";

const write = projectKey("endpoint:write");

const list = underEachBase((base) =>
  route({
    method: "GET",
    path: `${base}/`,
    summary: "List saved query endpoints",
    description: "Oldest first. Deleted endpoints never appear.",
    tags: ENDPOINT_TAGS,
    access: readEndpoints,
    query: PageQuery.extend({
      is_active: z.string().optional().meta({ type: "boolean", description: "Only endpoints that can be run, or only those that cannot." }),
      created_by: z.string().optional().meta({ type: "integer", description: "Only endpoints that the user of this number made." }),
    }),
    reply: json(200, paginated(SavedQueryEndpoint)),
    async handle({ query, grant, world, request }) {
      const { count, items, reached } = await listEndpoints(world.table, grant.project.id, query, query);
      const [people, tables] = await Promise.all([readPeople(world.table, items.flatMap(makers)), readTables(world.table, items)]);
      const origin = publicOrigin(world, request);
      return page(
        request,
        query,
        count,
        items.map(({ endpoint, version }) => endpointForm(endpoint, version, people, tables, origin)),
        reached,
      );
    },
  }),
);

const create = underEachBase((base) =>
  route({
    method: "POST",
    path: `${base}/`,
    summary: "Create a saved query endpoint",
    description: "The query is parsed and checked here, once; runs only fill in its variables.",
    tags: ENDPOINT_TAGS,
    access: write,
    body: EndpointBody,
    examples: { body: NEW_ENDPOINT_EXAMPLE },
    described: { body: NewEndpointBody },
    bodyErrors: "parse",
    reply: json(201, SavedQueryEndpoint),
    async handle({ body, grant, world, request }) {
      const { endpoint, version } = await createEndpoint(world, { project: grant.project, user: grant.caller.user.id }, body);
      const [people, tables] = await shownWith(world.table, { endpoint, version });
      return endpointForm(endpoint, version, people, tables, publicOrigin(world, request));
    },
  }),
);

const retrieve = underEachBase((base) =>
  route({
    method: "GET",
    path: `${base}/{name}/`,
    summary: "Retrieve a saved query endpoint, or one of its versions",
    description: "One that is switched off, too. With `version` that version's own settings and times are shown.",
    tags: ENDPOINT_TAGS,
    access: readEndpoint,
    query: VersionQuery,
    reply: json(200, SavedQueryEndpoint),
    errors: [UnknownVersion],
    find: ({ grant }) => grant.endpoint(),
    async handle({ found, query, world, request }) {
      const number = query.version ?? found.current_version;
      const [version, known, table] = await Promise.all([
        requireVersion(world.table, found, number),
        readPeople(world.table, [found.created_by]),
        isPossibleVersion(number)
          ? findMaterialisation(world.table, { project: found.project, endpoint_id: found.id, version: number })
          : undefined,
      ]);
      const tables = await tablesFor([{ endpoint: found, version }], table === undefined ? [] : [table]);
      const people = await withPeople(world.table, known, [version.created_by]);
      if (query.version !== undefined) return versionForm(found, version, people, tables);
      return { ...endpointForm(found, version, people, tables, publicOrigin(world, request)), ...versionFields(found, version, people) };
    },
  }),
);

/** Either of the answers to an update: a deletion says only that it was done. */
const Updated = z.union([z.object({ success: z.literal(true) }), SavedQueryEndpoint]);

const updates = (["PATCH", "PUT"] as const).flatMap((method) =>
  underEachBase((base) =>
    route({
      method,
      path: `${base}/{name}/`,
      summary: method === "PATCH" ? "Update a saved query endpoint" : "Update a saved query endpoint (as PATCH)",
      description:
        'A query that differs from the current one makes a new version. With a version, only that version is changed. To delete an endpoint use DELETE; `deleted: true` does so, too, and is answered with `{"success": true}`.',
      tags: ENDPOINT_TAGS,
      access: write,
      query: VersionQuery,
      body: EndpointBody,
      examples: { body: { description: "Page views by day", data_freshness_seconds: 3_600 } },
      bodyErrors: "parse",
      reply: json(200, Updated),
      described: { body: ChangedEndpointBody, reply: SavedQueryEndpoint },
      errors: [409],
      async handle({ params, query, body, grant, world, request }) {
        const endpoint = await requireEndpoint(world.table, grant.project.id, params.name);
        if (body.deleted === true) {
          await deleteEndpoint(world, endpoint);
          return { success: true as const };
        }
        const number = body.version ?? query.version;
        const author = { project: grant.project, user: grant.caller.user.id };
        const updated = await updateEndpoint(world, author, endpoint, body, number);
        const [people, tables] = await shownWith(world.table, updated);
        const { endpoint: changed, version, ...errors } = updated;
        if (number !== undefined) return { ...versionForm(changed, version, people, tables), ...errors };
        return { ...endpointForm(changed, version, people, tables, publicOrigin(world, request)), ...errors };
      },
    }),
  ),
);

const destroy = underEachBase((base) =>
  route({
    method: "DELETE",
    path: `${base}/{name}/`,
    summary: "Delete a saved query endpoint",
    description: "With all of its versions and their tables, at once. Its name is free again.",
    tags: ENDPOINT_TAGS,
    access: write,
    reply: empty(204),
    async handle({ params, grant, world }) {
      await deleteEndpoint(world, await requireEndpoint(world.table, grant.project.id, params.name));
    },
  }),
);

const versions = underEachBase((base) =>
  route({
    method: "GET",
    path: `${base}/{name}/versions/`,
    summary: "List the versions of a saved query endpoint",
    description: "Newest first.",
    tags: ENDPOINT_TAGS,
    access: readEndpoints,
    query: PageQuery,
    reply: json(200, paginated(SavedQueryEndpoint)),
    async handle({ params, query, grant, world, request }) {
      const endpoint = await requireEndpoint(world.table, grant.project.id, params.name);
      const { count, items, reached } = await listVersions(world.table, endpoint, query);
      const shown = items.map((version) => ({ endpoint, version }));
      const [people, tables] = await Promise.all([readPeople(world.table, shown.flatMap(makers)), readTables(world.table, shown)]);
      return page(
        request,
        query,
        count,
        items.map((version) => versionForm(endpoint, version, people, tables)),
        reached,
      );
    },
  }),
);

const bulkTags = underEachBase((base) =>
  refusal({
    method: "POST",
    path: `${base}/bulk_update_tags/`,
    summary: "Not offered: tags are set endpoint by endpoint",
    tags: ENDPOINT_TAGS,
    access: write,
    body: { detail: "Tags cannot be updated in bulk. Update each endpoint." },
  }),
);

/** The things that one version is shown with beside its own item. */
const shownWith = (table: Table, shown: { readonly endpoint: SavedEndpoint; readonly version: EndpointVersion }) =>
  Promise.all([readPeople(table, makers(shown)), readTables(table, [shown])]);

const makers = ({ endpoint, version }: { readonly endpoint: SavedEndpoint; readonly version: EndpointVersion }) => [
  endpoint.created_by,
  version.created_by,
];

export const endpoints = group({
  name: "endpoints",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, "endpointCount", "endpointLog", "lake", "lanes"],
      lists: [...CALLER_PARTITIONS.lists, "project#{project}#endpoints"],
      write: [...CALLER_PARTITIONS.write, "project", "endpointCount"],
      removes: true,
    },
    queues: ["jobs"],
    invocations: ["tables"],
  },
  routes: [
    ...list,
    ...create,
    ...retrieve,
    ...updates,
    ...destroy,
    ...versions,
    ...bulkTags,
    ...runRecords,
    ...descriptions,
    ...materialisations,
  ],
});
