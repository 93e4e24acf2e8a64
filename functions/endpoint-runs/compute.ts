import type { Rows } from "../../lib/engine/engine.ts";
import type { EndpointVersion } from "../../lib/entities/saved-endpoints.ts";
import type { LowerOptions } from "../../lib/hogql/analysis/options.ts";
import { usedNames } from "../../lib/hogql/analysis/used-names.ts";
import { QueryError } from "../../lib/hogql/errors.ts";
import { LOWERING } from "../../lib/hogql/lower.ts";
import type { Lowered } from "../../lib/hogql/lowered.ts";
import { mayNameNewGroup } from "../../lib/hogql/schema/group-names.ts";
import { throttled } from "../../lib/http/errors.ts";
import { pin } from "../../lib/lake/catalogue/pin.ts";
import type { Pinned } from "../../lib/lake/catalogue/pinned.ts";
import { withPropertyTypes } from "../../lib/lake/property-types/remembered-types.ts";
import type { World } from "../../lib/world/world.ts";
import type { Asked } from "./ask.ts";
import { groupTypesFor } from "./group-types.ts";
import { readMovedFingerprints } from "./moved-fingerprints.ts";
import { type Prepared, prepare, treesOf } from "./prepare.ts";
import { digest, readResult, type StoredResult, writeResult } from "./result-cache.ts";
import { releasePlace, takePlace } from "./slots.ts";

/** Refused for want of a place, a caller may try again after this. */
const BUSY_RETRY_SECONDS = 1;

const TIMEOUT = "The queries of this insight took longer than one run may. Shorten its dates, or split it into several insights.";

/** One run as it was decided: which query, with which values in it, and under which name its result is kept. */
export interface Run {
  readonly id: string;
  readonly project: { readonly id: number; readonly timezone: string };
  readonly version: EndpointVersion;
  readonly asked: Asked;
  readonly key: string;
  readonly now: number;
}

export interface Result {
  readonly result: Omit<StoredResult, "v">;
  readonly cached: boolean;
}

/** The result for a run that may have a kept one: that while it is fresh or its inputs are unchanged, else a computed one. */
export const cachedResult = async (world: World, run: Run): Promise<Result> => {
  const kept = await readResult(world.objects, run.key);
  if (kept !== undefined && run.now - kept.computedAt < run.version.data_freshness_seconds * 1000) return { result: kept, cached: true };
  return computeResult(world, run, kept);
};

/** Computes the result and keeps it; a `kept` one whose inputs are unchanged is taken as computed now. */
export const computeResult = async (world: World, run: Run, kept?: StoredResult): Promise<Result> => {
  const prepared = await preparedRun(world, run);
  const pinned = await pinFor(world, run.project.id, prepared.queries);
  const inputs = digest([LOWERING, pinned.digest, prepared.dependsOn()]);
  if (kept !== undefined && kept.inputs === inputs) {
    const result = { ...kept, computedAt: run.now };
    await writeResult(world.objects, run.key, result);
    return { result, cached: true };
  }
  const compute = async () => ({ computedAt: run.now, inputs, ...prepared.resultOf(await rowsOf(world, prepared, pinned)) });
  const result = await inPlace(world, run, compute, (found) => writeResult(world.objects, run.key, found));
  return { result, cached: false };
};

/** The run's queries, lowered with what the project has of the names in them. */
const preparedRun = async ({ table }: World, { asked, project, now }: Run): Promise<Prepared> => {
  const used = usedNames(treesOf(asked, { project, now }));
  const groupTypes = await groupTypesFor(table, project.id, now, (known) => mayNameNewGroup(used, known));
  const movedFingerprints = used.mentioned.has("issue_id") ? await readMovedFingerprints(table, project.id) : [];
  const lowered = (propertyType: NonNullable<LowerOptions["propertyType"]>): Prepared =>
    prepare(asked, { project, now, groupTypes, movedFingerprints, propertyType });
  return (await withPropertyTypes(table, project.id, now, used.properties(groupTypes), lowered)).made;
};

/** The rows of each query, one after the other, all over one state of the lake and within the time of one run. */
const rowsOf = async (
  { engine, config }: World,
  { queries, maxRows, maxBytes, tooLarge }: Prepared,
  pinned: Pinned,
): Promise<readonly Rows["rows"][]> => {
  const started = performance.now();
  const results: Rows["rows"][] = [];
  for (const query of queries) {
    const timeMs = Math.ceil(config.queryTimeMs - (performance.now() - started));
    if (timeMs <= 0) throw new QueryError("query_timeout", TIMEOUT);
    const { rows } = await engine.run(query, pinned, { timeMs, maxRows, maxReplyBytes: maxBytes }).catch((thrown: unknown) => {
      if (tooLarge !== undefined && thrown instanceof QueryError && thrown.code === "query_too_large") {
        throw new QueryError("query_too_large", tooLarge);
      }
      throw thrown;
    });
    results.push(rows);
  }
  return results;
};

const pinFor = (world: World, project: number, queries: readonly Lowered[]): Promise<Pinned> => {
  const scans = queries.flatMap((query) => query.scans);
  const events = scans.filter((scan) => scan.kind === "events");
  const state = scans.some((scan) => scan.kind !== "events" || scan.columns.includes("person_id"));
  const range = {
    from: widest(
      events.map(({ from }) => from),
      -1n,
    ),
    to: widest(
      events.map(({ to }) => to),
      1n,
    ),
  };
  return pin(world, project, range, { events: events.length > 0, state });
};

/** The bound that contains all of them: open as soon as one is. `direction` is -1 for the least and 1 for the greatest. */
const widest = (bounds: readonly (bigint | null)[], direction: -1n | 1n): bigint | null =>
  bounds.reduce<bigint | null>((a, b) => (a === null || b === null ? null : (b - a) * direction > 0n ? b : a), bounds[0] ?? null);

/** Computes in one of the project's places, which is given back while what was found is kept. */
const inPlace = async <T>(world: World, run: Run, compute: () => Promise<T>, keep: (found: T) => Promise<void>): Promise<T> => {
  const waiting = { now: () => world.clock.now(), wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)) };
  const place = await takePlace(world.table, run.project.id, run.id, world.config.concurrentRuns, waiting);
  if (place === undefined) throw throttled(BUSY_RETRY_SECONDS);
  const release = (): Promise<void> => releasePlace(world.table, run.project.id, place);
  const found = await compute().catch(async (thrown: unknown) => {
    await release();
    throw thrown;
  });
  await Promise.all([release(), keep(found)]);
  return found;
};
