import type { EnginePorts } from "../engine/engine.ts";
import { readPinned } from "../engine/gone-file.ts";
import { QueryError } from "../hogql/errors.ts";
import { queryProblem } from "./query-problem.ts";
import { type Computed, compute, pinRun } from "./run/compute.ts";
import type { FileBounds } from "./run/lowered-queries.ts";
import type { RunRequest } from "./run-request.ts";

const MIB = 1_048_576;

/** What one file may hold: they are in memory together, several times as large, before they are written. */
const FILE_BOUNDS: FileBounds = {
  rows: 500_000,
  bytes: 32 * MIB,
  tooLarge:
    "The rows are more than a file may hold: 500,000, or 32 MB of JSON. Select fewer columns, or give the query a variable for its dates and export it in parts.",
};

/**
 * All rows of a run of SQL, for a file: of a query without a LIMIT not the first hundred alone. They are computed from the events, in one
 * of the project's slots and within the time of a run. Throws 400, and `Busy` where no slot comes free.
 */
export const fileRows = async (world: EnginePorts, request: RunRequest): Promise<Computed> => {
  const pin = () => pinRun(world, request, FILE_BOUNDS);
  const { engine } = request.version;
  try {
    return await readPinned(await pin(), pin, (state) => compute(world, { ...request, engine }, state, async () => undefined));
  } catch (thrown) {
    throw thrown instanceof QueryError ? queryProblem(thrown, request.query) : thrown;
  }
};
