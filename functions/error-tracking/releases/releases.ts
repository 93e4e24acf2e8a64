import { route } from "../../../lib/app/routes.ts";
import { Releases } from "../../../lib/error-tracking/releases.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import { readWindow } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { require } from "../../../lib/table/store.ts";
import { BASE, type InProject, read, TAGS, write } from "../place.ts";
import { NewReleaseBody, ReleaseBody, sentRelease } from "./release-body.ts";
import { createRelease, releaseOfHash, removeRelease, updateRelease } from "./release-changes.ts";
import { ReleaseForm, releaseForm } from "./release-form.ts";

const find = ({ params, grant, world }: InProject) =>
  require(world.table, Releases, { team_id: grant.project.id, id: params.id.toLowerCase() }, { consistent: true });

const list = route({
  method: "GET",
  path: `${BASE}/releases/`,
  summary: "List releases",
  description: "Newest first.",
  tags: TAGS,
  access: read,
  query: PageQuery,
  reply: json(200, paginated(ReleaseForm)),
  async handle({ query, grant, world, request }) {
    const team_id = grant.project.id;
    const options = { ...query, descending: true, counter: counterKey("releaseCount", team_id) };
    const { count, items } = await readWindow(world.table, Releases, "key", { team_id }, options);
    return page(request, query, count, items.map(releaseForm));
  },
});

const create = route({
  method: "POST",
  path: `${BASE}/releases/`,
  summary: "Create a release",
  description: "Exceptions whose `$release_id` is its hash id belong to it.",
  tags: TAGS,
  access: write,
  body: ReleaseBody,
  examples: { body: { version: "1.4.0", project: "shop", hash_id: "8f14e45f", metadata: { git: { branch: "main" } } } },
  described: { body: NewReleaseBody },
  reply: json(201, ReleaseForm),
  handle: async ({ body, grant, world }) => releaseForm(await createRelease(world, grant.project.id, sentRelease(body))),
});

const retrieve = route({
  method: "GET",
  path: `${BASE}/releases/{id}/`,
  summary: "Retrieve a release",
  tags: TAGS,
  access: read,
  reply: json(200, ReleaseForm),
  handle: async (place) => releaseForm(await find(place)),
});

const ofHash = route({
  method: "GET",
  path: `${BASE}/releases/hash/{hash_id}/`,
  summary: "Find a release by its hash id",
  tags: TAGS,
  access: read,
  reply: json(200, ReleaseForm),
  handle: async ({ params, grant, world }) => releaseForm(await releaseOfHash(world.table, grant.project.id, params.hash_id)),
});

const updates = (["PATCH", "PUT"] as const).map((method) =>
  route({
    method,
    path: `${BASE}/releases/{id}/`,
    summary: method === "PATCH" ? "Update a release" : "Update a release (as PATCH)",
    description: "Fields that are left out, null or empty keep what they are.",
    tags: TAGS,
    access: write,
    body: ReleaseBody,
    examples: { body: { version: "1.4.1", metadata: { git: { branch: "hotfix" } } } },
    reply: empty(204),
    errors: [409],
    find,
    async handle({ found, body, world }) {
      await updateRelease(world.table, found, sentRelease(body));
    },
  }),
);

const destroy = route({
  method: "DELETE",
  path: `${BASE}/releases/{id}/`,
  summary: "Delete a release",
  tags: TAGS,
  access: write,
  reply: empty(204),
  errors: [409],
  find,
  async handle({ found, world }) {
    await removeRelease(world.table, found);
  },
});

export const releaseRoutes = [list, create, retrieve, ofHash, ...updates, destroy];
