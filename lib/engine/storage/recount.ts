import type { RowFiles } from "../../lake/row-files.ts";
import type { Parts } from "./merge.ts";
import { usageOfRows } from "./source-usage.ts";

/** The columns that counting reads. */
const COLUMNS = ["event", "timestamp", "historical", "person_mode", "properties"];

/** `RowFiles.recount` over Parquet: read by the engine, a batch at a time. */
export const recountFile =
  ({ databases, local, countUsage }: Parts): RowFiles["recount"] =>
  (project, file) =>
    databases.alone(project, async (database) => {
      const held = await local.hold(project, [{ ...file, columns: COLUMNS }]);
      try {
        return await usageOfRows(database, countUsage, held.path(file.key));
      } finally {
        held.release();
      }
    });
