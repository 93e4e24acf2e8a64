import type { Ast } from "../../hogql/ast.ts";
import type { LowerOptions } from "../../hogql/options.ts";
import { rowCounter, wantedRows } from "../../hogql/wanted-rows.ts";
import { query } from "./select.ts";
import { type Need, newStatement, type StatementParameter } from "./statement.ts";

/** A query for ClickHouse: it goes behind `WITH` and the relations of `needs`, each `name AS (…)`. */
export interface PrintedStatement {
  readonly sql: string;
  readonly parameters: ReadonlyMap<string, StatementParameter>;
  readonly needs: readonly Need[];
}

/**
 * Prints a stored query, which has been lowered before with the same options, as the dialect means it on ClickHouse: with the settings
 * of `ANSWER_SETTINGS` it has the same rows. No text or name of an author stands in the SQL. Throws `Unprintable`, and `QueryError` as
 * `lower` does.
 */
export const printStatement = (tree: Ast, options: LowerOptions): PrintedStatement => {
  const count = rowCounter(options);
  const statement = newStatement(options, count);
  const printed = query(statement, new Map(), tree, wantedRows(tree, options, count));
  for (const column of printed.columns) column.use();
  const body = printed.sql();
  const definitions = statement.definitions();
  const sql = definitions.length === 0 ? body : `SELECT * FROM (WITH ${definitions.join(", ")} ${body})`;
  return { sql, parameters: statement.parameters, needs: statement.needs() };
};
