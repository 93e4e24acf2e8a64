import { forEachConcurrent } from "../core/concurrency.ts";
import { sendJobs } from "../jobs/jobs.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed } from "../ports/table.ts";
import { list, put, remove } from "../table/store.ts";
import { unchanged } from "../table/transact.ts";
import { nextAt } from "./materialisation/runs.ts";
import type { Materialisable } from "./materialisation/transform-for.ts";
import {
  findMaterialisation,
  findMaterialisations,
  type Materialisation,
  Materialisations,
  materialisationKey,
} from "./materialisations.ts";
import type { EndpointVersion, SavedEndpoint } from "./saved-endpoints.ts";
import { startTable } from "./table-lane.ts";

/** Why a query cannot have a table, with the project's types of its properties; null where it can. The language is loaded here. */
export const tableRefusal = async (
  world: Pick<Ports, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  wanted: Materialisable,
): Promise<string | null> => (await import("./materialisation/transform-for.ts")).tableRefusal(world, project, wanted);

/** Loads what says of a version from its query alone why it cannot have a table; null where it can. The language is loaded here. */
export const loadVersionRefusal = async (): Promise<(version: EndpointVersion) => string | null> =>
  (await import("./materialisation/version-refusal.ts")).versionRefusal;

/** The parts that switching on and off needs. */
type TableParts = Pick<Ports, "table" | "queues" | "invocations" | "ids" | "clock">;

/** Switches a version's table on and asks for its first run; one that is on already gets what changed, and is made anew if it must be. */
export const enableTable = async (parts: TableParts, endpoint: SavedEndpoint, version: EndpointVersion): Promise<Materialisation> => {
  const now = parts.clock.now();
  const before = await findMaterialisation(parts.table, version);
  const made = before === undefined ? firstState(parts.ids.uuid(), endpoint, version, now) : changedState(before, version, now);
  try {
    await put(
      parts.table,
      Materialisations,
      made,
      before === undefined ? { kind: "absent" } : unchanged(before, "wanted", "status", "run"),
    );
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // A run ended, or another request switched it on, in between: what stands there now is changed in turn.
    return enableTable(parts, endpoint, version);
  }
  if (made.due_at <= now) await startTable(parts, made);
  return made;
};

const firstState = (id: string, endpoint: SavedEndpoint, version: EndpointVersion, now: number): Materialisation => ({
  ...materialisationKey(version),
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
  failures: 0,
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
    failures: isRebuilt ? 0 : before.failures,
    due_at: isRebuilt ? now : before.status === "Completed" ? due : before.due_at,
  };
};

/** Switches the tables of these versions off: no run reads them from here on, and a job deletes what they were. */
export const disableTables = async (parts: Pick<TableParts, "table" | "queues">, versions: readonly EndpointVersion[]): Promise<void> => {
  await dropAll(parts, await findMaterialisations(parts.table, versions));
};

/** Switches off the tables of all versions of an endpoint. */
export const disableAllTables = async (
  parts: Pick<TableParts, "table" | "queues">,
  { project, id: endpoint_id }: Pick<SavedEndpoint, "project" | "id">,
): Promise<void> => {
  await dropAll(parts, await list(parts.table, Materialisations, "key", { project, endpoint_id }, { consistent: true }));
};

/** Tables of an endpoint that are dropped side by side: each of its versions may have one. */
const LANES = 8;

const dropAll = ({ table, queues }: Pick<TableParts, "table" | "queues">, all: readonly Materialisation[]): Promise<unknown> =>
  forEachConcurrent(all, LANES, async (one) => {
    await remove(table, Materialisations, materialisationKey(one));
    await sendJobs(queues, [{ kind: "table", ...materialisationKey(one) }]);
  });
