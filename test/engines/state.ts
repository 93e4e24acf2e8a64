import { getStateManifest } from "../../lib/lake/catalogue/manifests.ts";
import { STATE_ENTRY, type StateFile } from "../../lib/lake/catalogue.ts";
import { readHead } from "../../lib/lake/head.ts";
import { readParquet } from "../../lib/lake/parquet.ts";
import type { AcceptedRow } from "./accepted.ts";
import type { Lake } from "./lake.ts";

/** The rows that the tables of persons and of their ids have to have: those of the state's files, of which later layers replace earlier ones. */
export const foldedRows = async ({ world, project }: Lake) => {
  const id = (await readHead(world.table, project)).manifests[STATE_ENTRY];
  const state = id === undefined ? undefined : await getStateManifest(world.objects, project, STATE_ENTRY, id);
  const rowsOf = async (files: readonly StateFile[], key: string): Promise<readonly AcceptedRow[]> => {
    const rows = new Map<string, AcceptedRow>();
    for (const file of files.toSorted((a, b) => (a.layer ?? 0) - (b.layer ?? 0))) {
      const bytes = await world.objects.get(file.key);
      if (bytes === undefined) throw new Error(`the file ${file.key} of the state is missing`);
      for (const row of await readParquet(bytes)) rows.set(String(row[key]), row);
    }
    return [...rows.values()].filter(({ gone }) => gone !== true);
  };
  return {
    persons: await rowsOf(state?.persons ?? [], "person_id"),
    person_distinct_ids: await rowsOf(state?.distinctIds ?? [], "distinct_id"),
  };
};
