import type { Column, Identifier, JsonTable, Later, Sql } from "./fragment.ts";
import { SqlMap } from "./same.ts";

/** Facts of a whole query: the columns that it reads, and the SQL that each node left for later became. */
export interface Survey {
  /** Columns by the scan that has to read them, in the order in which they are named. */
  readonly columns: ReadonlyMap<Identifier, ReadonlySet<string>>;
  /** Of a table with JSON, the paths that are taken out together in its place in FROM, with their numbers from 1. */
  readonly paths: ReadonlyMap<JsonTable, SqlMap<{ readonly path: Sql; readonly number: number }>>;
  resolved(node: Later): Sql;
  /** The name in the text: its own, or of the column instead of which it was to be read, if that is read anyway. */
  nameOf(column: Column): string;
}

/** Ends what a condition of WHERE began. */
const END = Symbol("end of a filter");

/**
 * Looks at every node of a query once, in the order of its text.
 *
 * Parsing JSON costs far more than finding something in it, so all that a query reads of a row is taken out together, in the table's
 * own place in FROM. A condition of WHERE takes out by itself what it needs, as the rest is wanted only of the rows that it leaves.
 *
 * One loop with a case for each kind of node: where a filter begins and ends is known only from the order in which nodes are met.
 */
export const survey = (roots: readonly Sql[]): Survey => {
  const named = new Map<Identifier, Map<string, Column>>();
  const paths = new Map<JsonTable, SqlMap<{ readonly path: Sql; readonly number: number }>>();
  const made = new Map<Later, Sql>();
  const resolved = (node: Later): Sql => {
    const known = made.get(node) ?? node.make();
    made.set(node, known);
    return known;
  };
  const read = (scan: Identifier, column: Column): void => {
    const columns = named.get(scan) ?? new Map<string, Column>();
    named.set(scan, columns.set(column.name, column));
  };
  const takeOut = (table: JsonTable, path: Sql): void => {
    const known = paths.get(table) ?? new SqlMap();
    known.add(path, { path, number: known.size + 1 });
    paths.set(table, known);
  };
  const seen = [new Set<Sql>(), new Set<Sql>()] as const;
  const left: (Sql | typeof END)[] = roots.toReversed();
  let filters = 0;
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node === END) {
      filters -= 1;
      continue;
    }
    switch (node.kind) {
      case "column":
        if (node.scan !== null) read(node.scan, node);
        continue;
      case "numeral":
      case "value":
      case "identifier":
      case "argument":
      case "json-source":
        continue;
      default:
    }
    const before = filters > 0 ? seen[1] : seen[0];
    if (before.has(node)) continue;
    before.add(node);
    switch (node.kind) {
      case "template":
      case "list":
        for (let index = node.parts.length - 1; index >= 0; index--) left.push(node.parts[index] ?? node);
        continue;
      case "lambda":
        left.push(node.body);
        continue;
      case "later":
        left.push(resolved(node));
        continue;
      case "filter":
        filters += 1;
        left.push(END, node.condition);
        continue;
      case "json-text":
        if (filters === 0 || node.table.joined) takeOut(node.table, node.path);
        left.push(node.json);
    }
  }
  const chosen = (column: Column): Column => {
    const { insteadOf, scan } = column;
    return insteadOf !== null && scan !== null && named.get(scan)?.has(insteadOf.name) ? insteadOf : column;
  };
  const columns = new Map([...named].map(([scan, all]) => [scan, new Set([...all.values()].map((each) => chosen(each).name))]));
  return { columns, paths, resolved, nameOf: (each) => chosen(each).text };
};
