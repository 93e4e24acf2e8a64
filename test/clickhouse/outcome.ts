import { type PrintedStatement, printStatement } from "../../lib/clickhouse/printer/print.ts";
import { Unprintable } from "../../lib/clickhouse/printer/unprintable.ts";
import type { Ast } from "../../lib/hogql/ast.ts";
import { QueryError } from "../../lib/hogql/errors.ts";
import { lower } from "../../lib/hogql/lower.ts";
import type { LowerOptions } from "../../lib/hogql/options.ts";
import type { Golden } from "../golden/harness.ts";
import { cellsOf } from "./cells.ts";
import { type ClickHouse, Refused } from "./clickhouse.ts";
import type { Case } from "./corpus/case.ts";
import { baseRelation } from "./load.ts";
import type { Question } from "./question.ts";
import { sameRows } from "./same.ts";

/** What an engine made of a case: rows, or a sentence why not. */
export type Outcome = { readonly rows: readonly (readonly unknown[])[] } | { readonly refused: string };

export const askOurs = async (ours: Golden, { queries, options, rows }: Question): Promise<Outcome> => {
  try {
    const results = [];
    for (const query of queries) results.push(await ours.run(lower(query, options).lowered));
    return { rows: asDoubles(rows(results)) };
  } catch (error) {
    if (error instanceof QueryError) return { refused: error.message };
    throw error;
  }
};

/** As a client reads them whose numbers are doubles, which is how the other engine's rows are read here. */
const asDoubles = (rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] => JSON.parse(JSON.stringify(rows));

export const askTheirs = async (clickHouse: ClickHouse, { queries, options, rows }: Question): Promise<Outcome> => {
  try {
    const results = [];
    for (const query of queries) {
      const answer = await clickHouse.query(wholeStatement(query, options), options.timezone);
      results.push(cellsOf(answer, options.timezone));
    }
    return { rows: rows(results) };
  } catch (error) {
    if (error instanceof Refused || error instanceof Unprintable) return { refused: error.message };
    throw error;
  }
};

/** A query as the product prints it, over tables of the lake. */
export const wholeStatement = (query: Ast, options: LowerOptions): Pick<PrintedStatement, "sql" | "parameters"> => {
  const { sql, parameters, needs } = printStatement(query, options);
  return { sql: needs.length === 0 ? sql : `WITH ${needs.map(baseRelation).join(", ")} ${sql}`, parameters };
};

/** Refusing is equal only where both are meant to refuse. */
export const equal = (asked: Case, { ordered }: Pick<Question, "ordered">, ours: Outcome, theirs: Outcome): boolean => {
  if ("refused" in ours || "refused" in theirs) return asked.refused === true && "refused" in ours && "refused" in theirs;
  return asked.refused !== true && sameRows(ours.rows, theirs.rows, ordered);
};
