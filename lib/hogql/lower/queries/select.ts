import type { Expression, Fact } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import { QueryError } from "../../errors.ts";
import { applyFacts } from "../../operators/compare.ts";
import type { Relation } from "../../schema/relation.ts";
import { AT, type Cte, type Expr, type OrderItem, type Select, type SetQuery } from "../../syntax/ast.ts";
import { atPosition, condition, expr, keyOf } from "../expressions/expr.ts";
import { whole } from "../expressions/fields.ts";
import { refuseWindows } from "../expressions/windows.ts";
import type { Ctes, Scope, Subquery } from "../scope.ts";
import { aliasesOf } from "./aliases.ts";
import { columnsOf } from "./columns.ts";
import type { Draft, RowWindow } from "./draft.ts";
import { arrayJoins, lowerFrom } from "./from.ts";
import { type LimitBy, lowerLimitBy, orderText } from "./limit-by.ts";
import { constantCount, isPosition } from "./limits.ts";
import { lowerSet } from "./set.ts";

export const lowerQuery = (run: Run, node: Select | SetQuery, ctes: Ctes | null, lazy: boolean): Draft => {
  run.countQuery();
  return node.kind === "select" ? lowerSelect(run, node, ctes, lazy) : lowerSet(run, node, ctes);
};

const withCtes = (run: Run, own: readonly Cte[], before: Ctes | null): Ctes | null =>
  own.reduce<Ctes | null>((frame, cte) => {
    if (cte.once !== true || (cte.query.kind !== "select" && cte.query.kind !== "set")) return { cte, before: frame };
    return { cte, before: frame, shared: { name: run.fresh("m_"), draft: lowerQuery(run, cte.query, frame, false) } };
  }, before);

/** `WITH …` of the queries that are computed once, of the frames down to `end`. */
const sharedText = (ctes: Ctes | null, end: Ctes | null): readonly string[] => {
  const texts: string[] = [];
  for (let frame = ctes; frame !== null && frame !== end; frame = frame.before) {
    if (frame.shared !== undefined) texts.unshift(`${frame.shared.name} AS MATERIALIZED (${frame.shared.draft.print()})`);
  }
  return texts.length === 0 ? [] : [`WITH ${texts.join(", ")}`];
};

const lowerSelect = (run: Run, node: Select, outer: Ctes | null, lazy: boolean): Draft => {
  const ctes = withCtes(run, node.ctes, outer);
  const relations: Relation[] = [];
  const scope: Scope = {
    run,
    relations,
    ctes,
    aliases: aliasesOf(node),
    open: new Set(),
    lowered: new Map(),
    shadowed: { count: 0 },
    named: new Map(),
    lambdas: [],
    windows: node.windows,
    columns: node.columns,
    arrayJoins: new Map(),
    merged: new Map(),
    samples: [],
    groupKeys: null,
    subtotals: node.subtotals !== undefined,
    noAggregates: null,
    subquery: (query) => standing(run, query, ctes),
  };
  const joins = lowerFrom(scope, node);
  const arrays = arrayJoins(scope, node);
  const where = lowerWhere(scope, node);
  const groups = lowerGroups(scope, node);
  if (groups !== null) {
    scope.lowered.clear();
    scope.named.clear();
    scope.groupKeys = new Map(groups.map(({ sql }) => [keyOf(sql), sql]));
  }
  if (groups !== null) refuseWindows(groups, "GROUP BY", node[AT]);
  const columns = columnsOf(scope, node);
  const eager = columns.map((column) => (column.lazy ? undefined : column.expression()));
  const having = node.having === null ? null : condition(scope, node.having);
  if (having !== null) refuseWindows([having], "HAVING", node.having?.[AT]);
  const orderBy = node.orderBy.map((item) => ({ item, expression: orderExpression(scope, item, node) }));
  const qualify = node.qualify === null ? null : condition(scope, node.qualify);
  const parts = [...eager.filter((column) => column !== undefined), ...orderBy.map(({ expression }) => expression)];
  const grouped = groups !== null || having !== null || parts.some((part) => part.aggregate);
  const lowered = grouped ? columns.map((column) => column.expression()) : eager;
  if (grouped) for (const [index, column] of lowered.entries()) refuseLoose(column, node.columns[index]);
  if (grouped) for (const { item, expression } of orderBy) refuseLoose(expression, item.expr);
  const limitBy = lowerLimitBy(scope, node);
  const outputs = new Map<string, string>();
  const list: string[] = [];
  const positions = new Map<string, number>();
  const add = (sql: string): string => {
    const name = `c${list.length + 1}`;
    list.push(`${sql} AS ${name}`);
    if (!positions.has(sql)) positions.set(sql, list.length);
    return name;
  };
  /** What is in the list already is named by its position: shorter, and planned once. */
  const listed = (sql: string): string => String(positions.get(sql) ?? sql);
  const output = (expression: Expression): string => {
    const known = outputs.get(expression.sql) ?? add(expression.sql);
    outputs.set(expression.sql, known);
    return known;
  };
  const closed = !lazy || grouped || node.distinct;
  if (closed) for (const column of columns) add(column.expression().sql);
  else for (const column of lowered) if (column?.window || column?.aggregate) output(column);
  const windowed = limitBy !== null || qualify !== null || node.limit !== null || node.offset !== null || parts.some((part) => part.window);
  const ownRows = rowWindow(scope, node);
  const sorted = orderBy.filter(({ expression }) => expression.known === undefined);
  const selected = (columns: readonly string[], qualified: readonly (string | undefined)[]): readonly string[] => {
    const conditions = qualified.filter((text) => text !== undefined);
    return [
      `SELECT ${node.distinct ? "DISTINCT " : ""}${columns.length === 0 ? "1" : columns.join(", ")}`,
      ...(joins.length === 0 ? [] : [`FROM ${joins.map((text) => text()).join(" ")}`]),
      ...(joins.length === 0 && (arrays.length > 0 || scope.arrayJoins.size > 0) ? ["FROM (SELECT 1)"] : []),
      ...arrays,
      ...[...scope.arrayJoins.values()].map(({ join }) => join),
      ...(where === null ? [] : [`WHERE ${run.asFilter(where.sql)}`]),
      ...(groups === null ? [] : groups.length === 0 ? [] : [`GROUP BY ${groupingSql(node, groups, listed)}`]),
      ...(having === null ? [] : [`HAVING ${having.sql}`]),
      ...(conditions.length === 0 ? [] : [`QUALIFY ${conditions.join(" AND ")}`]),
    ];
  };
  const plain = (): readonly string[] => [
    ...selected(list, [qualify?.sql, limitBy?.condition(limitBy.keys, sorted)]),
    ...(sorted.length === 0 ? [] : [`ORDER BY ${orderText(sorted, listed)}`]),
  ];
  /** LIMIT BY over the rows that are left after windows, QUALIFY and DISTINCT, which need a query of their own. */
  const limitedAfter = (by: LimitBy): readonly string[] => {
    const beside: string[] = [];
    const named = (expression: Expression): Expression => {
      const position = positions.get(expression.sql);
      if (position === undefined) beside.push(`${expression.sql} AS k${beside.length + 1}`);
      return { ...expression, sql: position === undefined ? `k${beside.length}` : `c${position}` };
    };
    const keys = by.keys.map(named);
    const order = sorted.map(({ item, expression }) => ({ item, expression: named(expression) }));
    if (node.distinct && beside.length > 0) return plain();
    return [
      `SELECT ${list.length === 0 ? "1" : list.map((_, index) => `c${index + 1}`).join(", ")}`,
      `FROM (${selected([...list, ...beside], [qualify?.sql]).join(" ")})`,
      `QUALIFY ${by.condition(keys, order)}`,
      ...(order.length === 0 ? [] : [`ORDER BY ${orderText(order)}`]),
    ];
  };
  const isAfter =
    node.distinct ||
    qualify !== null ||
    [...(limitBy?.keys ?? []), ...sorted.map(({ expression }) => expression)].some((part) => part.window);
  const print = (rows?: RowWindow): string => {
    const window = rows ?? ownRows;
    return [
      ...sharedText(ctes, outer),
      ...(limitBy !== null && isAfter ? limitedAfter(limitBy) : plain()),
      ...(window === null ? [] : [`LIMIT ${window.limit}`, ...(window.offset === null ? [] : [`OFFSET ${window.offset}`])]),
    ].join(" ");
  };
  return {
    columns: columns.map((column) => ({ name: column.name, member: column.member })),
    closed,
    passes: ({ sql }) => !windowed && (!grouped || scope.groupKeys?.has(keyOf(sql)) === true),
    output,
    print,
  };
};

/** Keys of totals are written out: by their position they would be what the list shows in the rows of totals. */
const groupingSql = ({ subtotals }: Select, groups: readonly Expression[], listed: (sql: string) => string): string =>
  subtotals === undefined
    ? groups.map(({ sql }) => listed(sql)).join(", ")
    : `${subtotals.toUpperCase()} (${groups.map(({ sql }) => sql).join(", ")})`;

/** A subquery that stands as a value: closed, with its columns named c1, c2, …. */
const standing = (run: Run, query: Select | SetQuery, ctes: Ctes | null): Subquery => {
  const draft = lowerQuery(run, query, ctes, false);
  return { sql: draft.print(), columns: draft.columns.map((column) => ({ name: column.name, expression: whole(run, column.member()) })) };
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
  const samples = scope.samples.map((sql): Expression => ({ sql, type: { kind: "boolean" }, nullable: false }));
  const all = [...conditions, ...samples];
  if (all.length === 0) return null;
  const facts = all.flatMap((part): readonly Fact[] => part.facts ?? []);
  applyFacts(facts);
  const left = leftToScan(scope, node, all.flatMap(conjunctsOf));
  return left.length === 0 ? null : { sql: left.map(({ sql }) => sql).join(" AND "), type: { kind: "boolean" }, nullable: true };
};

const conjunctsOf = (value: Expression): readonly Expression[] => value.conjuncts?.flatMap(conjunctsOf) ?? [value];

/**
 * The conditions without those that only bound the time of the one table of events: the scan keeps to them by itself, and need
 * not read the time at all in files that lie within.
 */
const leftToScan = ({ relations }: Scope, node: Select, conditions: readonly Expression[]): readonly Expression[] => {
  const [table, ...others] = relations;
  if (table?.scanned === undefined || others.length > 0 || node.joins.length > 0) return conditions;
  const { draft, table: name } = table.scanned;
  const left = conditions.filter(({ exact, facts }) => !(exact && facts?.every(({ bounds }) => bounds === draft.bounds)));
  if (left.length < conditions.length) draft.bounded = name;
  return left;
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

const orderExpression = (scope: Scope, { expr: node }: OrderItem, select: Select): Expression => {
  if (isPosition(node)) return atPosition(scope, Number(node.value), node);
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

const refuseLoose = (expression: Expression | undefined, node: Expr | undefined): void => {
  if (expression?.loose === undefined) return;
  throw new QueryError(
    "not_an_aggregate",
    `The column \`${expression.loose}\` is neither inside an aggregate nor in GROUP BY.`,
    node === undefined ? undefined : node[AT],
  );
};

const rowWindow = (scope: Scope, node: Select): RowWindow | null => {
  const { run } = scope;
  if (node.limit === null && node.offset === null) return null;
  const offset = node.offset === null ? null : `${run.bind(constantCount(scope, node.offset, "OFFSET"))}::BIGINT`;
  return { limit: node.limit === null ? "ALL" : `${run.bind(constantCount(scope, node.limit, "LIMIT"))}::BIGINT`, offset };
};
