import { pinFor } from "../../../lib/endpoint/pin-for.ts";
import type { Rows } from "../../../lib/engine/engine.ts";
import { Busy } from "../../../lib/engine/query/process/turns.ts";
import type { LowerOptions } from "../../../lib/hogql/analysis/options.ts";
import { usedNames } from "../../../lib/hogql/analysis/used-names.ts";
import { QueryError } from "../../../lib/hogql/errors.ts";
import { LOWERING } from "../../../lib/hogql/lower.ts";
import { mayNameNewGroup } from "../../../lib/hogql/schema/group-names.ts";
import { throttled } from "../../../lib/http/errors.ts";
import { sight } from "../../../lib/lake/catalogue/pin.ts";
import type { Pinned } from "../../../lib/lake/catalogue/pinned.ts";
import { withPropertyTypes } from "../../../lib/lake/property-types/remembered-types.ts";
import type { World } from "../../../lib/world/world.ts";
import type { RunRequest } from "../run-request.ts";
import { groupTypesFor } from "./group-types.ts";
import { type LoweredRun, lowerRun, treesOf } from "./lowered-run.ts";
import { readMovedFingerprints } from "./moved-fingerprints.ts";
import { digest, type StoredResult } from "./result-cache.ts";
import { holdSlot, type Repeat, takeSlot } from "./run-slots.ts";

/** Refused for want of a slot, a caller may try again after this. */
const BUSY_RETRY_SECONDS = 1;

const TIMEOUT = "The queries of this insight took longer than one run may. Shorten its dates, or split it into several insights.";

export type ComputedResult = Omit<StoredResult, "v">;

/** A run's queries over one state of the lake. */
export interface PinnedRun {
  readonly lowered: LoweredRun;
  readonly pinned: Pinned;
  /** A digest of all that the rows depend on. */
  readonly inputs: string;
}

/** Lowers the run's queries and pins the state of the lake that they read. Throws `QueryError`. */
export const pinRun = async (world: World, request: RunRequest): Promise<PinnedRun> => {
  const sighting = sight(world, request.project.id);
  sighting.catch(() => undefined);
  const lowered = await loweredFor(world, request);
  const pinned = await pinFor(world, request.project.id, lowered.queries, sighting);
  return { lowered, pinned, inputs: digest([LOWERING, pinned.digest, lowered.dependsOn()]) };
};

/** Computes the rows in one of the project's slots; what `keep` does with them is done while the slot is given back. */
export const compute = (
  world: World,
  request: RunRequest,
  { lowered, pinned, inputs }: PinnedRun,
  keep: (result: ComputedResult) => Promise<unknown>,
): Promise<ComputedResult> =>
  inSlot(
    world,
    request,
    async (admitted) => ({ computedAt: request.now, inputs, ...lowered.resultOf(await rowsOf(world, lowered, pinned, admitted)) }),
    keep,
  );

/** The run's queries, lowered with what the project has of the names in them. */
const loweredFor = async ({ table }: World, { query, project, now }: RunRequest): Promise<LoweredRun> => {
  const used = usedNames(treesOf(query, { project, now }));
  const groupTypes = await groupTypesFor(table, project.id, now, (known) => mayNameNewGroup(used, known));
  const movedFingerprints = used.mentioned.has("issue_id") ? await readMovedFingerprints(table, project.id) : [];
  const lowered = (propertyType: NonNullable<LowerOptions["propertyType"]>): LoweredRun =>
    lowerRun(query, { project, now, groupTypes, movedFingerprints, propertyType });
  return (await withPropertyTypes(table, project.id, now, used.properties(groupTypes), lowered)).made;
};

/** The rows of each query, one after the other, all over one state of the lake and within the time of one run. */
const rowsOf = async (
  { engine, config }: World,
  { queries, maxRows, maxBytes, tooLarge }: LoweredRun,
  pinned: Pinned,
  admitted: Promise<void>,
): Promise<readonly Rows["rows"][]> => {
  const started = performance.now();
  const results: Rows["rows"][] = [];
  for (const query of queries) {
    const timeMs = Math.ceil(config.queryTimeMs - (performance.now() - started));
    if (timeMs <= 0) throw new QueryError("query_timeout", TIMEOUT);
    const { rows } = await engine.run(query, pinned, { timeMs, maxRows, maxReplyBytes: maxBytes, admitted }).catch((thrown: unknown) => {
      if (tooLarge !== undefined && thrown instanceof QueryError && thrown.code === "query_too_large") {
        throw new QueryError("query_too_large", tooLarge);
      }
      throw thrown;
    });
    results.push(rows);
  }
  return results;
};

/** Computes in one of the project's slots, which is taken while files are fetched, and given back while what was made is kept. */
const inSlot = async <T>(
  world: World,
  { project, id }: RunRequest,
  make: (admitted: Promise<void>) => Promise<T>,
  keep: (made: T) => Promise<unknown>,
): Promise<T> => {
  const waiting = { now: () => world.clock.now(), wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)) };
  const taking = takeSlot(world.table, project.id, id, world.config.concurrentRuns, waiting);
  const holding = taking.then((slot) => {
    if (slot === undefined) throw throttled(BUSY_RETRY_SECONDS);
    return holdSlot(world.table, project.id, slot, id, waiting.now, repeat);
  });
  const admitted = holding.then(() => undefined);
  // Where fetching fails first, nobody asks any more.
  admitted.catch(() => undefined);
  const release = async (): Promise<void> => {
    const held = await holding.catch(() => undefined);
    await held?.release();
  };
  const made = await make(admitted).catch(async (thrown: unknown) => {
    await release();
    throw thrown instanceof Busy ? throttled(BUSY_RETRY_SECONDS) : thrown;
  });
  await Promise.all([release(), keep(made)]);
  return made;
};

const repeat: Repeat = (everyMs, task) => {
  const timer = setInterval(task, everyMs);
  return () => clearInterval(timer);
};
