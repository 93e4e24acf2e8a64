import { DAY_MS, isoMicros, MINUTE_MS } from "../../core/time.ts";
import type { Ports } from "../../ports/ports.ts";
import { type Condition, ConditionFailed, type Table } from "../../ports/table.ts";
import { get, remove, update } from "../../table/store.ts";
import {
  findMaterialisation,
  type Materialisation,
  type MaterialisationKey,
  Materialisations,
  type MaterialisedTable,
  materialisationKey,
} from "../materialisations.ts";
import { type EndpointVersion, EndpointVersions } from "../saved-endpoints.ts";

/** The parts that a run of the worker needs to keep its state. */
type RunParts = Pick<Ports, "table" | "ids" | "clock">;

/** After a failure the next run comes this soon, where the table's own interval is longer; */
const AGAIN_MS = 15 * MINUTE_MS;
/** after each further one so many times as late, */
const GROWTH = 4;
/** and no later than this. */
const LATEST_MS = DAY_MS;

/** A run that was broken off because something was away is begun anew after this. */
const LEFT_MS = MINUTE_MS;

/**
 * Begins a run of a table that is due; undefined where it is not, another run is at it, or it was switched off. From `until` on it counts as
 * ended with its function, and another may begin.
 */
export const beginRun = async (
  { table, ids, clock }: RunParts,
  place: MaterialisationKey,
  until: number,
): Promise<Materialisation | undefined> => {
  const now = clock.now();
  const set = { status: "Running" as const, run: ids.ulid(), run_until: until, due_at: until };
  const free: Condition = {
    kind: "all",
    of: [{ kind: "present" }, { kind: "less", attribute: "run_until", value: now }, { kind: "less", attribute: "due_at", value: now + 1 }],
  };
  try {
    return await update(table, Materialisations, materialisationKey(place), { set }, free);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
};

/** A table as it was made, of which only the state knows what was asked for. */
export type MadeTable = Omit<MaterialisedTable, "wanted">;

/** Ends a run with its table. False where the table was switched off, or another run took its place: then nothing names this one. */
export const completeRun = async (parts: RunParts, begun: Materialisation, made: MadeTable): Promise<boolean> => {
  const now = parts.clock.now();
  const set = {
    status: "Completed" as const,
    error: "",
    last_materialized_at: isoMicros(made.as_of),
    run: null,
    run_until: 0,
    failures: 0,
    due_at: nextAt(made.as_of, begun.freshness_seconds),
    table: { ...made, wanted: begun.wanted },
    replaced: begun.table === null ? [] : [begun.table.key],
  };
  const isDone = await endRun(parts, begun, set);
  if (!isDone) return false;
  await followUp(parts, begun, now);
  return true;
};

/** Ends what has no version or project any more. */
export const forgetRun = async ({ table }: Pick<RunParts, "table">, begun: Materialisation): Promise<void> => {
  await remove(table, Materialisations, materialisationKey(begun), { kind: "equals", attribute: "run", value: begun.run }).catch(
    ignoreGone,
  );
};

/** The next table is made before this one is too old to serve. */
export const nextAt = (asOf: number, freshnessSeconds: number): number =>
  asOf + freshnessSeconds * 1000 - Math.min((freshnessSeconds * 1000) / 10, AHEAD_MS);
const AHEAD_MS = 300_000;

/** Ends a run without a table: the one before stays, and the next run comes by itself, the later the more have failed. */
export const failRun = async (parts: RunParts, begun: Materialisation, error: string, leastMs = 0): Promise<void> => {
  const now = parts.clock.now();
  const failures = begun.failures + 1;
  const ending = { status: "Failed" as const, error, run: null, run_until: 0, failures };
  const due_at = now + Math.max(leastMs, againMs(begun.freshness_seconds, failures));
  if (await endRun(parts, begun, { ...ending, due_at })) await followUp(parts, begun, now);
};

/** Milliseconds from a failure, which is one of so many in a row, to the next run. */
export const againMs = (freshnessSeconds: number, failures: number): number =>
  Math.min(Math.min(freshnessSeconds * 1000, AGAIN_MS) * GROWTH ** (failures - 1), LATEST_MS);

/** Gives up a run that was broken off because the platform ends, or something is away: it is as it was before, and due again soon. */
export const leaveRun = async (
  parts: RunParts,
  begun: Materialisation,
  { status, error }: Pick<Materialisation, "status" | "error">,
): Promise<void> => {
  await endRun(parts, begun, { status, error, run: null, run_until: 0, due_at: parts.clock.now() + LEFT_MS });
};

type Ending = Partial<Omit<Materialisation, keyof MaterialisationKey>>;

const endRun = async ({ table }: RunParts, begun: Materialisation, set: Ending): Promise<boolean> => {
  try {
    await update(table, Materialisations, materialisationKey(begun), { set }, { kind: "equals", attribute: "run", value: begun.run });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};

/** A run that was asked for while another was at work is due at once, whatever became of that one. */
const followUp = async (parts: RunParts, begun: Materialisation, now: number): Promise<void> => {
  const set = { due_at: now, failures: 0 };
  const asked: Condition = { kind: "less", attribute: "due_at", value: Number.MAX_SAFE_INTEGER };
  const after = await findMaterialisation(parts.table, begun);
  if (after === undefined || after.wanted === begun.wanted) return;
  await update(parts.table, Materialisations, materialisationKey(begun), { set }, asked).catch(ignoreGone);
};

const ignoreGone = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error;
};

/** The version of a materialisation; undefined when it is gone. */
export const readVersion = (table: Table, place: MaterialisationKey): Promise<EndpointVersion | undefined> =>
  get(table, EndpointVersions, materialisationKey(place), { consistent: true });
