import { least } from "../core/bigints.ts";
import { type LoweringContext, newContext } from "./analysis/context.ts";
import { completeScan } from "./analysis/scans.ts";
import type { Ast, Expr } from "./ast.ts";
import { QueryError } from "./errors.ts";
import { memberValue } from "./lower/expressions/fields.ts";
import { constantCount } from "./lower/queries/limits.ts";
import type { PrintedParts, RowWindow } from "./lower/queries/partial-query.ts";
import { lowerQuery } from "./lower/queries/select.ts";
import type { LoweredQuery } from "./lowered-query.ts";
import type { LowerOptions, StoredTable } from "./options.ts";
import { parameter, sql } from "./sql/fragment.ts";
import { print } from "./sql/print.ts";
import { survey } from "./sql/survey.ts";
import { typeName, type WireType, wireType } from "./types.ts";

/** Bumped when the same tree lowers to SQL that may answer otherwise: results kept for the one before are not renewed. */
export const LOWERING = 2;

/** Rows of a run when the text has no LIMIT, and at most. */
const DEFAULT_ROWS = 100;
export const MAX_ROWS = 50_000;

/** A lowered query, whether its result depends on the moment of the run, and the LIMIT of its text, which no page passes. */
export interface LoweredStatement {
  readonly lowered: LoweredQuery;
  readonly asksNow: boolean;
  readonly ceiling: bigint | null;
  /** How many rows to show where one more was asked for with `seesMore`; else null. */
  readonly shownRows: number | null;
}

/**
 * Resolves a stored query against the project's tables and turns it into DuckDB SQL with bound parameters, in well under a
 * millisecond. With a page it yields one row more than the page, if there is one. Throws `QueryError`.
 */
export const lower = (ast: Ast, options: LowerOptions): LoweredStatement => {
  const context = newContext(options);
  const partial = lowerQuery(context, ast, null, false);
  const columns = partial.columns.map(({ name, member }) => {
    const { type, nullable } = memberValue(member());
    return { name, type: typeName(type, nullable) };
  });
  const ceiling = ast.limit === null ? null : constantCount({ context }, ast.limit, "LIMIT");
  const shownRows = options.seesMore === true && takesDefault(options, ast, ceiling) ? defaultRows(options) : null;
  const printed = printQuery(context, partial.print(topRows(context, ast, ceiling, shownRows)));
  const lowered = { project: options.project, ...printed, columns, timezone: options.timezone, tree: ast, options };
  return { lowered, asksNow: context.askedNow(), ceiling, shownRows };
};

/** The variables and columns of a query, as far as its text alone says. */
export interface CheckedQuery {
  /** code_names of the variables it uses, in order of their first use. */
  readonly variables: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: WireType }[];
  /** It is a UNION at the top, so that it cannot be paged. */
  readonly union: boolean;
  /** The constant LIMIT of its text, if any. */
  readonly ceiling: number | null;
}

export type CheckOptions = Pick<LowerOptions, "timezone" | "values" | "filters" | "propertyType" | "groupTypes" | "tables">;

/** Lowers the query once without values for its variables, so that every mistake of its text is found when it is saved. Throws `QueryError`. */
export const check = (ast: Ast, options: CheckOptions): CheckedQuery => {
  const context = checkContext(options);
  const partial = lowerQuery(context, ast, null, false);
  const columns = partial.columns.map(({ name, member }) => ({ name, type: wireType(memberValue(member()).type) }));
  printQuery(context, partial.print());
  const limit = ast.limit?.kind === "constant" && typeof ast.limit.value === "number" ? ast.limit.value : null;
  return { variables: [...context.variables], columns, union: ast.kind === "set", ceiling: limit };
};

/** The columns of a query as a table of its rows has them. Throws `QueryError`. */
export const storedColumns = (ast: Ast, options: CheckOptions): StoredTable["columns"] =>
  lowerQuery(checkContext(options), ast, null, false).columns.map(({ name, member }) => {
    const { type, nullable } = memberValue(member());
    return { name, type, nullable };
  });

const checkContext = (options: CheckOptions): LoweringContext =>
  newContext({ ...options, project: 0, now: 0, variables: {}, page: null, checking: true });

/** The rows that the run wants of the whole query: its own LIMIT is a ceiling that a page cannot pass. */
const topRows = (context: LoweringContext, ast: Ast, ceiling: bigint | null, shownRows: number | null): RowWindow => {
  const { page, maxRows = MAX_ROWS } = context.options;
  if (page !== null && ast.kind === "set") {
    throw new QueryError("invalid_input", "A UNION cannot be paged: wrap it, as in `SELECT * FROM (… UNION ALL …)`.");
  }
  const base = ast.offset === null ? 0n : constantCount({ context }, ast.offset, "OFFSET");
  const most = BigInt(maxRows);
  if (page === null) {
    const byDefault = shownRows === null ? defaultRows(context.options) : shownRows + 1;
    const wanted = ceiling ?? (takesDefault(context.options, ast, ceiling) ? BigInt(byDefault) : most);
    return rows(least(wanted, most), base);
  }
  const offset = BigInt(page.offset);
  const limit = least(BigInt(page.limit), most);
  if (ceiling === null) return rows(limit + 1n, base + offset);
  if (offset >= ceiling) return rows(0n, base);
  return rows(least(limit, ceiling - offset) + 1n, base + offset);
};

const defaultRows = ({ defaultRows: rows = DEFAULT_ROWS }: Pick<LowerOptions, "defaultRows">): number => rows;

/** Neither a page nor the text says how many rows. */
const takesDefault = ({ page }: Pick<LowerOptions, "page">, ast: Ast, ceiling: bigint | null): boolean =>
  page === null && ceiling === null && !(ast.kind === "set" && lastLimit(ast) !== null);

/** The LIMIT that the last query of a UNION ends with, which its author means for all. */
const lastLimit = (ast: Extract<Ast, { kind: "set" }>): Expr | null => ast.rest.at(-1)?.query.limit ?? null;

const rows = (limit: bigint, offset: bigint): RowWindow => ({
  limit: sql`${parameter(limit)}::BIGINT`,
  offset: offset === 0n ? null : sql`${parameter(offset)}::BIGINT`,
});

/** The text of a whole query, with its parameters, and its scans with the columns that the text names. */
const printQuery = (
  context: LoweringContext,
  { shared, body }: PrintedParts,
): Pick<LoweredQuery, "ctes" | "sql" | "parameters" | "scans"> => {
  const pieces = [...shared, body];
  const found = survey(pieces);
  const { texts, parameters } = print(pieces, found, context.checkText);
  return {
    ...(texts.length > 1 ? { ctes: texts.slice(0, -1) } : {}),
    sql: texts.at(-1) ?? "",
    parameters,
    scans: context.scans.map((scan) => completeScan(scan, [...(found.columns.get(scan.name) ?? [])])),
  };
};
