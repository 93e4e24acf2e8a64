import type { Databases } from "../../duckdb/databases.ts";
import type { DuplicateFinder } from "../../storage/duplicates.ts";
import type { LocalFiles } from "../../storage/local-files.ts";
import type { StateScans } from "./state-scan.ts";

/** What a query is run with. */
export interface RunParts {
  readonly local: LocalFiles;
  readonly databases: Databases;
  readonly duplicates: DuplicateFinder;
  readonly state: StateScans;
}
