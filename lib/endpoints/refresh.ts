import { Unavailable } from "../core/unavailable.ts";
import type { EnginePorts } from "../engine/engine.ts";
import { QueryError } from "../hogql/errors.ts";
import { Projects } from "../projects/projects.ts";
import { get } from "../table/store.ts";
import { makeVersion } from "./materialisation/make-version.ts";
import { beginRun, completeRun, failRun, forgetRun, leaveRun, type MadeTable, readVersion } from "./materialisation/runs.ts";
import { findMaterialisation, type Materialisation, type MaterialisationKey } from "./materialisations.ts";
import { runTimeMs } from "./run-time.ts";
import { removeUnnamedTables, tablesPrefix } from "./table-files.ts";

/** The sentence for the author about a fault that is none of theirs. */
const FAULT = "The table could not be made because of a fault of the platform. It is tried again by itself.";

/** Nobody is left to say more when the platform ends a function; what did so once may do so again, so it is not tried again soon. */
const ENDED =
  "The run was ended from outside, most likely because it took too much memory or time. Group by fewer values, or a shorter time.";

/**
 * Makes a version's table anew if it is due, in a run that may hold its place until then. A query that fails ends in the state `Failed`
 * with its sentence and leaves the table before; so does a fault, which is thrown on afterwards. One that is broken off leaves no trace, and
 * one whose table is switched off meanwhile is ended.
 */
export const refresh = async (world: EnginePorts, place: MaterialisationKey, until: number): Promise<void> => {
  const before = await findMaterialisation(world.table, place);
  if (before === undefined) return;
  if (before.run !== null && before.run_until <= world.clock.now()) {
    await failRun(world, before, ENDED, before.freshness_seconds * 1000);
    return removeUnnamedTables(world, place);
  }
  const begun = await beginRun(world, place, until);
  if (begun === undefined) return;
  const key = tablesPrefix(place) + begun.run;
  const wanted = watchWanted(world, begun);
  try {
    const table = await makeBegunTable(world, begun, key, wanted.signal);
    if (table === undefined) {
      await forgetRun(world, begun);
      return await removeUnnamedTables(world, place);
    }
    if (await completeRun(world, begun, table)) await world.objects.remove(begun.replaced);
    else await world.objects.remove([key]);
  } catch (thrown) {
    await world.objects.remove([key]);
    if (wanted.signal.aborted) return;
    if (thrown instanceof Unavailable) return leaveRun(world, begun, before);
    await failRun(world, begun, thrown instanceof QueryError ? thrown.message : FAULT);
    if (!(thrown instanceof QueryError)) throw thrown;
  } finally {
    wanted.stop();
  }
};

/** How often a run looks whether anybody still wants its table. */
const LOOK_MS = 5_000;

/** Aborts once a run is not the one that its table names, because it was switched off or went with its endpoint. */
const watchWanted = ({ table }: Pick<EnginePorts, "table">, begun: Materialisation) => {
  const unwanted = new AbortController();
  const look = async (): Promise<void> => {
    const now = await findMaterialisation(table, begun);
    if (now?.run !== begun.run) unwanted.abort(new Unavailable("The table is not wanted any more."));
  };
  // What cannot be looked at now is looked at again.
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  return { signal: unwanted.signal, stop: () => clearInterval(looking) };
};

/** Undefined where version or project are gone. */
const makeBegunTable = async (
  world: EnginePorts,
  begun: Materialisation,
  key: string,
  signal: AbortSignal,
): Promise<MadeTable | undefined> => {
  const [version, project] = await Promise.all([
    readVersion(world.table, begun),
    get(world.table, Projects, { id: begun.project }, { consistent: true }),
  ]);
  if (version === undefined || project === undefined || project.state === "removed") return undefined;
  const { bucket_overrides, table: before } = begun;
  const timeMs = runTimeMs(begun);
  return makeVersion(world, { project, version: { ...version, bucket_overrides }, key, before, timeMs, signal });
};
