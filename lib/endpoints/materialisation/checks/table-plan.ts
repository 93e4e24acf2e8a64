import type { Call, Expr, Select, TableSource } from "../../../hogql/ast.ts";
import { alias, call, compare, every } from "../../../hogql/build.ts";
import { isAggregate } from "../../../hogql/inspect.ts";
import { columnName, expressionLabel } from "../../../hogql/text.ts";
import { childNodes, mapChildren, mapOrder, sameTree, someNode } from "../../../hogql/walk.ts";
import { findReaggregation, type Reaggregation } from "./aggregates.ts";
import type { ExtractedQuery, VariableColumn } from "./extract-variables.ts";
import { type FlatSelect, flattened } from "./flat.ts";
import { NotMaterialisable } from "./reason.ts";

/** A column of a version's table. */
export interface TableColumn {
  readonly name: string;
  readonly item: Expr;
  readonly role: "key" | "aggregate" | "value" | "variable";
}

/** How a query is divided: what its table holds, and what is done to that when it is read. */
export interface TablePlan {
  readonly flat: FlatSelect;
  readonly extracted: ExtractedQuery;
  readonly columns: readonly TableColumn[];
  /** A read puts several rows of the table together: values of the variables stand for many, or there is one row for all. */
  readonly regroups: boolean;
  /** Every aggregate of the query can be put together from those of parts of its rows. */
  readonly reaggregates: boolean;
}

/** Divides a query whose variables are taken out. Throws `NotMaterialisable` where reads of a table could not give what it gives. */
export const planTable = (extracted: ExtractedQuery): TablePlan => {
  const { select, variableColumns } = extracted;
  refuseShapes(select);
  const flat = flattened(select);
  const columns = tableColumns(flat, variableColumns);
  const aggregates = columns.flatMap(({ item }) => (isAggregate(item) ? [item] : []));
  const lasting = aggregates.find((aggregate) => findReaggregation(aggregate) === null);
  const many = variableColumns.find(({ kind }) => kind !== "equal");
  if (many !== undefined && flat.isGrouped && lasting !== undefined)
    throw new NotMaterialisable(
      "aggregate_not_reaggregatable",
      `the aggregate ${expressionLabel(lasting)} cannot be re-aggregated, and one value of '${many.variable}' stands for many rows of the table.`,
    );
  const reaggregates = lasting === undefined;
  return { flat, extracted, columns, regroups: many !== undefined || (flat.isGrouped && flat.keys === null && reaggregates), reaggregates };
};

const refuseShapes = (select: Select): void => {
  const { columns, having, orderBy, limitBy, windows, qualify } = select;
  const shown = [...columns, ...(having === null ? [] : [having]), ...orderBy.map(({ expr }) => expr), ...(limitBy?.by ?? [])];
  if (Object.keys(windows).length > 0 || qualify !== null || shown.some((item) => someNode(item, ({ kind }) => kind === "window")))
    throw new NotMaterialisable("downstream_window", "a window function sees the rows of all values of the variables.");
  if (select.subtotals !== undefined) throw new NotMaterialisable("downstream_shape", "GROUP BY with ROLLUP or CUBE makes rows of totals.");
  if (shown.some((item) => someNode(item, ({ kind }) => kind === "select" || kind === "set")))
    throw new NotMaterialisable("scalar_subquery_reference", "Scalar subquery: a column, HAVING or ORDER BY holds a query of its own.");
  if (select.columns.some((column) => column.kind === "call" && column.name === "untuple"))
    throw new NotMaterialisable("downstream_shape", "untuple makes columns that only the rows tell.");
};

const tableColumns = (flat: FlatSelect, variableColumns: readonly VariableColumn[]): readonly TableColumn[] => {
  const found: TableColumn[] = [];
  const add = (item: Expr, role: TableColumn["role"], name: string): void => {
    if (!found.some((column) => sameTree(column.item, item))) found.push({ name: freeName(name, found), item, role });
  };
  const visit = (item: Expr, name: string): void => {
    if (!flat.isGrouped) add(item, "value", name);
    else
      for (const leaf of findLeaves(item, flat))
        add(leaf, isAggregate(leaf) ? "aggregate" : "key", leaf === item ? name : expressionLabel(leaf));
  };
  for (const { name, item } of flat.columns) visit(item, name);
  for (const { expr } of flat.orderBy) visit(expr, columnName(expr));
  for (const by of flat.limitBy?.by ?? []) visit(by, columnName(by));
  if (flat.having !== null) visit(flat.having, "having");
  for (const key of flat.keys ?? []) add(key, "key", columnName(key));
  for (const { variable, source: item } of variableColumns) {
    const same = found.find(({ name }) => name === variable);
    // A property may be written in two ways, and each is a column of its own.
    if (same === undefined || (same.role === "variable" && !found.some((column) => sameTree(column.item, item))))
      found.push({ name: freeName(variable, found), item, role: "variable" });
    else if (same.role !== "variable" && !sameTree(same.item, item))
      throw new NotMaterialisable(
        "alias_conflict",
        `the variable '${variable}' conflicts with an existing SELECT alias of another expression. Give one of the two another name.`,
      );
  }
  return found;
};

const freeName = (name: string, taken: readonly TableColumn[]): string =>
  taken.some((column) => column.name === name) ? freeName(`${name}_`, taken) : name;

/** The keys and aggregates that an expression over groups is made of. */
const findLeaves = (item: Expr, flat: FlatSelect, bound: readonly string[] = []): readonly Expr[] => {
  if (isAggregate(item) || (bound.length === 0 && isKey(item, flat))) return [item];
  if (item.kind === "field" && !bound.includes(String(item.chain[0])))
    throw new NotMaterialisable(
      "downstream_shape",
      `${expressionLabel(item)} is neither a key of GROUP BY as it is written there nor an aggregate.`,
    );
  const within = item.kind === "lambda" ? [...bound, ...item.args] : bound;
  return childNodes(item).flatMap((part) => findLeaves(part, flat, within));
};

const isKey = (item: Expr, { keys }: FlatSelect): boolean => keys?.some((key) => sameTree(key, item)) ?? false;

/** What is written in place of a table's columns where it is read, and how. */
export interface Reading {
  readonly from: TableSource;
  readonly column: (index: number) => Expr;
  readonly regroups: boolean;
  /** Columns with an aggregate that has a value where no row fits: of partial results that is none. */
  readonly hasDefault: (index: number) => boolean;
}

/** The query that fills the table. */
export const tableQuery = (plan: TablePlan, { regroups }: Pick<Reading, "regroups">): Select => {
  const { flat, extracted, columns } = plan;
  const { select } = extracted;
  const keys = unique(columns.filter(({ role }) => role === "key" || role === "variable").map(({ item }) => item));
  return {
    ...select,
    columns: columns.map(({ item }) => (regroups ? partial(item) : item)),
    prewhere: null,
    where: flat.conditions.length === 0 ? null : every(flat.conditions),
    groupBy: flat.isGrouped && (keys.length > 0 || flat.keys !== null) ? keys : null,
    having: havingStays(flat, regroups) ? flat.having : null,
    distinct: select.distinct && !flat.isGrouped,
    orderBy: [],
    limitBy: null,
    limit: null,
    offset: null,
  };
};

const unique = (items: readonly Expr[]): readonly Expr[] =>
  items.filter((item, index) => items.findIndex((other) => sameTree(other, item)) === index);

/** Least and greatest values of rows that fulfil a condition have a default of no rows, which a part must not take for a value. */
const partial = (item: Expr): Expr => (hasEmptyParts(item) ? { ...item, name: `${item.name}OrNull` } : item);

const hasEmptyParts = (item: Expr): item is Extract<Expr, { kind: "call" }> =>
  item.kind === "call" && isAggregate(item) && /^(min|max)If$/.test(item.name);

const havingStays = (flat: FlatSelect, regroups: boolean): boolean => !regroups && flat.keys !== null;

/** The query over the table that gives what the original gives, with the placeholders of the original in it. */
export const readQuery = (plan: TablePlan, reading: Reading): Select => {
  const { flat, extracted, columns } = plan;
  const { select, variableColumns } = extracted;
  const read = (item: Expr): Expr => {
    const index = columns.findIndex((column) => sameTree(column.item, item) && column.role !== "variable");
    const known = columns[index];
    if (known === undefined) return mapChildren(item, read);
    return known.role === "aggregate" ? together(known.item, index, flat, reading) : reading.column(index);
  };
  const conditions = variableColumns.map((use) => predicate(use, columns, reading));
  const having = flat.having === null || havingStays(flat, reading.regroups) ? null : read(flat.having);
  const groups = flat.isGrouped && (reading.regroups || flat.keys === null);
  return {
    ...select,
    ctes: [],
    columns: flat.columns.map(({ name, item }) => alias(name, read(item))),
    from: reading.from,
    joins: [],
    arrayJoin: null,
    prewhere: null,
    where: conditions.length === 0 ? null : every(conditions),
    groupBy: groups && flat.keys !== null ? flat.keys.map(read) : null,
    having,
    orderBy: mapOrder(flat.orderBy, read),
    limitBy: flat.limitBy === null ? null : { ...flat.limitBy, by: flat.limitBy.by.map(read) },
  };
};

/** An aggregate from its parts, or the one there is: none where no row fits, and then the aggregate's own value of no rows. */
const together = (item: Expr, index: number, flat: FlatSelect, { regroups, column, hasDefault }: Reading): Expr => {
  if (item.kind !== "call") return column(index);
  const name = findReaggregation(item);
  if (regroups && name !== null) return call(hasEmptyParts(item) && hasDefault(index) ? `${name}OrDefault` : name, column(index));
  if (flat.keys !== null) return column(index);
  return call(isSum(item) ? "sum" : "any", column(index));
};

/** A sum of no rows is 0 also where its values could be NULL, of the one row there is it is that row's. */
const isSum = ({ name }: Call): boolean => /^sum(Distinct)?(Array)?(If)?$/i.test(name);

const predicate = (use: VariableColumn, columns: readonly TableColumn[], reading: Reading): Expr => {
  const column = reading.column(columns.findIndex((each) => sameTree(each.item, use.source)));
  const { condition, bucket } = use;
  if (condition.kind === "compare" && use.kind !== "optional") {
    const value = bucket === null ? condition.right : call(bucket, call("toDateTime", condition.right));
    return compare(condition.op, column, value);
  }
  const replaced = (part: Expr): Expr => (sameTree(part, use.column) ? column : mapChildren(part, replaced));
  return replaced(condition);
};

/** The aggregates of the query's own columns, by what they are called, as clients are shown them. */
export const shownAggregates = ({
  flat,
}: TablePlan): readonly { readonly expression: string; readonly reaggregate_fn: Reaggregation | null }[] =>
  flat.columns.flatMap(({ name, item }) =>
    someNode(item, isAggregate) ? [{ expression: name, reaggregate_fn: isAggregate(item) ? findReaggregation(item) : null }] : [],
  );
