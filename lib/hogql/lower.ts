import { type LoweringContext, newContext } from "./analysis/context.ts";
import { completeScan } from "./analysis/scans.ts";
import type { Ast } from "./ast.ts";
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
import { type WantedRows, wantedRows } from "./wanted-rows.ts";

/** Bumped when the same tree lowers to SQL that may answer otherwise: results kept for the one before are not renewed. */
export const LOWERING = 6;

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
  const rows = wantedRows(ast, options, (node, what) => constantCount({ context }, node, what));
  const printed = printQuery(context, partial.print(rowWindow(rows)));
  const { inTimeOf } = partial;
  const enough = inTimeOf && { enough: { scan: inTimeOf.name.text, rows: Number(rows.limit) } };
  const lowered = { project: options.project, ...printed, ...enough, columns, timezone: options.timezone, tree: ast, options };
  return { lowered, asksNow: context.askedNow(), ceiling: rows.ceiling, shownRows: rows.shownRows };
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

const rowWindow = ({ limit, offset }: WantedRows): RowWindow => ({
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
