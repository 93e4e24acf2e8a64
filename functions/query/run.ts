import type { World } from "../../lib/app/world.ts";
import { checkInput } from "../../lib/endpoints/check-input.ts";
import { livePath, loggedEffort } from "../../lib/endpoints/effort.ts";
import { resultBody } from "../../lib/endpoints/result-body.ts";
import type { RunProject } from "../../lib/endpoints/run-request.ts";
import { runUnsaved } from "../../lib/endpoints/unsaved-run.ts";
import type { QueryBody } from "./wire.ts";

/** Runs the query of a call and forms its reply. Throws 400 with the field that is wrong, or as a run does. */
export const runQuery = async (world: World, project: RunProject, body: QueryBody) => {
  const { query, result, effort } = await runUnsaved(world, project, body.query, runInput(body));
  return {
    body: {
      ...resultBody(query, result, { isKept: false, freshMs: 0, refreshMs: 0, timezone: project.timezone }),
      client_query_id: body.client_query_id ?? null,
    },
    headers: { "x-run-path": livePath(effort) },
    logged: loggedEffort(effort),
  };
};

const runInput = (body: QueryBody) => {
  checkInput(body);
  return {
    limit: body.limit ?? undefined,
    offset: body.offset ?? undefined,
    variables: body.variables ?? {},
    filtersOverride: body.filters_override ?? undefined,
  };
};
