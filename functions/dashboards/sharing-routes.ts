import { route } from "../../lib/app/routes.ts";
import { publicOrigin } from "../../lib/endpoints/route-parts.ts";
import { permissionDenied } from "../../lib/http/errors.ts";
import { empty, json } from "../../lib/http/reply.ts";
import { readPeople } from "../../lib/organizations/people.ts";
import { findDashboard, ONE, read, share, TAGS, write } from "./place.ts";
import { revokeLink, shareDashboard } from "./sharing.ts";
import { MadeLink, Sharing, sharingForm } from "./wire.ts";

const NOT_ALLOWED = "Your organization does not allow public links. Its administrators decide about that in its settings.";

const PATH = `${ONE}sharing/` as const;

const retrieve = route({
  method: "GET",
  path: PATH,
  tags: TAGS,
  summary: "Whether a dashboard has a public link",
  description: "The link itself is shown only by the call that makes it: no copy of it is kept.",
  access: read,
  reply: json(200, Sharing),
  find: findDashboard,
  handle: async ({ found, world }) => sharingForm(found, await readPeople(world.table, [found.link_created_by])),
});

const make = route({
  method: "POST",
  path: PATH,
  tags: TAGS,
  summary: "Make a public link to a dashboard",
  description:
    "Whoever has the link sees this dashboard with the rows of its tiles, and nothing else of the project, without a key. A link that there was before ends. 403 where the organization does not allow public links; those that were made rest meanwhile.",
  access: share,
  reply: json(201, MadeLink),
  find: findDashboard,
  async handle({ found, grant, world, request }) {
    const { user } = grant.caller;
    if (!grant.organization.allow_publicly_shared_resources) throw permissionDenied(NOT_ALLOWED);
    const { dashboard, token } = await shareDashboard(world, found, user.id);
    return { ...sharingForm(dashboard, new Map([[user.id, user]])), url: `${publicOrigin(world, request)}/shared/${token}/` };
  },
});

const revoke = route({
  method: "DELETE",
  path: PATH,
  tags: TAGS,
  summary: "End the public link to a dashboard",
  description: "At once.",
  access: write,
  reply: empty(204),
  find: findDashboard,
  handle: ({ found, world }) => revokeLink(world.table, found),
});

export const sharing = [retrieve, make, revoke];
