import type { World } from "../../lib/app/world.ts";
import { answerRun, type RunAnswer } from "../../lib/endpoints/run.ts";
import { type RunProject, type RunRequest, resolveRun } from "../../lib/endpoints/run-request.ts";
import { QueryError, wireError, withCaret } from "../../lib/hogql/errors.ts";
import { type ApiError, standardError } from "../../lib/http/errors.ts";
import { logSuccess } from "./execution-log.ts";
import { type RunQuery, runInput } from "./input.ts";
import { recordLastUse } from "./last-used.ts";
import type { RunBody } from "./run-body.ts";
import type { RunCall } from "./run-call.ts";
import { rememberPath } from "./run-rate.ts";
import { runReply } from "./wire.ts";

/** Runs one version of an endpoint: what is asked is resolved, answered, recorded and sent. */
export const runEndpoint = async (world: World, project: RunProject, call: RunCall, body: RunBody, query: RunQuery) => {
  const { endpoint } = call;
  const request = await resolveRun(world, project, endpoint, runInput(body, query), query.names);
  call.request = request;
  const answer = await answered(world, request);
  rememberPath(world, endpoint, query.version, answer.path);
  return runReply(request, answer);
};

/** What is wrong with a query is the caller's to read: 400 with its code, and with the place in the text that it is about. */
const answered = async (world: World, request: RunRequest): Promise<RunAnswer> => {
  try {
    return await answerRun(world, request, async (answer) => {
      await Promise.all([logSuccess(world, request, answer), recordLastUse(world, request.endpoint, request.version, request.now)]);
    });
  } catch (thrown) {
    throw thrown instanceof QueryError ? queryProblem(thrown, request) : thrown;
  }
};

const queryProblem = (error: QueryError, { query }: RunRequest): ApiError => {
  const { type, code } = wireError(error);
  const sentence = query.kind === "sql" ? withCaret(error, query.query.query) : error.message;
  return standardError(400, type, code, sentence, { cause: error });
};
