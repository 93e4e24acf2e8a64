import { forEachConcurrent } from "../core/concurrency.ts";
import { isoMicros } from "../core/time.ts";
import { resultKey, tableKey, waitingKey } from "../lake/paths.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed } from "../ports/table.ts";
import { pages, update } from "../table/store.ts";
import { type Materialisation, Materialisations, materialisationKey } from "./materialisations.ts";
import { SavedEndpoints } from "./saved-endpoints.ts";

type ForgetParts = Pick<Ports, "table" | "objects" | "clock">;

/** Items written side by side. */
const CONCURRENCY = 16;

/** What was kept of rows and is gone. */
export interface ForgottenRows {
  readonly tables: number;
  readonly objects: number;
}

/**
 * Forgets what is kept of a project's rows beside the lake, because some of them were removed from it: results of runs, tables of saved
 * queries, which are made anew, and what waits for a second engine. No run that begins after this reads any of it; one that began before
 * keeps its rows where nobody looks for them. Safe to run again.
 */
export const forgetRows = async (parts: ForgetParts, project: number): Promise<ForgottenRows> => {
  await moveEndpoints(parts, project);
  const tables = await resetTables(parts, project);
  return { tables, objects: await removeKept(parts, project) };
};

/** Deletes once more what runs kept that were under way meanwhile. Gives the number of objects. */
export const removeKept = async (parts: Pick<Ports, "table" | "objects">, project: number): Promise<number> => {
  let removed = 0;
  for (const prefix of [resultKey(project, ""), waitingPrefix(project)]) removed += await removePrefix(parts, prefix, new Set());
  return removed + (await removePrefix(parts, tablesOf(project), await namedTables(parts, project)));
};

const waitingPrefix = (project: number): string => waitingKey(project, "").replace(/[^/]+$/, "");
const tablesOf = (project: number): string => tableKey(project, "", "").replace(/\/+$/, "/");

/** Every run reads its endpoint first, and finds nothing under the name that this gives what is kept for it. */
const moveEndpoints = async ({ table, clock }: ForgetParts, project: number): Promise<void> => {
  const forgotten_at = isoMicros(clock.now());
  for await (const endpoints of pages(table, SavedEndpoints, "key", { project }, { consistent: true }))
    await forEachConcurrent(endpoints, CONCURRENCY, async ({ name, id }) => {
      const set = { forgotten_at };
      await unlessGone(update(table, SavedEndpoints, { project, name }, { set }, { kind: "equals", attribute: "id", value: id }));
    });
};

/** A run in work ends without a table: it is not the one that is named any more. */
const resetTables = async (parts: ForgetParts, project: number): Promise<number> => {
  let tables = 0;
  const now = parts.clock.now();
  for await (const found of pages(parts.table, Materialisations, "key", { project }, { consistent: true }))
    await forEachConcurrent(found, CONCURRENCY, async (one) => {
      const { table, run, wanted } = one;
      if (table === null && run === null) return;
      const fresh: Partial<Materialisation> = { status: "Modified", table: null, replaced: [], run: null, run_until: 0, failures: 0 };
      const set = { ...fresh, last_materialized_at: null, wanted: wanted + 1, due_at: now };
      await unlessGone(update(parts.table, Materialisations, materialisationKey(one), { set }, { kind: "present" }));
      tables += 1;
    });
  return tables;
};

/** The objects of tables that were made since. */
const namedTables = async ({ table }: Pick<Ports, "table">, project: number): Promise<ReadonlySet<string>> => {
  const named = new Set<string>();
  for await (const found of pages(table, Materialisations, "key", { project }, { consistent: true }))
    for (const one of found) {
      if (one.table !== null) named.add(one.table.key);
      if (one.run !== null) named.add(tableKey(project, `${one.endpoint_id}/${one.version}`, one.run));
    }
  return named;
};

const removePrefix = async ({ objects }: Pick<Ports, "objects">, prefix: string, keeping: ReadonlySet<string>): Promise<number> => {
  let removed = 0;
  let cursor: string | null = null;
  do {
    const page = await objects.list(prefix, cursor);
    const gone = page.objects.map(({ key }) => key).filter((key) => !keeping.has(key));
    if (gone.length > 0) await objects.remove(gone);
    removed += gone.length;
    cursor = page.cursor;
  } while (cursor !== null);
  return removed;
};

const unlessGone = async (write: Promise<unknown>): Promise<void> => {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};
