import type { World } from "../../lib/app/world.ts";
import { isoMicros } from "../../lib/core/time.ts";
import { rememberVersion } from "../../lib/endpoints/load.ts";
import { queryProblem } from "../../lib/endpoints/query-problem.ts";
import { answerRun, mayBeServedLater, type RunAnswer } from "../../lib/endpoints/run.ts";
import { type RunProject, type RunRequest, resolveRun } from "../../lib/endpoints/run-request.ts";
import { type EndpointVersion, EndpointVersions, type SavedEndpoint, SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { QueryError } from "../../lib/hogql/errors.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import { update } from "../../lib/table/store.ts";
import { logSuccess } from "./execution-log.ts";
import { type RunBody, type RunQuery, runInput } from "./input.ts";
import type { RunCall } from "./run-call.ts";
import { rememberPath } from "./run-rate.ts";
import { runReply } from "./wire.ts";

/** Runs one version of an endpoint: what is asked is resolved, answered, recorded and sent. */
export const runEndpoint = async (world: World, project: RunProject, call: RunCall, body: RunBody, query: RunQuery) => {
  const { endpoint } = call;
  const request = await resolveRun(world, project, endpoint, runInput(body, query), query.names);
  call.request = request;
  const answer = await answered(world, request);
  rememberPath(world, endpoint, query.version, { path: answer.path, mayChange: mayBeServedLater(answer) });
  return runReply(request, answer);
};

const answered = async (world: World, request: RunRequest): Promise<RunAnswer> => {
  try {
    const answer = await answerRun(world, request, (answer) => logSuccess(world, request, answer));
    // Rows that are there are not kept back because their use could not be written down.
    await recordLastUse(world, request.endpoint, request.version, request.now).catch(() => undefined);
    return answer;
  } catch (thrown) {
    throw thrown instanceof QueryError ? queryProblem(thrown, request.query) : thrown;
  }
};

/** A record's time of last use moves at most this often: a run must not cost a write. */
const EVERY_MS = 1_800_000;

/** Records on the endpoint and on its version that a key ran them, where the last record is older than half an hour. */
const recordLastUse = async (
  world: Pick<World, "table" | "clock">,
  endpoint: SavedEndpoint,
  version: EndpointVersion,
  now: number,
): Promise<void> => {
  const { table } = world;
  const set = { last_executed_at: isoMicros(now) };
  const { project, name, id } = endpoint;
  const sameEndpoint = { kind: "equals", attribute: "id", value: id } as const;
  await Promise.all([
    isStale(endpoint.last_executed_at, now) && unlessGone(update(table, SavedEndpoints, { project, name }, { set }, sameEndpoint)),
    isStale(version.last_executed_at, now) &&
      unlessGone(update(table, EndpointVersions, { project, endpoint_id: id, version: version.version }, { set })),
  ]);
  if (isStale(version.last_executed_at, now)) rememberVersion(world, endpoint, { ...version, ...set });
};

const isStale = (iso: string | null, now: number): boolean => iso === null || now - Date.parse(iso) >= EVERY_MS;

/** An endpoint that was deleted during its run has nothing to record. */
const unlessGone = async (write: Promise<unknown>): Promise<void> => {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};
