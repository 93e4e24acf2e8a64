import { RARE_COLUMNS } from "../event/event.ts";
import type { StateScan } from "../hogql/lowered-query.ts";
import type { FileFacts } from "../lake/catalogue.ts";
import type { OverlayKind } from "../lake/state-overlay.ts";

/** What the files of a pinned state hold, as any engine has to know it that reads them. */

/** Where the values of the rare columns are: in columns of their own, nowhere, or only in the JSON. */
export type RarePlace = "columns" | "none" | "json";

/** Where the values of a file's rare columns are. */
export const rarePlace = ({ rare }: Pick<FileFacts, "rare">): RarePlace => (rare === undefined ? "json" : rare ? "columns" : "none");

export const namesRare = (columns: readonly string[]): boolean => columns.some((column) => RARE_COLUMNS.has(column));

/** The columns to have of a file, of the events' columns that are to be read. */
export const storedColumns = (columns: readonly string[], rare: RarePlace): readonly string[] => {
  if (rare === "columns" || !namesRare(columns)) return columns;
  const common = columns.filter((column) => !RARE_COLUMNS.has(column));
  return rare === "none" ? common : [...new Set([...common, "properties"])];
};

/** The state's own names of what queries scan. */
export const STATE_KINDS = { persons: "persons", person_distinct_ids: "distinctIds", groups: "groups" } as const satisfies Record<
  StateScan["kind"],
  OverlayKind
>;

/** The columns that identify a row of a kind. */
export const STATE_KEYS: Readonly<Record<StateScan["kind"], readonly string[]>> = {
  persons: ["person_id"],
  person_distinct_ids: ["distinct_id"],
  groups: ["index", "key"],
};
