import { column, type Identifier, ident, mapParts, NOTHING, type Sql, separated, sql } from "./fragment.ts";
import { SqlMap } from "./same.ts";

/** Trees that read their columns of a relation of one row, and what has to stand in FROM for that: nothing where they read none. */
interface OverOwnRow {
  readonly trees: readonly Sql[];
  readonly from: Sql;
}

/**
 * The trees of a lateral query over a row of its own, called `row`, which takes over each column that they read. The engine finds no
 * column of the query around a lateral one from inside a lambda, and nearly every function of arrays is made of lambdas.
 */
export const overOwnRow = (row: Identifier, trees: readonly Sql[]): OverOwnRow => {
  const taken = new SqlMap<{ readonly own: Sql; readonly item: Sql }>();
  const known = new Map<Sql, Sql>();
  const ownColumn = (read: Sql): Sql => {
    const name = `k${taken.size + 1}`;
    taken.add(read, { own: column(row, name), item: sql`${read} AS ${ident(name)}` });
    return taken.get(read)?.own ?? read;
  };
  const change = (node: Sql): Sql => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const after = node.kind === "column" || node.kind === "json-text" ? ownColumn(node) : mapParts(node, change);
    known.set(node, after);
    return after;
  };
  const changed = trees.map(change);
  if (taken.size === 0) return { trees, from: NOTHING };
  return { trees: changed, from: sql` FROM (SELECT ${separated(taken.values().map(({ item }) => item))}) AS ${row}` };
};
