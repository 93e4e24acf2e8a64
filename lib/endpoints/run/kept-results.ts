import { cache, perOwner } from "../../core/cache.ts";
import { isYoung, MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { Objects } from "../../ports/objects.ts";
import type { RunRequest } from "../run-request.ts";
import type { EndpointVersion } from "../saved-endpoints.ts";
import type { ComputedResult } from "./compute.ts";
import { type StoredResult, writeResult } from "./result-cache.ts";

/** What is learnt right after a version is made, such as the type of a new property, shows at once: its first rows are not kept. */
const SETTLED_MS = MINUTE_MS;

/** Whether the version serves rows computed then without a look at the events. */
export const isFresh = ({ computedAt }: ComputedResult, { now, version }: RunRequest): boolean =>
  isYoung(computedAt, freshnessMs(version), now) && now - Date.parse(version.created_at) >= SETTLED_MS;

const freshnessMs = ({ data_freshness_seconds }: EndpointVersion): number => data_freshness_seconds * SECOND_MS;

const freshUntil = ({ computedAt }: ComputedResult, version: EndpointVersion): number => computedAt + freshnessMs(version);

/** Keeps what a run computed, for this process and for all others. */
export const keepResult = async (objects: Objects, request: RunRequest, result: ComputedResult): Promise<void> => {
  await writeResult(objects, request.key, result);
  memory(objects).read.delete(request.key);
  markKnown(objects, request, result);
};

/** Rows whose inputs are unchanged are what computing would give now. That they still are is written down some seconds apart. */
export const renew = async (objects: Objects, request: RunRequest, kept: StoredResult): Promise<ComputedResult> => {
  const result = { ...kept, computedAt: request.now };
  if (Math.abs(request.now - kept.computedAt) >= RENEWED_EVERY_MS) await keepResult(objects, request, result);
  return result;
};

const RENEWED_EVERY_MS = 10 * SECOND_MS;

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

/** Whether this process knows of a kept result that is fresh, without having read it. */
export const isKnownFresh = (objects: Objects, { key, now }: RunRequest): boolean => memory(objects).known.get(key, now) === true;

/** A kept result that this process has read some seconds ago. */
export const rememberedResult = (objects: Objects, { key, now }: RunRequest): StoredResult | undefined =>
  memory(objects).read.get(key, now)?.result;

/** Remembers a fresh result that was read, and gives it. */
export const remember = (
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
