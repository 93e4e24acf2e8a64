import * as z from "zod";
import { projectKey } from "../../lib/auth/access.ts";
import { everywhere } from "../../lib/endpoint/places.ts";
import { group } from "../../lib/http/group.ts";
import { json } from "../../lib/http/reply.ts";
import { route } from "../../lib/http/route.ts";
import { RunResult } from "./reply.ts";
import { endpointToRun, runEndpoint } from "./run.ts";
import { RunBody } from "./run-body.ts";

/** Numbers arrive as text and are read by the operation itself, because what is wrong with them has a body of its own. */
const RunNumbers = z.object({
  version: z.string().optional().meta({ description: "The version to run; the latest when left out." }),
  limit: z.string().optional().meta({ description: "Rows at most." }),
  offset: z.string().optional().meta({ description: "Rows to skip; needs limit." }),
});

const RunErrors = [
  {
    status: 400,
    description: "The run, its variables or its query cannot be served.",
    body: z.object({ error: z.string() }).meta({ id: "RunNumberError" }),
  },
  {
    status: 404,
    description: "No active endpoint of this name (the standard error body), or no such version.",
    body: z.object({ error: z.string(), current_version: z.int() }).meta({ id: "UnknownRunVersionError" }),
  },
] as const;

const shared = {
  tags: ["endpoints"],
  access: projectKey("endpoint:read", { secretKeys: true }),
  throttle: "run",
  errors: RunErrors,
} as const;

const get = everywhere((place) =>
  route({
    ...shared,
    method: "GET",
    path: `${place}/{name}/run/`,
    summary: "Run a saved query endpoint with its stored defaults",
    query: RunNumbers,
    reply: json(200, RunResult),
    find: ({ params, grant, world }) => endpointToRun(world, grant.project, params.name),
    handle: ({ found, query, grant, world, headers }) => runEndpoint(world, grant.project, found, {}, query, headers),
  }),
);

const post = everywhere((place) =>
  route({
    ...shared,
    method: "POST",
    path: `${place}/{name}/run/`,
    summary: "Run a saved query endpoint",
    query: RunNumbers,
    body: RunBody,
    bodyErrors: "dotted",
    reply: json(200, RunResult),
    find: ({ params, grant, world }) => endpointToRun(world, grant.project, params.name),
    handle: ({ found, query, body, grant, world, headers }) => runEndpoint(world, grant.project, found, body, query, headers),
  }),
);

export const endpointRuns = group({
  name: "endpoint-runs",
  gateway: "management",
  uses: ["table", "objects", "engine"],
  routes: [...get, ...post],
});
