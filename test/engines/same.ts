import type { AcceptedRow } from "./accepted.ts";
import { digest, rowText, TABLES, type TableName, type TextColumn } from "./columns.ts";
import type { Faults } from "./faults.ts";
import { meets } from "./filters.ts";
import type { Asked, Filter, Reader } from "./readers/reader.ts";

/** What a table has to hold at a moment. */
export interface Expected {
  readonly table: TableName;
  readonly rows: readonly AcceptedRow[];
  readonly snapshot?: string;
}

const SHOWN = 3;

/** Whether a reader gets exactly these rows, with all their columns; differences are told by row. */
export const comparesRows = async (faults: Faults, reader: Reader, { table, rows, snapshot }: Expected, when: string): Promise<void> => {
  const columns = TABLES[table];
  await compare(faults, reader, { table, columns, ...(snapshot !== undefined && { snapshot }) }, rows, when);
};

/** Columns that tell rows apart: what is filtered by is read, too, by the engine itself. */
const TELLING = new Set(["uuid", "timestamp", "distinct_id", "event"]);

/** The same under conditions, with few columns. */
export const comparesFiltered = async (
  faults: Faults,
  reader: Reader,
  { table, rows }: Expected,
  filters: readonly Filter[],
  when: string,
): Promise<void> => {
  const columns: readonly TextColumn[] = TABLES[table].filter(({ name }) => TELLING.has(name));
  const kept = rows.filter((row) => meets(row, filters));
  const said = JSON.stringify(filters, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  await compare(faults, reader, { table, columns, filters }, kept, `${when}, where ${said}`);
};

const compare = async (faults: Faults, reader: Reader, asked: Asked, rows: readonly AcceptedRow[], when: string): Promise<void> => {
  await faults.during(`${reader.version}, ${asked.table}, ${when}`, async () => {
    const expected = rows.map((row) => rowText(asked.columns, row));
    const got = await reader.read(asked);
    if (got.rows === expected.length && got.digest === digest(expected)) return;
    const texts = await reader.texts(asked);
    const [missing, extra] = [without(expected, texts), without(texts, expected)];
    faults.add(
      [
        `${reader.version}, ${asked.table}, ${when}: ${got.rows} rows instead of ${expected.length}`,
        ...missing.slice(0, SHOWN).map((row) => `  missing ${row}`),
        ...extra.slice(0, SHOWN).map((row) => `  extra   ${row}`),
      ].join("\n"),
    );
  });
};

/** Whether a scan that was begun some time ago ends with the rows of then. */
export const comparesPlanned = async (
  faults: Faults,
  { version }: Reader,
  { table, rows }: Expected,
  when: string,
  finish: () => ReturnType<Reader["read"]>,
): Promise<void> => {
  await faults.during(`${version}, ${table}, ${when}`, async () => {
    const got = await finish();
    if (got.rows !== rows.length || got.digest !== digest(rows.map((row) => rowText(TABLES[table], row))))
      faults.add(`${version}, ${table}, ${when}: ${got.rows} rows instead of the ${rows.length} of then`);
  });
};

/** Those of the first list that the second lacks; a row that is there twice counts twice. */
const without = (all: readonly string[], others: readonly string[]): readonly string[] => {
  const left = new Map<string, number>();
  for (const one of others) left.set(one, (left.get(one) ?? 0) + 1);
  return all.filter((one) => {
    const there = left.get(one) ?? 0;
    left.set(one, there - 1);
    return there <= 0;
  });
};
