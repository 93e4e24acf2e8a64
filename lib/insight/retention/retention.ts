import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, call, compare, constant, field, from, select } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import { floorTo } from "../dates.ts";
import { EARLIEST, earliestTime, type InsightContext, type InsightPlan, type PlanCell } from "../plan.ts";
import type { RetentionQuery } from "../query.ts";
import { OTHER_VALUE } from "../rows.ts";
import { listCells } from "./lists.ts";
import { columnName, fitsMasks, maskCells } from "./masks.ts";
import { rollingCells } from "./rolling.ts";
import { type Cell, type Counting, readCells, readWideCells, retentionRows } from "./rows.ts";
import { ACTORS, amountExpr, COHORT, COLUMN, readSource, type Source, TOTAL, VALUE } from "./scan.ts";
import { checkCells, periodNumber, readSettings, type Settings } from "./settings.ts";

/**
 * A retention as one query of cells (breakdown, cohort, column, actors), and where the range begins with the earliest event as a
 * second one that finds it. Throws `QueryError` for what it asks and nobody can answer.
 */
export const planRetention = (query: RetentionQuery, context: InsightContext): InsightPlan => {
  const settings = readSettings(query, context);
  const source = readSource(query, settings, context);
  const counting = readCounting(source);
  const { ast, cells, read } = chooseForm(source, counting);
  const hasValue = source.value !== null;
  const shown = hasValue ? limitValues(ast, context.breakdownLimit, cells) : ast;
  return {
    queries: settings.timeline.open ? [shown, EARLIEST] : [shown],
    rows: ([rows = [], earliest = []]) => {
      const found = read(rows, hasValue);
      const known = hasValue || found.length > 0 ? found : [NOBODY];
      return retentionRows(known, settings, shownCohorts(settings, earliestTime(earliest), context), counting, context);
    },
  };
};

/** Without a breakdown there are rows also when nobody ever started. */
const NOBODY: Cell = { value: null, cohort: 0, column: 0, actors: 0, total: 0 };

/** A query of cells, its columns, and how its rows are read. */
interface Form {
  readonly ast: Ast;
  readonly cells: Cells;
  readonly read: (rows: readonly (readonly PlanCell[])[], hasValue: boolean) => readonly Cell[];
}

const chooseForm = (source: Source, { aggregation }: Counting): Form => {
  const { rolling, columns } = source.settings;
  if (!rolling && fitsMasks(source)) {
    const sums = columns.map((_, column) => columnName(column));
    return { ast: maskCells(source), cells: { keys: [COHORT], sums, size: field(columnName(0)) }, read: readWideCells };
  }
  const size = call("if", compare("==", field(COLUMN), constant(0)), field(ACTORS), constant(0));
  const sums = aggregation === null ? [ACTORS] : [ACTORS, TOTAL];
  return { ast: rolling ? rollingCells(source) : listCells(source), cells: { keys: [COHORT, COLUMN], sums, size }, read: readCells };
};

/** The columns of a relation of cells. */
interface Cells {
  /** Columns that tell the cells of one value apart. */
  readonly keys: readonly string[];
  readonly sums: readonly string[];
  /** How many actors of the value's cohorts a row has. */
  readonly size: Expr;
}

/** Cells whose values past the limit, by size of their cohorts and then by name, are one. */
const limitValues = (cells: Ast, limit: number, { keys, sums, size }: Cells): Select => {
  const all = [VALUE, ...keys, ...sums].map((name) => field(name));
  const total: Expr = { kind: "window", name: "sum", args: [size], over: { partitionBy: [field(VALUE)], orderBy: [] } };
  const sized = select([...all, alias(SIZE, total)], { from: from(cells) });
  const orderBy = [
    { expr: field(SIZE), descending: true, nulls: "last" },
    { expr: field(VALUE), descending: false, nulls: "last" },
  ] as const;
  const rank: Expr = { kind: "window", name: "dense_rank", args: [], over: { partitionBy: [], orderBy } };
  const ranked = select([...all, alias(RANK, rank)], { from: from(sized) });
  const shown = call("if", compare("<=", field(RANK), constant(limit)), field(VALUE), constant(OTHER_VALUE));
  const by = keys.map((name) => field(name));
  const summed = sums.map((name) => alias(`${name}_together`, call("sum", field(name))));
  return select([alias(SHOWN, shown), ...by, ...summed], { from: from(ranked), groupBy: [field(SHOWN), ...by] });
};

const SIZE = "size_of_cohorts";
const RANK = "rank_of_value";
const SHOWN = "shown_value";

const readCounting = (source: Source): Counting => {
  const { aggregationType: type } = source.query.retentionFilter;
  const aggregation = amountExpr(source) === null || type === "count" ? null : type;
  const { rolling, cumulative } = source.settings;
  if (aggregation !== null && (rolling || cumulative)) {
    const other = rolling ? "24-hour windows" : "cumulative retention";
    throw new QueryError("invalid_input", `Sums and averages cannot be combined with ${other}: leave out one of the two.`);
  }
  return { sample: readSample(source.query), aggregation };
};

const readSample = ({ samplingFactor: share }: RetentionQuery): number | null => {
  if (share === null || (share > 0 && share <= 1)) return share;
  throw new QueryError("invalid_input", "`samplingFactor` is a share above 0 and up to 1.");
};

/** Numbers of the cohorts; with an open range from that of the earliest event, or of now when there is none. */
const shownCohorts = ({ timeline, period, columns }: Settings, earliest: bigint | null, context: InsightContext) => {
  if (!timeline.open) return { first: 0, end: timeline.cohorts };
  const last = timeline.cohorts - 1;
  const first = earliest === null ? last : periodNumber(timeline, floorTo(earliest, period, context), period, context);
  const within = Math.min(Math.max(first, 0), last);
  checkCells(timeline.cohorts - within, columns.length);
  return { first: within, end: timeline.cohorts };
};
