import { group, route } from "../../lib/app/routes.ts";
import { projectKey } from "../../lib/auth/access.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { json } from "../../lib/http/reply.ts";
import { QUEUES } from "../../lib/ports/queues.ts";
import { readHealth } from "./read-health.ts";
import { MOST_REDRIVEN, redriveLane } from "./redrive.ts";
import { Health, RedriveRequest, RedriveResult } from "./wire.ts";

const TAGS = ["Health"];

const retrieve = route({
  method: "GET",
  path: "/api/projects/{project_id}/health/",
  tags: TAGS,
  summary: "Retrieve the health of a project",
  description:
    "What waits, what fails and what to do about it. Lanes are shared by all projects of the platform, so their numbers are those of all; the rest is the project's own.",
  access: projectKey("project:read"),
  reply: json(200, Health),
  handle: ({ grant, world }) => readHealth(world, grant.project.id),
});

const redrive = route({
  method: "POST",
  path: "/api/projects/{project_id}/health/redrive/",
  tags: TAGS,
  summary: "Send the dead letters of a lane back",
  description: `For admins and owners of an organization. Messages that were given up on, whichever project they are of, go back to their lane and are tried anew: events that are stored already are not stored twice. A call moves ${MOST_REDRIVEN} at most.`,
  access: projectKey("project:write", { level: "admin" }),
  body: RedriveRequest,
  examples: { body: { lane: "live" } },
  reply: json(200, RedriveResult),
  handle: ({ body, grant, world }) => redriveLane(world, grant, body.lane),
});

export const health = group({
  name: "health",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, "lake"],
      lists: [...CALLER_PARTITIONS.lists, "due#{shard}"],
      write: CALLER_PARTITIONS.write,
    },
    queues: QUEUES,
    queueDepths: true,
    deadLetters: true,
    objects: { read: ["state"] },
  },
  routes: [retrieve, redrive],
});
