import { forEachConcurrent } from "../core/concurrency.ts";
import { sendJobs } from "../jobs/jobs.ts";
import type { Ports } from "../ports/ports.ts";
import type { Write } from "../ports/table.ts";
import { list, putting, remove, removing } from "../table/store.ts";
import { ABSENT, unchanged } from "../table/transact.ts";
import { nextAt } from "./materialisation/runs.ts";
import type { Materialisable } from "./materialisation/transform-for.ts";
import { type Materialisation, Materialisations, materialisationKey } from "./materialisations.ts";
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

/** A change of a version's table: a part of the transaction that changes the version, and what follows it. */
export interface TableChange {
  readonly writes: readonly Write[];
  readonly follow: () => Promise<void>;
}

/**
 * Switches a version's table on and asks for its first run; one that is on already, as `before` says, gets what changed, and is made
 * anew if it must be.
 */
export const switchOn = (
  parts: TableParts,
  endpoint: Pick<SavedEndpoint, "name">,
  version: EndpointVersion,
  before?: Materialisation,
): TableChange => {
  const now = parts.clock.now();
  const made = before === undefined ? firstState(parts.ids.uuid(), endpoint, version, now) : changedState(before, version, now);
  return {
    writes: [putting(Materialisations, made, before === undefined ? ABSENT : unchanged(before, "wanted", "status", "run"))],
    follow: async () => {
      if (made.due_at <= now) await startTable(parts, made);
    },
  };
};

/** Switches a table off: no run reads it from here on, and a job deletes what it was. */
export const switchOff = (parts: Pick<TableParts, "queues">, before: Materialisation): TableChange => ({
  writes: [removing(Materialisations, materialisationKey(before))],
  follow: () => forget(parts, before),
});

const firstState = (id: string, endpoint: Pick<SavedEndpoint, "name">, version: EndpointVersion, now: number): Materialisation => ({
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

/** Switches off the tables of all versions of an endpoint. */
export const disableAllTables = async (
  parts: Pick<TableParts, "table" | "queues">,
  { project, id: endpoint_id }: Pick<SavedEndpoint, "project" | "id">,
): Promise<void> => {
  const all = await list(parts.table, Materialisations, "key", { project, endpoint_id }, { consistent: true });
  await forEachConcurrent(all, LANES, async (one) => {
    await remove(parts.table, Materialisations, materialisationKey(one));
    await forget(parts, one);
  });
};

/** Tables of an endpoint that are dropped side by side: each of its versions may have one. */
const LANES = 8;

const forget = async ({ queues }: Pick<TableParts, "queues">, one: Materialisation): Promise<void> => {
  await sendJobs(queues, [{ kind: "table", ...materialisationKey(one) }]);
};
