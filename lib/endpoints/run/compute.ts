import { jsonDigest } from "../../core/canonical-json.ts";
import type { EnginePorts } from "../../engine/engine.ts";
import { LOWERING } from "../../hogql/lower.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import { readCatalogueSnapshot } from "../../lake/pin.ts";
import type { EngineChoice } from "../definition.ts";
import type { Effort } from "../effort.ts";
import { inSlot, type SlotRequest } from "../in-slot.ts";
import { rememberVersion } from "../load.ts";
import { pinFor } from "../query/pin-for.ts";
import { keepFirstTypes, type VersionTypes } from "../query/version-types.ts";
import type { RunRequest } from "../run-request.ts";
import { type LoweringRequest, lowerFor } from "./lower-for.ts";
import { type FileBounds, type LoweredQueries, runQueries } from "./lowered-queries.ts";
import type { StoredResult } from "./result-cache.ts";

export type ComputedResult = Omit<StoredResult, "v">;

/** A run's queries over one state of the lake. */
export interface PinnedRun {
  readonly lowered: LoweredQueries;
  readonly pinned: PinnedState;
  /** A digest of all that the rows depend on. */
  readonly inputs: string;
}

/** Lowers the run's queries, for a reply or for a file, and pins the state of the lake that they read. Throws `QueryError`. */
export const pinRun = (world: EnginePorts, request: RunRequest, file?: FileBounds): Promise<PinnedRun> => {
  // What came over the query with the run alone is none of the version's.
  const keep = request.input.filtersOverride === undefined ? (learnt: VersionTypes) => keepTypes(world, request, learnt) : undefined;
  const { version, endpoint } = request;
  const asked = { ...request, types: version.property_types, namedBy: `query "${endpoint.name}"`, ...(file && { file }) };
  return pinQuery(world, asked, keep);
};

/** The same of a query that need not be saved; types that it asks for beyond its own are given to `keep`. Throws `QueryError`. */
export const pinQuery = async (
  world: EnginePorts,
  request: LoweringRequest,
  keep?: (learnt: VersionTypes) => Promise<void>,
): Promise<PinnedRun> => {
  const snapshot = readCatalogueSnapshot(world, request.project.id);
  snapshot.catch(() => undefined);
  const { made: lowered, learnt, namesKept } = await lowerFor(world.table, request);
  const pinning = pinFor(world, request.project.id, lowered.queries, snapshot);
  const [pinned] = await Promise.all([pinning, learnt !== null && keep?.(learnt), namesKept]);
  return { lowered, pinned, inputs: jsonDigest([LOWERING, pinned.digest, lowered.dependsOn()]) };
};

const keepTypes = async (world: EnginePorts, { endpoint, version }: RunRequest, learnt: VersionTypes): Promise<void> =>
  rememberVersion(world, endpoint, await keepFirstTypes(world.table, version, learnt));

/** Computed rows, and what they took. */
export interface Computed {
  readonly result: ComputedResult;
  readonly effort: Effort;
}

/** Computes the rows in one of the project's slots; what `keep` does with them is done while the slot is given back. */
export const compute = (
  world: EnginePorts,
  { engine, now, ...request }: SlotRequest & { readonly engine: EngineChoice; readonly now: number },
  { lowered, pinned, inputs }: PinnedRun,
  keep: (computed: Computed) => Promise<unknown>,
): Promise<Computed> => {
  const make = async (admitted: Promise<void>): Promise<Computed> => {
    const { rows, effort } = await runQueries(world, lowered, pinned, { admitted, engine });
    return { result: { computedAt: now, inputs, ...lowered.resultOf(rows) }, effort };
  };
  return inSlot(world, request, make, keep);
};
