import { Busy } from "../core/concurrency.ts";
import type { EnginePorts } from "../engine/engine.ts";
import { readPinned } from "../engine/gone-file.ts";
import { QueryError } from "../hogql/errors.ts";
import type { Effort } from "./effort.ts";
import { type Computed, compute, pinRun } from "./run/compute.ts";
import { isFresh, isKnownFresh, keepResult, remember, rememberedResult, renew } from "./run/kept-results.ts";
import { readResult, type StoredResult } from "./run/result-cache.ts";
import { chooseSource, type LiveSource, liesInTable, type MaterialisedSource } from "./run/source.ts";
import type { RunRequest } from "./run-request.ts";

/** The rows of a run and the path that served them. */
export interface RunAnswer {
  readonly path: "live" | "kept" | "materialised";
  readonly result: Pick<StoredResult, "columns" | "rows" | "hasMore" | "computedAt">;
  /** An earlier answer is given again; of a table, what was read of it before. */
  readonly isKept: boolean;
  /** What it took to compute them now; null of rows that were there. */
  readonly effort: Effort | null;
  /** Why a table of the version was not taken; null where it was, or where there is none. */
  readonly passedOver: string | null;
}

/**
 * Whether a table may serve a further run like this one, which none served: there was none, or it was at fault. One that was passed over
 * for what this run asked for serves none that asks the same.
 */
export const mayBeServedLater = ({ path, passedOver }: RunAnswer): boolean =>
  path !== "materialised" && (passedOver === null || liesInTable(passedOver));

/** Records that a run was answered so. */
type RecordAnswer = (answer: RunAnswer) => Promise<void>;

/**
 * The rows from the version's table where it serves, else the kept ones while they are good, else those of the events. Each
 * answer is recorded before it is given, as a function that has answered may stand still; a computed one while it is kept. Throws `QueryError`.
 */
export const answerRun = async (world: EnginePorts, request: RunRequest, record: RecordAnswer): Promise<RunAnswer> => {
  const source = chooseSource(world, request);
  const read = source.path === "materialised" ? await readTable(source) : source;
  const answer = read.path === "materialised" ? read : await liveAnswer(world, request, read.passedOver, record);
  if (answer.path !== "live") await record(answer);
  return answer;
};

/** A table that cannot be read is no fault of the caller's: the events answer. */
const readTable = async (source: MaterialisedSource): Promise<(RunAnswer & { readonly path: "materialised" }) | LiveSource> => {
  try {
    const found = await source.read();
    if (found === undefined) return { path: "live", passedOver: "others" };
    const { rows, isKept } = found;
    return { path: "materialised", result: { ...rows, computedAt: source.refreshedAt }, isKept, effort: null, passedOver: null };
  } catch (error) {
    // Computing from the events would only add to what the engine has to do.
    if (error instanceof Busy) throw error;
    // No fault of the table's: the events would only give as much again.
    if (error instanceof QueryError && error.code === "query_too_large") throw error;
    return { path: "live", passedOver: "read_failed" };
  }
};

/**
 * For a run that takes kept rows: these while they are fresh, or while what they were computed from is unchanged. Else, and for any other
 * run, computed ones, which are kept. The state of the lake is pinned while kept rows are looked for, which saves that time where there are
 * none; not where fresh ones are known to be there.
 */
const liveAnswer = async (world: EnginePorts, request: RunRequest, passedOver: string | null, record: RecordAnswer): Promise<RunAnswer> => {
  const isCached = request.input.refresh === "cache";
  const asKept = (result: RunAnswer["result"]): RunAnswer => ({ path: "kept", result, isKept: true, effort: null, passedOver });
  const { objects } = world;
  const known = isCached ? rememberedResult(objects, request) : undefined;
  if (known !== undefined) return asKept(known);
  const pin = () => pinRun(world, request);
  const pinning = isCached && isKnownFresh(objects, request) ? undefined : pin();
  pinning?.catch(() => undefined);
  const found = isCached ? await readResult(objects, request.key) : undefined;
  const kept = found?.result;
  if (found !== undefined && isFresh(found.result, request)) return asKept(remember(objects, request, found));
  const pinned = await (pinning ?? pin());
  if (kept?.inputs === pinned.inputs) return asKept(await renew(objects, request, kept));
  const asLive = ({ result, effort }: Computed): RunAnswer => ({ path: "live", result, isKept: false, effort, passedOver });
  const { engine } = request.version;
  const keep = (made: Computed) => Promise.all([keepResult(objects, request, made.result), record(asLive(made))]);
  return asLive(await readPinned(pinned, pin, (state) => compute(world, { ...request, engine }, state, keep)));
};
