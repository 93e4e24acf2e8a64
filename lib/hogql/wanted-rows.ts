import { least } from "../core/bigints.ts";
import { newContext } from "./analysis/context.ts";
import type { Ast, Expr } from "./ast.ts";
import { QueryError } from "./errors.ts";
import { constantCount } from "./lower/queries/limits.ts";
import type { LowerOptions } from "./options.ts";

/** Rows of a run when the text has no LIMIT, and at most. */
const DEFAULT_ROWS = 100;
export const MAX_ROWS = 50_000;

/** The rows that a run wants of the whole query. */
export interface WantedRows {
  readonly limit: bigint;
  readonly offset: bigint;
  /** The LIMIT of the text, which no page passes. */
  readonly ceiling: bigint | null;
  /** How many rows to show where one more was asked for with `seesMore`; else null. */
  readonly shownRows: number | null;
}

/** The number that a LIMIT or OFFSET says. Throws `QueryError` for what is no such constant. */
type RowCounter = (node: Expr, what: string) => bigint;

/** Reads the numbers of rows of a query that is run with these options. */
export const rowCounter = (options: LowerOptions): RowCounter => {
  const context = newContext(options);
  return (node, what) => constantCount({ context }, node, what);
};

/** Its own LIMIT is a ceiling that a page cannot pass. With a page it wants one row more, if there is one. Throws `QueryError`. */
export const wantedRows = (ast: Ast, options: LowerOptions, count: RowCounter): WantedRows => {
  const { page, maxRows = MAX_ROWS } = options;
  const ceiling = ast.limit === null ? null : count(ast.limit, "LIMIT");
  const shownRows = options.seesMore === true && takesDefault(options, ast, ceiling) ? defaultRows(options) : null;
  if (page !== null && ast.kind === "set") {
    throw new QueryError("invalid_input", "A UNION cannot be paged: wrap it, as in `SELECT * FROM (… UNION ALL …)`.");
  }
  const base = ast.offset === null ? 0n : count(ast.offset, "OFFSET");
  const most = BigInt(maxRows);
  if (page === null) {
    const byDefault = shownRows === null ? defaultRows(options) : shownRows + 1;
    const wanted = ceiling ?? (takesDefault(options, ast, ceiling) ? BigInt(byDefault) : most);
    return { limit: least(wanted, most), offset: base, ceiling, shownRows };
  }
  const offset = BigInt(page.offset);
  const limit = least(BigInt(page.limit), most);
  if (ceiling === null) return { limit: limit + 1n, offset: base + offset, ceiling, shownRows };
  if (offset >= ceiling) return { limit: 0n, offset: base, ceiling, shownRows };
  return { limit: least(limit, ceiling - offset) + 1n, offset: base + offset, ceiling, shownRows };
};

const defaultRows = ({ defaultRows: rows = DEFAULT_ROWS }: Pick<LowerOptions, "defaultRows">): number => rows;

/** Neither a page nor the text says how many rows. */
const takesDefault = ({ page }: Pick<LowerOptions, "page">, ast: Ast, ceiling: bigint | null): boolean =>
  page === null && ceiling === null && !(ast.kind === "set" && lastLimit(ast) !== null);

/** The LIMIT that the last query of a UNION ends with, which its author means for all. */
const lastLimit = (ast: Extract<Ast, { kind: "set" }>): Expr | null => ast.rest.at(-1)?.query.limit ?? null;
