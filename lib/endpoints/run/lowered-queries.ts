import { jsonTextBytes, MAX_REPLY_BYTES, REPLY_OVERHEAD_BYTES } from "../../core/reply-size.ts";
import type { Cell, EnginePorts, Limits, Rows } from "../../engine/engine.ts";
import { TOO_LARGE as TOO_LARGE_ROWS } from "../../engine/row-slices.ts";
import type { Ast, Expr } from "../../hogql/ast.ts";
import { QueryError } from "../../hogql/errors.ts";
import { type LoweredStatement, lower } from "../../hogql/lower.ts";
import type { LoweredQuery } from "../../hogql/lowered-query.ts";
import type { FilterExpressions, LowerOptions } from "../../hogql/options.ts";
import { MAX_ROWS } from "../../hogql/wanted-rows.ts";
import { type InsightRow, shownRow, shownValue, TOO_LARGE } from "../../insight/rows.ts";
import { sqlFilters } from "../../insight/sql-filters.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import { type Effort, effortOf } from "../effort.ts";
import type { ResolvedInsight, ResolvedQuery, ResolvedSql } from "./resolved-query.ts";
import type { StoredResult } from "./result-cache.ts";

/** Bytes of a reply beside its rows, its columns and the query's text. */
const FRAME_BYTES = 4_096;

const MOST_ROW_BYTES = MAX_REPLY_BYTES - REPLY_OVERHEAD_BYTES - FRAME_BYTES;

/** Rows of one query of an insight, and their bytes: what the insight's own rows are made of, beside the engine in memory. */
const MAX_INSIGHT_ROWS = 500_000;
const MAX_INSIGHT_BYTES = 16_777_216;

/** The queries that a run gives the engine, and what becomes of their rows. */
export interface LoweredQueries {
  readonly queries: readonly LoweredQuery[];
  /** Limits of each query. */
  readonly maxRows: number;
  readonly maxBytes: number;
  /** With the state of the lake, all that the result depends on. */
  readonly dependsOn: () => unknown;
  readonly resultOf: (rows: readonly Rows["rows"][]) => Pick<StoredResult, "columns" | "rows" | "hasMore">;
  /** The hint where the rows of a query are too many, where that is not what the engine says. */
  readonly tooLarge?: string;
}

/** How much a query may answer that becomes a file instead of a reply. */
export interface FileBounds {
  readonly rows: number;
  /** Of its rows as JSON. */
  readonly bytes: number;
  /** The hint where it is more. */
  readonly tooLarge: string;
}

/** When and for whom a run's queries are lowered. */
export interface LoweringInput
  extends Pick<LowerOptions, "now" | "groupTypes" | "moved" | "issues" | "propertyType" | "hasEarned" | "tables"> {
  readonly project: { readonly id: number; readonly timezone: string };
  /** Of SQL that becomes a file: where its text has no LIMIT, all rows are meant. */
  readonly file?: FileBounds;
}

/** Lowers all queries of a run. Throws `QueryError`. */
export const lowerQueries = (resolved: ResolvedQuery, lowering: LoweringInput): LoweredQueries =>
  resolved.kind === "sql" ? lowerSql(resolved, lowering) : lowerInsight(resolved, lowering);

/** The trees whose names say what lowering will ask for. Throws `QueryError`. */
export const queryTrees = (resolved: ResolvedQuery, moment: Pick<LoweringInput, "project" | "now">): readonly (Ast | Expr | null)[] => {
  if (resolved.kind === "insight") return resolved.plan.queries;
  const { condition, from, to } = filterExpressions(resolved, moment);
  return [resolved.ast, condition, from, to];
};

/** What `{filters}` of the query stands for. */
const filterExpressions = ({ query }: ResolvedSql, { project, now }: Pick<LoweringInput, "project" | "now">): FilterExpressions =>
  sqlFilters(query.filters, { now, timezone: project.timezone });

const loweringOptions = ({ project, file: _, ...rest }: LoweringInput) => ({ ...rest, project: project.id, timezone: project.timezone });

const lowerSql = (resolved: ResolvedSql, lowering: LoweringInput): LoweredQueries => {
  const { ast, query, variables, page, seesMore } = resolved;
  const { file } = lowering;
  const { lowered, asksNow, ceiling, shownRows } = lower(ast, {
    ...loweringOptions(lowering),
    variables,
    values: query.values ?? {},
    filters: filterExpressions(resolved, lowering),
    page,
    ...(seesMore && { seesMore }),
    ...(file && { maxRows: file.rows + 1, defaultRows: file.rows + 1 }),
  });
  return {
    queries: [lowered],
    maxRows: (file?.rows ?? MAX_ROWS) + 1,
    maxBytes: file?.bytes ?? MAX_REPLY_BYTES,
    ...(file && { tooLarge: file.tooLarge }),
    dependsOn: () => [loweredTexts(lowered), asksNow ? lowering.now : null],
    resultOf: ([rows = []]) => {
      if (file !== undefined) {
        if (rows.length > file.rows) throw new QueryError("query_too_large", file.tooLarge);
        return { columns: lowered.columns, rows: cleaned(lowered, rows), hasMore: false };
      }
      const paged = lowerPage(page, rows, { ceiling, shownRows });
      const result = { ...paged, columns: lowered.columns, rows: cleaned(lowered, paged.rows) };
      const around = jsonTextBytes(JSON.stringify([query.query, lowered.columns, lowered.columns]));
      if (jsonTextBytes(JSON.stringify(result.rows)) > MOST_ROW_BYTES - around) throw new QueryError("query_too_large", TOO_LARGE_ROWS);
      return result;
    },
  };
};

/** A column called breakdown_value holds what an insight would: sentinels become what they stand for. */
const cleaned = ({ columns }: LoweredQuery, rows: Rows["rows"]): StoredResult["rows"] => {
  const at = columns.findIndex(({ name }) => name === "breakdown_value");
  return at === -1 ? rows : rows.map((row) => row.with(at, shownCell(row[at])));
};

/** Cleaning a cell only puts null or a text in the place of a text, at any depth of lists. */
const shownCell = (cell: Cell | undefined): Cell => shownValue(cell ?? null) as Cell;

/**
 * The page's rows, never more than a run answers, and whether there are more: the row behind the page is there, and the text's own LIMIT
 * is not reached.
 */
const lowerPage = (
  page: ResolvedSql["page"],
  rows: Rows["rows"],
  { ceiling, shownRows }: Pick<LoweredStatement, "ceiling" | "shownRows">,
): { readonly rows: Rows["rows"]; readonly hasMore: boolean } => {
  if (page === null) return { rows: rows.slice(0, shownRows ?? rows.length), hasMore: shownRows !== null && rows.length > shownRows };
  const most = Math.min(page.limit, MAX_ROWS);
  const left = ceiling === null ? most : Math.max(0, Number(ceiling) - page.offset);
  const shown = rows.slice(0, Math.min(most, left));
  return { rows: shown, hasMore: rows.length > shown.length && (ceiling === null || page.offset + shown.length < Number(ceiling)) };
};

const lowerInsight = ({ plan }: ResolvedInsight, lowering: LoweringInput): LoweredQueries => {
  const rowLimits = { maxRows: MAX_INSIGHT_ROWS + 1, defaultRows: MAX_INSIGHT_ROWS + 1 };
  const lowered = plan.queries.map((query) => lower(query, { ...loweringOptions(lowering), variables: {}, page: null, ...rowLimits }));
  return {
    queries: lowered.map((each) => each.lowered),
    maxRows: rowLimits.maxRows,
    maxBytes: MAX_INSIGHT_BYTES,
    // The rows of empty answers hold what a plan adds by itself: days, labels, dates of the range.
    dependsOn: () => [
      lowered.map((each) => [loweredTexts(each.lowered), each.asksNow ? lowering.now : null]),
      plan.rows(plan.queries.map(() => [])),
    ],
    resultOf: (results) => {
      if (results.some((rows) => rows.length > MAX_INSIGHT_ROWS)) throw new QueryError("query_too_large", TOO_LARGE);
      const rows = plan.rows(results).map(shownRow);
      checkSize(rows);
      return { columns: [], rows, hasMore: false };
    },
    tooLarge: TOO_LARGE,
  };
};

/** Throws where a reply cannot carry the rows. Row by row: all of a result that is too large may be many times what is allowed. */
export const checkSize = (rows: readonly InsightRow[]): void => {
  let bytes = 0;
  for (const row of rows) {
    bytes += jsonTextBytes(JSON.stringify(row)) + 1;
    if (bytes > MOST_ROW_BYTES) throw new QueryError("query_too_large", TOO_LARGE);
  }
};

/**
 * All that a lowered query gives the engine besides its state; of a list that goes along, its digest. Which properties have columns of
 * their own changes no answer, so it is what is asked without any.
 */
const loweredTexts = (lowered: LoweredQuery): unknown => {
  const { sql, parameters, scans, timezone } = namesEarned(lowered) ? withoutEarned(lowered) : lowered;
  const read = scans.map((scan) => (scan.kind === "list" ? { ...scan, list: scan.list.digest } : scan));
  return JSON.parse(JSON.stringify([sql, parameters, read, timezone], (_, value) => (typeof value === "bigint" ? `${value}n` : value)));
};

const namesEarned = ({ scans }: LoweredQuery): boolean => scans.some((scan) => "earned" in scan);

const withoutEarned = ({ tree, options: { hasEarned: _, ...options } }: LoweredQuery): LoweredQuery => lower(tree, options).lowered;

const TIMEOUT = "The queries of this insight took longer than one run may. Shorten its dates, or split it into several insights.";

/** The rows of each query of a run, in their order. */
export interface QueriedRows {
  readonly rows: readonly Rows["rows"][];
  readonly effort: Effort;
}

/** The rows of each query, one after the other, all over one state of the lake and within the time of one run. */
export const runQueries = async (
  { engine, config }: Pick<EnginePorts, "engine" | "config">,
  { queries, maxRows, maxBytes, tooLarge }: LoweredQueries,
  pinned: PinnedState,
  limits: Pick<Limits, "admitted" | "engine"> = {},
): Promise<QueriedRows> => {
  const started = performance.now();
  const results: Rows[] = [];
  for (const query of queries) {
    const timeMs = Math.ceil(config.queryTimeMs - (performance.now() - started));
    if (timeMs <= 0) throw new QueryError("query_timeout", TIMEOUT);
    const result = await engine.run(query, pinned, { ...limits, timeMs, maxRows, maxReplyBytes: maxBytes }).catch((thrown: unknown) => {
      if (tooLarge !== undefined && thrown instanceof QueryError && thrown.code === "query_too_large") {
        throw new QueryError("query_too_large", tooLarge);
      }
      throw thrown;
    });
    results.push(result);
  }
  return { rows: results.map(({ rows }) => rows), effort: effortOf(results) };
};
