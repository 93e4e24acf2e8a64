import { isoMicros } from "../../core/time.ts";
import { sendJobs } from "../../jobs/jobs.ts";
import { tableKey } from "../../lake/paths.ts";
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
type RunParts = Pick<Ports, "table" | "queues" | "ids" | "clock">;

/** A run that takes longer than this was ended with its function, and another may begin. */
export const RUN_MS = 360_000;

/** After a failure the next run comes this soon, where the table's own interval is longer. */
const AGAIN_MS = 900_000;

/** Where the objects of a version's tables begin. */
export const tablesPrefix = ({ project, endpoint_id, version }: MaterialisationKey): string =>
  tableKey(project, `${endpoint_id}/${version}`, "");

/** Every object that a materialisation names, that of the run in work among them. */
export const tableKeys = (one: Materialisation): ReadonlySet<string> =>
  new Set([...one.replaced, ...(one.table === null ? [] : [one.table.key]), ...(one.run === null ? [] : [tablesPrefix(one) + one.run])]);

/** Begins a run of a table that is due; undefined where it is not, another run is at it, or it was switched off. */
export const beginRun = async ({ table, ids, clock }: RunParts, place: MaterialisationKey): Promise<Materialisation | undefined> => {
  const now = clock.now();
  const set = { status: "Running" as const, run: ids.ulid(), run_until: now + RUN_MS, due_at: now + RUN_MS };
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

/** Ends a run without a table: the one before stays, and the next run comes by itself. */
export const failRun = async (
  parts: RunParts,
  begun: Materialisation,
  error: string,
  againMs = Math.min(begun.freshness_seconds * 1000, AGAIN_MS),
): Promise<void> => {
  const now = parts.clock.now();
  const due_at = now + againMs;
  if (await endRun(parts, begun, { status: "Failed", error, run: null, run_until: 0, due_at })) await followUp(parts, begun, now);
};

/** Gives up a run that the platform's end broke off: it is as it was before, and due at once. */
export const leaveRun = async (
  parts: RunParts,
  begun: Materialisation,
  { status, error }: Pick<Materialisation, "status" | "error">,
): Promise<void> => {
  await endRun(parts, begun, { status, error, run: null, run_until: 0, due_at: parts.clock.now() });
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

/** A run that was asked for while another was at work is begun at once. */
const followUp = async (parts: RunParts, begun: Materialisation, now: number): Promise<void> => {
  const set = { due_at: now };
  const asked: Condition = { kind: "less", attribute: "due_at", value: Number.MAX_SAFE_INTEGER };
  const after = await findMaterialisation(parts.table, begun);
  if (after === undefined || after.wanted === begun.wanted) return;
  await update(parts.table, Materialisations, materialisationKey(begun), { set }, asked).catch(ignoreGone);
  await sendJobs(parts.queues, [{ kind: "table", ...materialisationKey(begun) }]);
};

const ignoreGone = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error;
};

/** The version of a materialisation; undefined when it is gone. */
export const readVersion = (table: Table, place: MaterialisationKey): Promise<EndpointVersion | undefined> =>
  get(table, EndpointVersions, materialisationKey(place), { consistent: true });
