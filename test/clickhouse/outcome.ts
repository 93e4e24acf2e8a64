import { QueryError } from "../../lib/hogql/errors.ts";
import { lower } from "../../lib/hogql/lower.ts";
import type { Golden } from "../golden/harness.ts";
import { cellsOf } from "./cells.ts";
import { type ClickHouse, Refused } from "./clickhouse.ts";
import type { Case } from "./corpus/case.ts";
import { printed } from "./printer/print.ts";
import { Unprintable } from "./printer/scope.ts";
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
    for (const query of queries) results.push(cellsOf(await clickHouse.query(printed(query, options), options.timezone), options.timezone));
    return { rows: rows(results) };
  } catch (error) {
    if (error instanceof Refused || error instanceof Unprintable) return { refused: error.message };
    throw error;
  }
};

/** Refusing is equal only where both are meant to refuse. */
export const equal = (asked: Case, { ordered }: Pick<Question, "ordered">, ours: Outcome, theirs: Outcome): boolean => {
  if ("refused" in ours || "refused" in theirs) return asked.refused === true && "refused" in ours && "refused" in theirs;
  return asked.refused !== true && sameRows(ours.rows, theirs.rows, ordered);
};
