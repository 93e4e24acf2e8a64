import { cache, perOwner } from "../core/cache.ts";
import { Busy } from "../core/concurrency.ts";
import { isYoung, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { EnginePorts } from "../engine/engine.ts";
import { readPinned } from "../engine/gone-file.ts";
import { QueryError } from "../hogql/errors.ts";
import type { Objects } from "../ports/objects.ts";
import type { Effort } from "./effort.ts";
import { type Computed, type ComputedResult, compute, pinRun } from "./run/compute.ts";
import { readResult, type StoredResult, writeResult } from "./run/result-cache.ts";
import { chooseSource, type LiveSource, liesInTable, type MaterialisedSource } from "./run/source.ts";
import type { RunRequest } from "./run-request.ts";
import type { EndpointVersion } from "./saved-endpoints.ts";

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
  if (found !== undefined && isFresh(found.result, request)) return asKept(remembered(objects, request, found));
  const pinned = await (pinning ?? pin());
  if (kept?.inputs === pinned.inputs) return asKept(await renew(world, request, kept));
  const asLive = ({ result, effort }: Computed): RunAnswer => ({ path: "live", result, isKept: false, effort, passedOver });
  const { engine } = request.version;
  const keep = (made: Computed) => Promise.all([keepResult(world.objects, request, made.result), record(asLive(made))]);
  return asLive(await readPinned(pinned, pin, (state) => compute(world, { ...request, engine }, state, keep)));
};

/** What is learnt right after a version is made, such as the type of a new property, shows at once: its first rows are not kept. */
const SETTLED_MS = MINUTE_MS;

const isFresh = ({ computedAt }: ComputedResult, { now, version }: RunRequest): boolean =>
  isYoung(computedAt, freshnessMs(version), now) && now - Date.parse(version.created_at) >= SETTLED_MS;

const freshnessMs = ({ data_freshness_seconds }: EndpointVersion): number => data_freshness_seconds * SECOND_MS;

const freshUntil = ({ computedAt }: ComputedResult, version: EndpointVersion): number => computedAt + freshnessMs(version);

/** Rows whose inputs are unchanged are what computing would give now. That they still are is written down some seconds apart. */
const renew = async (world: EnginePorts, request: RunRequest, kept: StoredResult): Promise<ComputedResult> => {
  const result = { ...kept, computedAt: request.now };
  if (Math.abs(request.now - kept.computedAt) >= RENEWED_EVERY_MS) await keepResult(world.objects, request, result);
  return result;
};

const RENEWED_EVERY_MS = 10 * SECOND_MS;

const keepResult = async (objects: Objects, request: RunRequest, result: ComputedResult): Promise<void> => {
  await writeResult(objects, request.key, result);
  memory(objects).read.delete(request.key);
  markKnown(objects, request, result);
};

/** What this process remembers of kept results, by their keys and for as long as they are fresh. */
const memory = perOwner((_: Objects) => ({
  /** Those that it knows to be there: of others the state of the lake is read side by side with the look whether there is a result. */
  known: cache<string, true>({ capacity: RESULTS_KNOWN }),
  /** Those that it has read some seconds ago, by their bytes: others may have computed them anew. */
  read: cache<string, { readonly result: StoredResult; readonly bytes: number }>({ capacity: RESULT_BYTES, weigh: ({ bytes }) => bytes }),
}));

const RESULTS_KNOWN = 10_000;
const RESULT_BYTES = 16_000_000;
const READ_LIFETIME_MS = 10 * SECOND_MS;
/** A larger one takes long to be sent, beside which reading it again is little. */
const MOST_RESULT_BYTES = 1_000_000;

const isKnownFresh = (objects: Objects, { key, now }: RunRequest): boolean => memory(objects).known.get(key, now) === true;

const rememberedResult = (objects: Objects, { key, now }: RunRequest): StoredResult | undefined =>
  memory(objects).read.get(key, now)?.result;

const remembered = (
  objects: Objects,
  request: RunRequest,
  found: { readonly result: StoredResult; readonly bytes: number },
): StoredResult => {
  const until = Math.min(request.now + READ_LIFETIME_MS, freshUntil(found.result, request.version));
  if (found.bytes <= MOST_RESULT_BYTES) memory(objects).read.set(request.key, found, until);
  markKnown(objects, request, found.result);
  return found.result;
};

const markKnown = (objects: Objects, { key, version }: RunRequest, result: ComputedResult): void =>
  memory(objects).known.set(key, true, freshUntil(result, version));
