import { FIRST_PROPERTY_ID, type Field } from "../columns.ts";
import type { TableMetadata } from "../metadata.ts";

/**
 * The columns of properties: some files have them, others have others, and the table shows none. Its mapping of names has to number them
 * nevertheless, because pyiceberg refuses a file with a column that has no number. Numbers within the files would not do: ClickHouse refuses
 * one that the table does not show.
 */

/** Where a table keeps which of them its files have. Metadata without it are of a release that numbered none. */
const PROPERTY = "columns-of-properties";

interface Kept {
  /** The numbers of the columns that the files of a group have in the newest snapshot, by the group's entry; of groups that have any. */
  readonly groups: Readonly<Record<string, readonly number[]>>;
  /** The last snapshot, by its sequence number, of each column that the newest one no longer has. */
  readonly last: Readonly<Record<string, number>>;
}

/** By the entry of each group of the next snapshot: the columns that its files have, or undefined where they are what they were. */
export type ColumnsByGroup = ReadonlyMap<string, readonly string[] | undefined>;

export const NAME_MAPPING = "schema.name-mapping.default";

/** Our Parquet files name their columns and number none. */
export const nameMapping = (fields: readonly Omit<Field, "type">[]): string =>
  JSON.stringify(fields.map(({ id, name }) => ({ "field-id": id, names: [name] })));

/** Only `nameMapping` makes it. */
const numbersBefore = (before: TableMetadata | undefined): ReadonlyMap<string, number> => {
  const fields: readonly { readonly "field-id": number; readonly names: readonly string[] }[] = JSON.parse(
    before?.properties[NAME_MAPPING] ?? "[]",
  );
  return new Map(fields.flatMap(({ "field-id": id, names }) => (id < FIRST_PROPERTY_ID ? [] : names.map((name) => [name, id] as const))));
};

const keptBefore = (before: TableMetadata | undefined): Kept | undefined => {
  const kept = before?.properties[PROPERTY];
  return kept === undefined ? undefined : JSON.parse(kept);
};

/** Whether it is known which of the columns the files of a table have: else those of all groups have to be looked at. */
export const tellsColumns = (before: TableMetadata | undefined): boolean => keptBefore(before) !== undefined;

/**
 * The columns of properties that files of a table's snapshots have, the oldest of which has this sequence number, and the table property that
 * says so to the next publication. A number is given once.
 */
export const propertyColumns = (
  before: TableMetadata | undefined,
  columns: ColumnsByGroup,
  oldest: number,
): { readonly fields: readonly Omit<Field, "type">[]; readonly properties: Readonly<Record<string, string>> } => {
  const numbers = new Map(numbersBefore(before));
  const { groups: known, last: lastBefore }: Kept = keptBefore(before) ?? { groups: {}, last: {} };
  let next = Math.max(FIRST_PROPERTY_ID, (before?.["last-column-id"] ?? 0) + 1);
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? next++;
    numbers.set(name, number);
    return number;
  };
  const groups: Record<string, readonly number[]> = {};
  for (const [entry, names] of columns) {
    const own = names?.map(numberOf) ?? known[entry] ?? [];
    if (own.length > 0) groups[entry] = own;
  }
  const current = new Set(Object.values(groups).flat());
  const last: Record<string, number> = {};
  for (const number of numbers.values()) {
    const at = lastBefore[number] ?? before?.["last-sequence-number"] ?? 0;
    if (!current.has(number) && at >= oldest) last[number] = at;
  }
  const fields = [...numbers].filter(([, number]) => current.has(number) || number in last).map(([name, id]) => ({ id, name }));
  const kept: Kept = { groups, last };
  return { fields, properties: { [PROPERTY]: JSON.stringify(kept) } };
};
