import type { StoredQuery } from "../../lib/endpoint/definition.ts";
import { unpackAst } from "../../lib/endpoint/stored-ast.ts";
import type { Cell } from "../../lib/engine/engine.ts";
import type { EndpointVersion } from "../../lib/entities/saved-endpoints.ts";
import { LOWERING, lower, MAX_ROWS } from "../../lib/hogql/lower.ts";
import type { Lowered } from "../../lib/hogql/lowered.ts";
import { throttled } from "../../lib/http/errors.ts";
import type { GroupTypes } from "../../lib/lake/group-types.ts";
import { pin } from "../../lib/lake/pin.ts";
import type { Pinned } from "../../lib/lake/pinned.ts";
import type { World } from "../../lib/world/world.ts";
import { groupTypesOf } from "./group-types.ts";
import { digest, readResult, type StoredResult, writeResult } from "./result-cache.ts";
import { releasePlace, takePlace } from "./slots.ts";

/** A reply must fit what the gateway and the function can carry. */
const MAX_REPLY_BYTES = 5_500_000;
/** Refused for want of a place, a caller may try again after this. */
const BUSY_RETRY_SECONDS = 1;

/** One run as it was decided: which query, with which values, and under which name its result is kept. */
export interface Run {
  readonly id: string;
  readonly project: { readonly id: number; readonly timezone: string };
  readonly version: EndpointVersion;
  readonly query: StoredQuery;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly page: { readonly limit: number; readonly offset: number } | null;
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
  const { lowered, asksNow, ceiling } = lowerRun(run, await groupTypesOf(world.table, run.project.id, run.now));
  const pinned = await pinFor(world, lowered);
  const inputs = digest([LOWERING, pinned.digest, run.project.timezone, asksNow ? run.now : null]);
  if (kept !== undefined && kept.inputs === inputs) {
    const result = { ...kept, computedAt: run.now };
    await writeResult(world.objects, run.key, result);
    return { result, cached: true };
  }
  const limits = { timeMs: world.config.queryTimeMs, maxRows: MAX_ROWS + 1, maxReplyBytes: MAX_REPLY_BYTES };
  const compute = async () => {
    const { rows } = await world.engine.run(lowered, pinned, limits);
    return { computedAt: run.now, inputs, columns: lowered.columns, ...pageOf(run, rows, ceiling) };
  };
  const result = await inPlace(world, run, compute, (found) => writeResult(world.objects, run.key, found));
  return { result, cached: false };
};

const lowerRun = ({ version, project, now, variables, query, page }: Run, groupTypes: GroupTypes) =>
  lower(unpackAst(version.ast), {
    project: project.id,
    timezone: project.timezone,
    now,
    variables,
    values: query.values ?? {},
    filters: query.filters,
    groupTypes,
    page,
  });

const pinFor = (world: World, { project, scans }: Lowered): Promise<Pinned> => {
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

/** The page's rows, and whether there are more: the row behind the page is there, and the text's own LIMIT is not reached. */
const pageOf = (
  { page }: Run,
  rows: readonly (readonly Cell[])[],
  ceiling: bigint | null,
): { readonly rows: readonly (readonly Cell[])[]; readonly hasMore: boolean } => {
  if (page === null) return { rows, hasMore: false };
  const left = ceiling === null ? page.limit : Math.max(0, Number(ceiling) - page.offset);
  const shown = rows.slice(0, Math.min(page.limit, left));
  return { rows: shown, hasMore: rows.length > shown.length && (ceiling === null || page.offset + shown.length < Number(ceiling)) };
};

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
