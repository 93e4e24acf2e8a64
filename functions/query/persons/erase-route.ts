import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { projectKey } from "../../../lib/auth/access.ts";
import { empty } from "../../../lib/http/reply.ts";

/** Erases a person where the stage lets its clients do so. Elsewhere it is the operator's, and the path has no such method. */
export const erase = route({
  method: "DELETE",
  path: "/api/projects/{project_id}/persons/{uuid}/",
  tags: ["Persons"],
  summary: "Erase a person with all events",
  description:
    "Where the operator allows it; elsewhere 405. Answered once no query sees the person or an event of them any more. Their bytes are gone within a day, and within 35 more days from backups. Events that come later for one of their ids are dropped unless the project keeps them. While it is under way for long the answer is 503, and the same call asks how far it is.",
  access: projectKey("person:write"),
  query: z.object({
    delete_events: z.string().optional().meta({ description: "`true`: a person is erased with all events, and not without them." }),
  }),
  reply: empty(202),
  errors: [400, 405, 503],
  handle: async ({ params, query, grant, world }) =>
    (await import("./erase-person.ts")).erasePerson(world, grant.project, params.uuid, query.delete_events),
});
