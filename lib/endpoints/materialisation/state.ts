import { isoMicros } from "../../core/time.ts";
import { type Job, sendJobs } from "../../jobs/jobs.ts";
import { tableKey } from "../../lake/catalogue/paths.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Queues } from "../../ports/queues.ts";
import { type Condition, ConditionFailed, type Table } from "../../ports/table.ts";
import { get, getMany, list, put, remove, update } from "../../table/store.ts";
import { type Materialisation, Materialisations, type MaterialisedTable } from "../materialisations.ts";
import { type EndpointVersion, EndpointVersions, type SavedEndpoint } from "../saved-endpoints.ts";

/** What switching on and off needs of the world. */
export interface StateParts {
  readonly table: Table;
  readonly queues: Queues;
  readonly ids: Ids;
  readonly clock: { now(): number };
}

type MaterialisationKey = Pick<Materialisation, "project" | "endpoint_id" | "version">;

const placeOf = ({ project, endpoint_id, version }: MaterialisationKey): MaterialisationKey => ({ project, endpoint_id, version });

const ofVersion = (version: EndpointVersion): MaterialisationKey => placeOf(version);

/** A run that takes longer than this was ended with its function, and another may begin. */
export const RUN_MS = 360_000;

/** After a failure the next run comes this soon, where the table's own interval is longer. */
const AGAIN_MS = 900_000;

export const findMaterialisation = (table: Table, version: EndpointVersion): Promise<Materialisation | undefined> =>
  findPlaced(table, ofVersion(version));

/** The materialisation of this place. */
export const findPlaced = (table: Table, place: MaterialisationKey): Promise<Materialisation | undefined> =>
  get(table, Materialisations, placeOf(place), { consistent: true });

/** Those of several versions. */
export const materialisationsOf = (table: Table, versions: readonly EndpointVersion[]): Promise<readonly Materialisation[]> =>
  getMany(table, Materialisations, versions.map(ofVersion), { consistent: true });

/** Switches a version's table on and asks for its first run; one that is on already gets what changed, and is made anew if it must be. */
export const enable = async (parts: StateParts, endpoint: SavedEndpoint, version: EndpointVersion): Promise<Materialisation> => {
  const now = parts.clock.now();
  const before = await findMaterialisation(parts.table, version);
  const made = before === undefined ? firstState(parts.ids.uuid(), endpoint, version, now) : changedState(before, version, now);
  try {
    await put(parts.table, Materialisations, made, before === undefined ? { kind: "absent" } : unchanged(before));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // A run ended, or another request switched it on, in between: what stands there now is changed in turn.
    return enable(parts, endpoint, version);
  }
  if (made.due_at <= now) await sendJobs(parts.queues, [refreshOf(made)]);
  return made;
};

const unchanged = ({ wanted, status, run }: Materialisation): Condition => ({
  kind: "all",
  of: [
    { kind: "equals", attribute: "wanted", value: wanted },
    { kind: "equals", attribute: "status", value: status },
    { kind: "equals", attribute: "run", value: run },
  ],
});

const firstState = (id: string, endpoint: SavedEndpoint, version: EndpointVersion, now: number): Materialisation => ({
  ...ofVersion(version),
  id,
  endpoint_name: endpoint.name,
  freshness_seconds: version.data_freshness_seconds,
  bucket_overrides: version.bucket_overrides,
  status: "Unknown",
  error: "",
  last_materialized_at: null,
  wanted: 1,
  run: null,
  run_until: 0,
  due_at: now,
  table: null,
  replaced: [],
});

const changedState = (before: Materialisation, version: EndpointVersion, now: number): Materialisation => {
  const { bucket_overrides, data_freshness_seconds: freshness_seconds } = version;
  const isRebuilt = JSON.stringify(bucket_overrides) !== JSON.stringify(before.bucket_overrides);
  const status = isRebuilt && before.status !== "Running" ? "Modified" : before.status;
  const due = before.last_materialized_at === null ? now : nextAt(Date.parse(before.last_materialized_at), freshness_seconds);
  return {
    ...before,
    bucket_overrides,
    freshness_seconds,
    status,
    wanted: before.wanted + (isRebuilt ? 1 : 0),
    due_at: isRebuilt ? now : before.status === "Completed" ? due : before.due_at,
  };
};

export const refreshOf = ({ project, endpoint_id, version }: MaterialisationKey): Job<"table"> => ({
  kind: "table",
  project,
  endpoint_id,
  version,
});

/** Switches the tables of these versions off: no run reads them from here on, and the worker deletes what they were. */
export const disable = async (parts: Pick<StateParts, "table" | "queues">, versions: readonly EndpointVersion[]): Promise<void> => {
  const found = await materialisationsOf(parts.table, versions);
  for (const one of found) await drop(parts, one);
};

/** Switches off the tables of all versions of an endpoint. */
export const disableAll = async (
  parts: Pick<StateParts, "table" | "queues">,
  { project, id: endpoint_id }: Pick<SavedEndpoint, "project" | "id">,
): Promise<void> => {
  for (const one of await list(parts.table, Materialisations, "key", { project, endpoint_id }, { consistent: true }))
    await drop(parts, one);
};

const drop = async ({ table, queues }: Pick<StateParts, "table" | "queues">, one: Materialisation): Promise<void> => {
  await remove(table, Materialisations, placeOf(one));
  await sendJobs(queues, [refreshOf(one)]);
};

/** Where the objects of a version's tables begin. */
export const tablesOf = ({ project, endpoint_id, version }: MaterialisationKey): string =>
  tableKey(project, `${endpoint_id}/${version}`, "");

/** Every object that a materialisation names, that of the run in work among them. */
export const keysOf = (one: Materialisation): ReadonlySet<string> =>
  new Set([...one.replaced, ...(one.table === null ? [] : [one.table.key]), ...(one.run === null ? [] : [tablesOf(one) + one.run])]);

/** Begins a run of a table that is due; undefined where it is not, another run is at it, or it was switched off. */
export const beginRun = async ({ table, ids, clock }: StateParts, place: MaterialisationKey): Promise<Materialisation | undefined> => {
  const now = clock.now();
  const set = { status: "Running" as const, run: ids.ulid(), run_until: now + RUN_MS, due_at: now + RUN_MS };
  const free: Condition = {
    kind: "all",
    of: [{ kind: "present" }, { kind: "less", attribute: "run_until", value: now }, { kind: "less", attribute: "due_at", value: now + 1 }],
  };
  try {
    return await update(table, Materialisations, placeOf(place), { set }, free);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
};

/** A table as it was made, of which only the state knows what was asked for. */
export type MadeTable = Omit<MaterialisedTable, "wanted">;

/** Ends a run with its table. False where the table was switched off, or another run took its place: then nothing names this one. */
export const completeRun = async (parts: StateParts, begun: Materialisation, made: MadeTable): Promise<boolean> => {
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
export const forgetRun = async ({ table }: Pick<StateParts, "table">, begun: Materialisation): Promise<void> => {
  await remove(table, Materialisations, placeOf(begun), { kind: "equals", attribute: "run", value: begun.run }).catch(ignoreGone);
};

/** The next table is made before this one is too old to serve. */
const nextAt = (asOf: number, freshnessSeconds: number): number =>
  asOf + freshnessSeconds * 1000 - Math.min((freshnessSeconds * 1000) / 10, AHEAD_MS);
const AHEAD_MS = 300_000;

/** Ends a run without a table: the one before stays, and the next run comes by itself. */
export const failRun = async (
  parts: StateParts,
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
  parts: StateParts,
  begun: Materialisation,
  { status, error }: Pick<Materialisation, "status" | "error">,
): Promise<void> => {
  await endRun(parts, begun, { status, error, run: null, run_until: 0, due_at: parts.clock.now() });
};

type Ending = Partial<Omit<Materialisation, keyof MaterialisationKey>>;

const endRun = async ({ table }: StateParts, begun: Materialisation, set: Ending): Promise<boolean> => {
  try {
    await update(table, Materialisations, placeOf(begun), { set }, { kind: "equals", attribute: "run", value: begun.run });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};

/** What was asked for while a run was at work is begun at once. */
const followUp = async (parts: StateParts, begun: Materialisation, now: number): Promise<void> => {
  const set = { due_at: now };
  const asked: Condition = { kind: "less", attribute: "due_at", value: Number.MAX_SAFE_INTEGER };
  const after = await get(parts.table, Materialisations, placeOf(begun), { consistent: true });
  if (after === undefined || after.wanted === begun.wanted) return;
  await update(parts.table, Materialisations, placeOf(begun), { set }, asked).catch(ignoreGone);
  await sendJobs(parts.queues, [refreshOf(begun)]);
};

const ignoreGone = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error;
};

/** The version of a materialisation; undefined when it is gone. */
export const versionOf = (table: Table, place: MaterialisationKey): Promise<EndpointVersion | undefined> =>
  get(table, EndpointVersions, placeOf(place), { consistent: true });
