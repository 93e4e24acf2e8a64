import * as z from "zod";
import { group, route } from "../../lib/app/routes.ts";
import { projectKey } from "../../lib/auth/access.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { RunNumberError } from "../../lib/endpoints/check-input.ts";
import { underEachBase, withEndpoint } from "../../lib/endpoints/route-parts.ts";
import { RUN_PARTITIONS } from "../../lib/endpoints/run-partitions.ts";
import { jsonWithHeaders } from "../../lib/http/reply.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { rowExports } from "./exports/routes.ts";
import { RunBody } from "./input.ts";
import { logFault, runCall } from "./run-call.ts";
import { atRunRate } from "./run-rate.ts";
import { DescribedRunResult, RUN_HEADERS, RunResult } from "./wire.ts";

/** The language and the insights, which whoever only reads the routes does not need. */
const loadRun = () => import("./run.ts");

/** Numbers arrive as text and are read by the operation itself, because what is wrong with them has a body of its own. */
const RunNumbers = z.object({
  version: z
    .string()
    .optional()
    .meta({ type: "integer", minimum: 1, description: "Number of the version to run; the newest when left out." }),
  limit: z
    .string()
    .optional()
    .meta({ type: "integer", minimum: 1, description: "Rows at most, of a SQL query; 100 when neither it nor the query says." }),
  offset: z.string().optional().meta({ type: "integer", minimum: 0, description: "Rows to pass over, of a SQL query; needs `limit`." }),
});

const RunErrors = [
  {
    status: 400,
    description: "The run, its variables or its query cannot be served.",
    body: RunNumberError,
  },
  {
    status: 404,
    description: "No active endpoint of this name (the standard error body), or no such version.",
    body: z.object({ error: z.string(), current_version: z.int() }).meta({ id: "UnknownRunVersionError" }),
  },
] as const;

const shared = {
  tags: ["Endpoints"],
  access: atRunRate(withEndpoint(projectKey("endpoint:read", { secretKeys: true }))),
  throttle: "run",
  errors: RunErrors,
} as const;

const described = { reply: DescribedRunResult };

/** Every name in the query string, of which only the numbers are read. */
const namesIn = ({ query }: HttpRequest): readonly string[] => query.map(([name]) => name);

const get = underEachBase((base) =>
  route({
    ...shared,
    method: "GET",
    path: `${base}/{name}/run/`,
    summary: "Run a saved query endpoint with its stored defaults",
    description: "With `limit` and `offset` where its query is SQL; values for variables need a POST.",
    query: RunNumbers,
    reply: jsonWithHeaders(200, RunResult, RUN_HEADERS),
    described,
    find: async ({ grant }) => runCall(await grant.endpoint()),
    around: ({ found, world }, next) => logFault(world, found, next),
    handle: async ({ found, query, grant, world, request }) =>
      (await loadRun()).runEndpoint(world, grant.project, found, {}, { ...query, names: namesIn(request) }),
  }),
);

const post = underEachBase((base) =>
  route({
    ...shared,
    method: "POST",
    path: `${base}/{name}/run/`,
    summary: "Run a saved query endpoint",
    description:
      "Rows are those of a kept result that is fresh enough, of the version's own table, or computed now: the header `x-run-path` says which.",
    query: RunNumbers,
    body: RunBody,
    examples: { body: { variables: { event_name: "$pageview" }, limit: 10, refresh: "force" } },
    bodyErrors: "dotted",
    reply: jsonWithHeaders(200, RunResult, RUN_HEADERS),
    described,
    find: async ({ grant }) => runCall(await grant.endpoint()),
    around: ({ found, world }, next) => logFault(world, found, next),
    handle: async ({ found, query, body, grant, world, request }) =>
      (await loadRun()).runEndpoint(world, grant.project, found, body, { ...query, names: namesIn(request) }),
  }),
);

export const endpointRuns = group({
  name: "endpoint-runs",
  gateway: "management",
  uses: {
    // Of a project its endpoints' time of use is written, its runs and their slots.
    table: {
      read: [...CALLER_PARTITIONS.read, ...RUN_PARTITIONS],
      lists: CALLER_PARTITIONS.lists,
      write: [...CALLER_PARTITIONS.write, "project", "endpointLog"],
    },
    objects: { read: ["fresh", "events", "state", "results", "tables", "exports"], write: ["results", "exports"] },
    engine: true,
  },
  routes: [...get, ...post, ...rowExports],
});
