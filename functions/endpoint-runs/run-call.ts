import type { World } from "../../lib/app/world.ts";
import type { RunRequest } from "../../lib/endpoints/run-request.ts";
import type { SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import { notFound } from "../../lib/http/errors.ts";
import { logFailure, logRefusal } from "./execution-log.ts";

/** A call of `run/`. */
export interface RunCall {
  readonly endpoint: SavedEndpoint;
  /** Set when the run is allowed. */
  request: RunRequest | undefined;
}

/** A call of an endpoint that is active. Throws 404. */
export const runCall = (endpoint: SavedEndpoint): RunCall => {
  if (!endpoint.is_active) throw notFound();
  return { endpoint, request: undefined };
};

/** Logs a call that throws: as refused when its run was not allowed, else as failed. */
export const logFault = async <T>(world: World, call: RunCall, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    await (call.request === undefined ? logRefusal(world, call.endpoint, error) : logFailure(world, call.request, error));
    throw error;
  }
};
