import type { World } from "../../lib/app/world.ts";
import { livePath, loggedEffort } from "../../lib/endpoints/effort.ts";
import { resultBody } from "../../lib/endpoints/result-body.ts";
import type { RunProject } from "../../lib/endpoints/run-request.ts";
import { runUnsaved } from "../../lib/endpoints/unsaved-run.ts";
import { invalid } from "../../lib/http/errors.ts";
import type { QueryBody } from "./wire.ts";

/** Runs the query of a call and forms its reply. Throws 400 with the field that is wrong. */
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

const runInput = ({ limit, offset, variables, filters_override }: QueryBody) => {
  if (typeof limit === "number" && limit < 1) throw invalid("limit", "Send a limit of 1 or more.");
  if (typeof offset === "number" && offset < 0) throw invalid("offset", "Send an offset of 0 or more.");
  if (typeof offset === "number" && typeof limit !== "number") throw invalid("offset", "An offset needs a limit: send both.");
  return {
    limit: limit ?? undefined,
    offset: offset ?? undefined,
    variables: variables ?? {},
    filtersOverride: filters_override ?? undefined,
  };
};
