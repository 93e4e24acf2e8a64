import { route } from "../../../lib/app/routes.ts";
import { ENDPOINT_TAGS, readEndpoint, readEndpoints, underEachBase } from "../../../lib/endpoints/route-parts.ts";
import { paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import { LastExecutionTimes, LastExecutionTimesBody, lastExecutionTimes } from "./last-executions.ts";
import { endpointLogs, LogEntry, LogQuery } from "./logs.ts";

const logs = underEachBase((base) =>
  route({
    method: "GET",
    path: `${base}/{name}/logs/`,
    summary: "Read the execution log of a saved query endpoint",
    description: "Newest first, of the last 30 days. Under a flood of runs not every run is logged.",
    tags: ENDPOINT_TAGS,
    access: readEndpoint,
    query: LogQuery,
    reply: json(200, paginated(LogEntry)),
    find: ({ grant }) => grant.endpoint(),
    handle: ({ found, query, world, request }) => endpointLogs(world.table, found, query, request),
  }),
);

const lastExecutions = underEachBase((base) =>
  route({
    method: "POST",
    path: `${base}/last_execution_times/`,
    summary: "When saved query endpoints were last run with a key",
    tags: ENDPOINT_TAGS,
    access: readEndpoints,
    body: LastExecutionTimesBody,
    examples: { body: { names: ["pageviews-by-day"] } },
    reply: json(200, LastExecutionTimes),
    handle: ({ body, grant, world }) => lastExecutionTimes(world.table, grant.project.id, body.names),
  }),
);

/** Operations that tell how endpoints were run. */
export const runRecords = [...lastExecutions, ...logs];
