import { EVENT_COLUMNS, type EventRow, RARE_COLUMNS, type RareFacts, type StoredColumn } from "../../event/event.ts";
import type { Column } from "./parquet-pages.ts";

/** So many rows are read for all columns before the next ones: rows lie scattered in memory, and these stay in the processor's cache. */
const ROWS_AT_ONCE = 64;

/** The rows as columns of a Parquet file, of the rare ones with the sets that it shall have. */
export const eventColumns = (rows: readonly EventRow[], facts: RareFacts): readonly Column[] => {
  const columns = EVENT_COLUMNS.filter(({ name }) => {
    const rare = RARE_COLUMNS.get(name);
    return rare === undefined || facts[rare.set];
  }).map((column) => filling(column, rows.length));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const block = rows.slice(from, from + ROWS_AT_ONCE);
    for (const { fill } of columns) fill(block, from);
  }
  return columns.map(({ column }) => column);
};

interface Filling {
  readonly column: Column;
  /** Takes the values of rows that stand from `at` on. */
  fill(rows: readonly EventRow[], at: number): void;
}

const filling = (spec: StoredColumn, count: number): Filling => {
  const { name } = spec;
  const repeats = spec.unique === undefined;
  switch (spec.kind) {
    case "uuid":
      return listed(spec.of, (values) => ({ name, kind: "uuid", values, repeats }));
    case "text":
      return listed(spec.of, (values) => ({ name, kind: "utf8", values, nullable: false, repeats }));
    case "optional":
      return listed(spec.of, (values) => ({ name, kind: "utf8", values, nullable: true, repeats }));
    case "number":
      return listed(spec.of, (values) => ({ name, kind: "double", values }));
    case "boolean":
      return listed(spec.of, (values) => ({ name, kind: "boolean", values }));
    case "timestamp":
    case "int64":
      return numbered(spec.of, new BigInt64Array(count), (values) => ({ name, kind: spec.kind, values }));
    case "int32":
      return numbered(spec.of, new Int32Array(count), (values) => ({ name, kind: "int32", values }));
  }
};

const listed = <V>(of: (row: EventRow) => V, columnOf: (values: readonly V[]) => Column): Filling => {
  const values: V[] = [];
  return {
    column: columnOf(values),
    fill(rows) {
      for (const row of rows) values.push(of(row));
    },
  };
};

const numbered = <V, A extends { [at: number]: V }>(of: (row: EventRow) => V, values: A, columnOf: (values: A) => Column): Filling => ({
  column: columnOf(values),
  fill(rows, from) {
    for (const [at, row] of rows.entries()) values[from + at] = of(row);
  },
});
