import type { Table } from "../../ports/table.ts";
import { keyIn } from "../../table/partitions.ts";

/** The parts of a sweep that may run out of time. */
export type SweepPart = "due" | "later";

/** At which project each part goes on, where the sweep before had no time left; absent where it came to its end. */
export type SweepPlace = Readonly<Partial<Record<SweepPart, number>>>;

const KEY = keyIn("sweep", "place", {});
const PLACE_FORMAT = 1;

/** Kept in the table, because the process that stopped may not be the one that goes on. */
export const readPlace = async (table: Table): Promise<SweepPlace> => {
  const item = await table.get(KEY, { consistent: true });
  return { ...placeAt("due", item?.due), ...placeAt("later", item?.later) };
};

const placeAt = (part: SweepPart, value: unknown): SweepPlace => (typeof value === "number" ? { [part]: value } : {});

/** Written only when it changes: a sweep that finds time for all leaves nothing. */
export const writePlace = async (table: Table, before: SweepPlace, next: SweepPlace): Promise<void> => {
  if (before.due === next.due && before.later === next.later) return;
  await table.put({ ...KEY, v: PLACE_FORMAT, ...next });
};

/** The entries from a project on, then those before it. */
export const fromPlace = <T extends { readonly project: number }>(entries: readonly T[], place: number | undefined): readonly T[] => {
  const first = place === undefined ? -1 : entries.findIndex(({ project }) => project >= place);
  return first < 1 ? entries : [...entries.slice(first), ...entries.slice(0, first)];
};
