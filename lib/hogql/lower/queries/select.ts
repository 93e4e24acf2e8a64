import type { LoweringContext } from "../../analysis/context.ts";
import type { Expression, Fact } from "../../analysis/expression.ts";
import type { PartialEventScan } from "../../analysis/scans.ts";
import { AT, type Cte, type Expr, type OrderItem, type Select, type SetQuery } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { applyFacts } from "../../operators/facts.ts";
import { parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { SqlMap } from "../../sql/same.ts";
import { isPosition, selectAliases } from "../../walk.ts";
import { atPosition, condition, expr } from "../expressions/expr.ts";
import { memberValue } from "../expressions/fields.ts";
import { refuseWindows } from "../expressions/windows.ts";
import type { Ctes, Scope, Subquery } from "../scope.ts";
import { columnAt, expandColumns, type SelectColumn } from "./columns.ts";
import { arrayJoins, lowerFrom } from "./from.ts";
import { constantCount, lowerLimitBy } from "./limits.ts";
import { type PartialQuery, type RowWindow, withShared } from "./partial-query.ts";
import { type Clauses, inWords, limitSql, newOutputList, selectSql } from "./select-sql.ts";
import { lowerSet } from "./set.ts";

export const lowerQuery = (context: LoweringContext, node: Select | SetQuery, ctes: Ctes | null, lazy: boolean): PartialQuery => {
  context.countQuery();
  return node.kind === "select" ? lowerSelect(context, node, ctes, lazy) : lowerSet(context, node, ctes);
};

const withCtes = (context: LoweringContext, own: readonly Cte[], before: Ctes | null): Ctes | null =>
  own.reduce<Ctes | null>((frame, cte) => {
    if (cte.once !== true || (cte.query.kind !== "select" && cte.query.kind !== "set")) return { cte, before: frame };
    return { cte, before: frame, shared: { name: context.alias("m_"), partial: lowerQuery(context, cte.query, frame, false) } };
  }, before);

/** `name AS MATERIALIZED (…)` of the queries that are computed once, of the frames down to `end`. */
const sharedQueries = (ctes: Ctes | null, end: Ctes | null): readonly Sql[] => {
  const queries: Sql[] = [];
  for (let frame = ctes; frame !== null && frame !== end; frame = frame.before) {
    const { shared } = frame;
    if (shared !== undefined) queries.unshift(sql`${shared.name} AS MATERIALIZED (${withShared(shared.partial.print())})`);
  }
  return queries;
};

const newScope = (context: LoweringContext, node: Select, ctes: Ctes | null): Scope => ({
  context,
  relations: [],
  ctes,
  aliases: selectAliases(node),
  open: new Set(),
  lowered: new Map(),
  shadowed: { count: 0 },
  named: new Map(),
  lambdas: [],
  windows: node.windows,
  columns: node.columns,
  arrayJoins: new SqlMap(),
  merged: new Map(),
  samples: [],
  groupKeys: null,
  subtotals: node.subtotals !== undefined,
  aggregates: { found: false },
  noAggregates: null,
  subquery: standingOnce(context, ctes),
});

const lowerClauses = (scope: Scope, node: Select): Clauses => {
  const joins = lowerFrom(scope, node);
  const arrays = arrayJoins(scope, node);
  const where = lowerWhere(scope, node);
  const groups = lowerGroups(scope, node);
  if (groups !== null) groupBy(scope, groups, node);
  const columns = expandColumns(scope, node);
  const eager = columns.map((column) => (column.lazy ? undefined : column.expression()));
  const having = node.having === null ? null : condition(scope, node.having);
  if (having !== null) refuseWindows([having], "HAVING", node.having?.[AT]);
  const orderBy = node.orderBy.map((item) => ({ item, expression: orderExpression(scope, item, node, columns) }));
  const qualify = node.qualify === null ? null : condition(scope, node.qualify);
  const parts = [...eager.filter((column) => column !== undefined), ...orderBy.map(({ expression }) => expression)];
  const isGrouped = groups !== null || having !== null || scope.aggregates.found;
  const listed = isGrouped ? columns.map((column) => column.expression()) : eager;
  if (isGrouped) for (const [index, column] of listed.entries()) refuseUngrouped(column, node.columns[index]);
  if (isGrouped) for (const { item, expression } of orderBy) refuseUngrouped(expression, item.expr);
  const limitBy = lowerLimitBy(scope, node, columns);
  const isWindowed = parts.some((part) => part.window);
  return { joins, arrays, where, groups, columns, listed, having, orderBy, qualify, limitBy, isGrouped, isWindowed };
};

/** From here on names mean what the groups have in common. */
const groupBy = (scope: Scope, groups: readonly Expression[], node: Select): void => {
  scope.lowered.clear();
  scope.named.clear();
  const keys = new SqlMap<Sql>();
  for (const { tree } of groups) keys.add(tree, tree);
  scope.groupKeys = keys;
  refuseWindows(groups, "GROUP BY", node[AT]);
};

const lowerSelect = (context: LoweringContext, node: Select, outer: Ctes | null, lazy: boolean): PartialQuery => {
  const ctes = withCtes(context, node.ctes, outer);
  const scope = newScope(context, node, ctes);
  const clauses = lowerClauses(scope, node);
  const { columns, listed, limitBy, qualify, isGrouped } = clauses;
  const ordered = orderScan(scope, clauses);
  const list = newOutputList();
  const closed = !lazy || isGrouped || node.distinct;
  if (closed) for (const column of columns) list.add(column.expression().tree);
  else for (const column of listed) if (column?.window || column?.aggregate) list.output(column.tree);
  const choosesRows = limitBy !== null || qualify !== null || clauses.isWindowed;
  const leavesRowsOut = choosesRows || node.limit !== null || node.offset !== null;
  const isAlone = scope.relations.length === 1 && node.joins.length === 0;
  const ownRows = rowWindow(scope, node);
  return {
    columns: columns.map((column) => ({ name: column.name, member: column.member })),
    closed,
    inTimeOf: choosesRows || node.distinct || !isAlone ? undefined : ordered,
    passes: ({ tree }) => !leavesRowsOut && (!isGrouped || scope.groupKeys?.has(tree) === true),
    output: ({ tree }) => list.output(tree),
    print: (rows = ownRows ?? undefined) => ({
      shared: sharedQueries(ctes, outer),
      body: inWords([selectSql(scope, node, clauses, list), ...limitSql(rows)]),
    }),
  };
};

/** Each subquery of a SELECT is lowered once, so that a key of GROUP BY that holds one is found again in the columns. */
const standingOnce = (context: LoweringContext, ctes: Ctes | null): Scope["subquery"] => {
  const lowered = new Map<string, Subquery>();
  return (query) => {
    const text = JSON.stringify(query);
    const found = lowered.get(text) ?? standing(context, query, ctes);
    lowered.set(text, found);
    return found;
  };
};

/** A subquery that stands as a value: closed, with its columns named c1, c2, …. */
const standing = (context: LoweringContext, query: Select | SetQuery, ctes: Ctes | null): Subquery => {
  const partial = lowerQuery(context, query, ctes, false);
  const columns = partial.columns.map((column) => ({ name: column.name, expression: memberValue(column.member()) }));
  return { tree: withShared(partial.print()), columns };
};

const lowerWhere = (scope: Scope, node: Select): Expression | null => {
  const inner = { ...scope, noAggregates: "WHERE" };
  const conditions = [node.prewhere, node.where]
    .filter((part) => part !== null)
    .map((part) => {
      const lowered = condition(inner, part);
      refuseWindows([lowered], "WHERE", part[AT]);
      return lowered;
    });
  const samples = scope.samples.map((tree): Expression => ({ tree, type: { kind: "boolean" }, nullable: false }));
  const all = [...conditions, ...samples];
  if (all.length === 0) return null;
  const facts = all.flatMap((part): readonly Fact[] => part.facts ?? []);
  applyFacts(facts);
  const left = leftToScan(scope, node, all.flatMap(conjuncts));
  return left.length === 0 ? null : { tree: separated(left.map(askedOfScan), sql` AND `), type: { kind: "boolean" }, nullable: true };
};

/**
 * A condition of WHERE as a scan asks it itself. DuckDB leaves a plain `IN` to a filter above the scan, which has then read the other columns
 * of every row; within `coalesce` it does not.
 */
const askedOfScan = ({ tree, isFew }: Expression): Sql => (isFew ? sql`coalesce(${tree}, false)` : tree);

const conjuncts = (value: Expression): readonly Expression[] => value.conjuncts?.flatMap(conjuncts) ?? [value];

/**
 * The conditions without those that only bound the time of the one table of events: the scan keeps to them by itself, and need
 * not read the time at all in files that lie within.
 */
const leftToScan = ({ relations }: Scope, node: Select, conditions: readonly Expression[]): readonly Expression[] => {
  const [table, ...others] = relations;
  if (table?.scanned === undefined || others.length > 0 || node.joins.length > 0) return conditions;
  const scan = table.scanned;
  const left = conditions.filter(({ exact, facts }) => !(exact && facts?.every(({ bounds }) => bounds === scan.bounds)));
  if (left.length < conditions.length) scan.bounded = true;
  return left;
};

/** The scan whose rows are wanted in the order of their times, if there is one: it is told which of them first. */
const orderScan = ({ relations }: Scope, { orderBy, isGrouped }: Clauses): PartialEventScan | undefined => {
  const [key] = orderBy.filter(({ expression }) => expression.known === undefined);
  const origin = key?.expression.origin;
  if (isGrouped || key === undefined || origin?.column !== "timestamp" || origin.below > 0n) return undefined;
  const scan = relations.find(({ scanned }) => scanned?.bounds === origin.bounds)?.scanned;
  if (scan !== undefined) scan.first = key.item.descending ? "newest" : "oldest";
  return scan;
};

const lowerGroups = (scope: Scope, node: Select): readonly Expression[] | null => {
  if (node.groupBy === null) return null;
  const inner = { ...scope, noAggregates: "GROUP BY" };
  if (node.groupBy === "all") {
    return node.columns.flatMap((column) => {
      const lowered = expr(scope, column);
      return lowered.aggregate || lowered.window ? [] : [lowered];
    });
  }
  return node.groupBy.map((item) => (isPosition(item) ? atPosition(inner, Number(item.value), item) : expr(inner, item)));
};

const orderExpression = (scope: Scope, { expr: node }: OrderItem, select: Select, columns: readonly SelectColumn[]): Expression => {
  if (isPosition(node)) return columnAt(columns, Number(node.value), node);
  if (
    node.kind === "field" &&
    node.chain.length === 1 &&
    String(node.chain[0]).toUpperCase() === "ALL" &&
    !scope.aliases.has(String(node.chain[0]))
  ) {
    throw new QueryError("unsupported", "ORDER BY ALL is not supported: name the columns.", select[AT]);
  }
  return expr(scope, node);
};

const refuseUngrouped = (expression: Expression | undefined, node: Expr | undefined): void => {
  if (expression?.ungroupedColumn === undefined) return;
  throw new QueryError(
    "not_an_aggregate",
    `The column \`${expression.ungroupedColumn}\` is neither inside an aggregate nor in GROUP BY.`,
    node === undefined ? undefined : node[AT],
  );
};

const rowWindow = (scope: Scope, node: Select): RowWindow | null => {
  if (node.limit === null && node.offset === null) return null;
  const offset = node.offset === null ? null : sql`${parameter(constantCount(scope, node.offset, "OFFSET"))}::BIGINT`;
  return { limit: node.limit === null ? sql`ALL` : sql`${parameter(constantCount(scope, node.limit, "LIMIT"))}::BIGINT`, offset };
};
