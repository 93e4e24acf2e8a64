import { Unavailable } from "../core/unavailable.ts";
import type { EnginePorts } from "../engine/engine.ts";
import { QueryError } from "../hogql/errors.ts";
import type { Job } from "../jobs/jobs.ts";
import type { Ports } from "../ports/ports.ts";
import { Projects } from "../projects/projects.ts";
import { get } from "../table/store.ts";
import { makeVersion } from "./materialisation/make-version.ts";
import {
  beginRun,
  completeRun,
  failRun,
  forgetRun,
  leaveRun,
  type MadeTable,
  readVersion,
  tableKeys,
  tablesPrefix,
} from "./materialisation/runs.ts";
import { findMaterialisation, type Materialisation } from "./materialisations.ts";

/** The sentence for the author about a fault that is none of theirs. */
const FAULT = "The table could not be made because of a fault of the platform. It is tried again by itself.";

/** Nobody is left to say more when the platform ends a function; what did so once may do so again, so it is not tried again soon. */
const ENDED =
  "The run was ended from outside, most likely because it took too much memory or time. Group by fewer values, or a shorter time.";

/**
 * Makes a version's table anew if it is due, and deletes what nothing names any more. A query that fails ends in the state `Failed`
 * with its sentence and leaves the table before; so does a fault, which is thrown on afterwards. One that the platform's end breaks off
 * leaves no trace.
 */
export const refresh = async (world: EnginePorts, job: Job<"table">): Promise<void> => {
  const before = await findMaterialisation(world.table, job);
  if (before === undefined) return removeUnnamed(world, job, new Set());
  if (before.run !== null && before.run_until <= world.clock.now()) {
    await failRun(world, before, ENDED, before.freshness_seconds * 1000);
    return removeUnnamed(world, job, tableKeys({ ...before, run: null }));
  }
  const begun = await beginRun(world, job);
  if (begun === undefined) return;
  const key = tablesPrefix(job) + begun.run;
  try {
    const table = await makeBegunTable(world, begun, key);
    if (table === undefined) {
      await forgetRun(world, begun);
      return await removeUnnamed(world, job, new Set());
    }
    if (await completeRun(world, begun, table)) await world.objects.remove(begun.replaced);
    else await world.objects.remove([key]);
  } catch (thrown) {
    await world.objects.remove([key]);
    if (thrown instanceof Unavailable) return leaveRun(world, begun, before);
    await failRun(world, begun, thrown instanceof QueryError ? thrown.message : FAULT);
    if (!(thrown instanceof QueryError)) throw thrown;
  }
};

/** Everything below a version's tables that is not among these keys. */
const removeUnnamed = async ({ objects }: Pick<Ports, "objects">, job: Job<"table">, named: ReadonlySet<string>): Promise<void> => {
  let cursor: string | null = null;
  do {
    const page = await objects.list(tablesPrefix(job), cursor);
    const gone = page.objects.map(({ key }) => key).filter((key) => !named.has(key));
    if (gone.length > 0) await objects.remove(gone);
    cursor = page.cursor;
  } while (cursor !== null);
};

/** A run of the worker has no caller who waits, and ends with its function. */
const TIME_MS = 240_000;

/** Undefined where version or project are gone. */
const makeBegunTable = async (world: EnginePorts, begun: Materialisation, key: string): Promise<MadeTable | undefined> => {
  const [version, project] = await Promise.all([
    readVersion(world.table, begun),
    get(world.table, Projects, { id: begun.project }, { consistent: true }),
  ]);
  if (version === undefined || project === undefined || project.state === "removed") return undefined;
  const { bucket_overrides, table: before } = begun;
  return makeVersion(world, { project, version: { ...version, bucket_overrides }, key, before, timeMs: TIME_MS });
};
