import { QueryError } from "../errors.ts";
import type { Sql } from "../sql/fragment.ts";
import type { Expression } from "./expression.ts";

/** Most queries, subqueries and uses of a CTE: two uses of the one before, again and again, double each time. */
const MAX_QUERIES = 256;

/** Most columns of all of these together, once every `*` is written out: each takes as long to be found as the query's own. */
const MAX_COLUMNS = 20_000;

/** Most work for the patterns of a query, in parts of them: a tenth of a second. */
const MAX_PATTERNS = 120_000;

/** Deepest chain of expressions, through the aliases and values that they name. */
const MAX_CHAIN = 600;

/** Most parts of one query, after every alias and CTE has been put in where it is used: names that name others twice grow without bound. */
const MAX_PARTS = 100_000;
/** Longest text of one part, and of all parts together, in characters; a part counts again in each part that holds it. */
const MAX_TEXT = 2_000_000;
const MAX_TEXTS = 50_000_000;

/** The limits of one lowering. Each is refused by a `QueryError`. */
export interface Limits {
  /** Counts a query that is lowered. */
  countQuery(): void;
  /** Counts the columns of one of its queries. */
  countColumns(more: number): void;
  /** Counts what a pattern takes to be compiled, or to be looked for. */
  countPattern(work: number): void;
  /** Lowers an expression one step deeper. */
  within(lower: () => Expression): Expression;
  /** Counts a part of the query by its size. */
  countPart(tree: Sql): void;
  /** Told how long the text has become while it is printed. */
  checkText(size: number): void;
}

export const newLimits = (): Limits => {
  let queries = 0;
  let patterns = 0;
  let columns = 0;
  let chain = 0;
  let parts = 0;
  let texts = 0;
  return {
    countQuery: () => {
      queries += 1;
      if (queries > MAX_QUERIES)
        throw new QueryError("too_complex", `The query has more than ${MAX_QUERIES} subqueries, those of its CTEs counted at each use.`);
    },
    countColumns: (more) => {
      columns += more;
      if (columns > MAX_COLUMNS)
        throw new QueryError(
          "too_complex",
          `The query has more than ${MAX_COLUMNS} columns, those of its subqueries and CTEs counted at each use.`,
        );
    },
    countPattern: (work) => {
      patterns += work;
      if (patterns > MAX_PATTERNS)
        throw new QueryError("too_complex", "The patterns of the query are too long, or those of COLUMNS for so many columns.");
    },
    within: (lower) => {
      if (chain >= MAX_CHAIN)
        throw new QueryError("too_complex", `An expression of the query is more than ${MAX_CHAIN} steps deep, its aliases counted.`);
      chain += 1;
      const lowered = lower();
      chain -= 1;
      return lowered;
    },
    countPart: ({ size }) => {
      parts += 1;
      texts += size;
      if (parts > MAX_PARTS || size > MAX_TEXT || texts > MAX_TEXTS) throw tooLong();
    },
    checkText: (size) => {
      if (size > MAX_TEXT) throw tooLong();
    },
  };
};

const tooLong = (): QueryError =>
  new QueryError("too_complex", "The query is too long once its aliases and WITH queries are put in where they are used.");
