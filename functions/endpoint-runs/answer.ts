import { ApiError } from "../../lib/http/errors.ts";
import type { World } from "../../lib/world/world.ts";
import { compute, pinRun } from "./compute.ts";
import { readResult, type StoredResult, writeResult } from "./result-cache.ts";
import type { RunRequest } from "./run-request.ts";
import { type MaterialisedSource, sourceOf } from "./source.ts";

/** The rows of a run and the path that served them. */
export interface RunAnswer {
  readonly path: "live" | "kept" | "materialised";
  readonly result: Pick<StoredResult, "columns" | "rows" | "hasMore" | "computedAt">;
  /** Why a table of the version was not taken; null where it was, or where there is none. */
  readonly passedOver: string | null;
}

/** How old the rows are. */
export const ageSeconds = ({ result }: RunAnswer, now: number): number => Math.max(0, Math.round((now - result.computedAt) / 1_000));

/** The rows from the version's table where it serves, else the kept ones while they are good, else those of the events. Throws `QueryError`. */
export const answerRun = async (world: World, request: RunRequest): Promise<RunAnswer> => {
  const source = sourceOf(request);
  if (source.path === "live") return liveAnswer(world, request, source.passedOver);
  const read = await readTable(source);
  return read ?? liveAnswer(world, request, "read_failed");
};

/** A table that cannot be read is no fault of the caller's: undefined, and the events answer. */
const readTable = async (source: MaterialisedSource): Promise<RunAnswer | undefined> => {
  try {
    const rows = await source.read();
    return { path: "materialised", result: { ...rows, computedAt: source.refreshedAt }, passedOver: null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) throw error;
    return undefined;
  }
};

const liveAnswer = async (world: World, request: RunRequest, passedOver: string | null): Promise<RunAnswer> => {
  const kept = request.input.refresh === "cache" ? await readResult(world.objects, request.key) : undefined;
  if (kept !== undefined && isFresh(kept, request)) return { path: "kept", result: kept, passedOver };
  const pinned = await pinRun(world, request);
  if (kept !== undefined && kept.inputs === pinned.inputs) return { path: "kept", result: await renew(world, request, kept), passedOver };
  return { path: "live", result: await compute(world, request, pinned), passedOver };
};

/** What is learnt right after a version is made, such as the type of a new property, shows at once: its first rows are not kept. */
const SETTLED_MS = 60_000;

const isFresh = (kept: StoredResult, { now, version }: RunRequest): boolean =>
  now - kept.computedAt < version.data_freshness_seconds * 1000 && now - Date.parse(version.created_at) >= SETTLED_MS;

/** Rows whose inputs are unchanged are what computing would give now. */
const renew = async (world: World, { key, now }: RunRequest, kept: StoredResult): Promise<StoredResult> => {
  const result = { ...kept, computedAt: now };
  await writeResult(world.objects, key, result);
  return result;
};
