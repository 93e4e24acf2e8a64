import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, field, from, select } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import { isAggregate } from "../../hogql/inspect.ts";
import { type CheckOptions, storedColumns } from "../../hogql/lower.ts";
import type { StoredColumn, StoredTable } from "../../hogql/options.ts";
import { isStar, sameTree } from "../../hogql/walk.ts";
import type { BUCKETS, StoredSql } from "../definition.ts";
import { TABLE_NAME } from "../materialisations.ts";
import { findReaggregation } from "./checks/aggregates.ts";
import { type Conditions, checks, planWithoutVariables } from "./checks/conditions.ts";
import type { BucketOf } from "./checks/extract-variables.ts";
import type { Reason } from "./checks/reason.ts";
import { planTable, readQuery, type TablePlan, tableQuery } from "./checks/table-plan.ts";

/** Columns, by their path, that are rounded otherwise than to their day. */
export type BucketOverrides = Readonly<Record<string, string>> | null;

/**
 * How a table is made of pieces that each hold the rows of one day of the project: groups of several pieces are put together when the
 * table is read, or no two pieces share a group.
 */
type Pieces = "regroup" | "union";

/** The content of a version's table, and how it is read. */
export interface Transform {
  /** The query whose rows are the table's: of all time, or of one piece of it. */
  readonly table: Ast;
  readonly columns: StoredTable["columns"];
  /** The query over the table, named `TABLE_NAME`, with the placeholders of the original. */
  readonly read: Select;
  /** code_names that a run has to give. */
  readonly variables: readonly string[];
  /** How the table is put together from days; null where it is made whole each time. */
  readonly pieces: Pieces | null;
  readonly plan: TablePlan | null;
}

/** Columns of the table by their place, so that no name of the author's can be taken for one. */
const columnAt = (index: number): string => `c${index + 1}`;

export type TransformResult =
  | { readonly kind: "transform"; readonly transform: Transform }
  | { readonly kind: "refused"; readonly reason: Reason };

/** Takes a query apart into what its table holds and what its runs read, or says why it cannot be. */
export const transformed = (query: StoredSql, ast: Ast, overrides: BucketOverrides, context: CheckOptions): TransformResult => {
  const conditions = checks.can_materialize_query(query, ast, bucketsIn(overrides, context));
  if (conditions.kind === "refused") return conditions;
  try {
    return { kind: "transform", transform: buildTransform(ast, conditions, context) };
  } catch (thrown) {
    if (!(thrown instanceof QueryError)) throw thrown;
    const text = `Variables not supported: the query cannot be divided as it is written: ${thrown.message}`;
    return { kind: "refused", reason: { code: "downstream_shape", text } };
  }
};

const buildTransform = (ast: Ast, conditions: Exclude<Conditions, { kind: "refused" }>, context: CheckOptions): Transform => {
  if (conditions.kind === "divided") return divided(conditions.plan, context);
  const plan = undividedPlan(ast);
  return plan === null ? whole(ast, context) : divided(plan, context);
};

/** A query without variables is divided where that lets it be put together from pieces; else its rows are kept as they are. */
const undividedPlan = (ast: Ast): TablePlan | null => {
  const plan = planWithoutVariables(ast);
  return plan?.flat.isGrouped && choosePieces(plan) !== null ? plan : null;
};

/** Null where a row of the table may depend on events of any two times at once. */
const choosePieces = (plan: TablePlan): Pieces | null => {
  const { flat, extracted } = plan;
  if (!readsEventsAlone(extracted.select)) return null;
  if (!flat.isGrouped) return "union";
  if (plan.reaggregates) return "regroup";
  return flat.keys?.some(tellsDay) ? "union" : null;
};

const readsEventsAlone = (select: Select): boolean => {
  const { from, joins, ctes } = select;
  const table = from?.table;
  if (table?.kind !== "name" || table.args !== null || table.chain.join(".") !== "events") return false;
  return joins.length === 0 && ctes.length === 0 && !holdsQuery([select.columns, select.prewhere, select.where, select.groupBy]);
};

const holdsQuery = (node: unknown): boolean => {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some(holdsQuery);
  return ("kind" in node && (node.kind === "select" || node.kind === "set")) || Object.values(node).some(holdsQuery);
};

/** Functions of a time that differ from day to day. */
const BY_DAY: ReadonlySet<string> = new Set([
  "toDate",
  "toStartOfDay",
  "toStartOfHour",
  "toStartOfMinute",
  "toStartOfSecond",
  "toStartOfFiveMinutes",
  "toStartOfTenMinutes",
  "toStartOfFifteenMinutes",
]);

const TIMESTAMP: Expr = { kind: "field", chain: ["timestamp"] };

const tellsDay = (key: Expr): boolean => {
  const [only, ...more] = key.kind === "call" && BY_DAY.has(key.name) ? key.args : [];
  return only !== undefined && more.length === 0 && sameTree(only, TIMESTAMP);
};

const whole = (ast: Ast, context: CheckOptions): Transform => {
  const columns = storedColumns(ast, context).map((column, index) => ({ ...column, shown: column.name, name: columnAt(index) }));
  const shown = columns.map(({ shown: name }, index) => alias(name, reference(index)));
  return {
    table: ast,
    columns,
    read: select(shown, { from: from(TABLE_NAME), limit: ast.limit }),
    variables: [],
    pieces: null,
    plan: null,
  };
};

const divided = (given: TablePlan, context: CheckOptions): Transform => {
  const plan = withStars(given, context);
  const pieces = choosePieces(plan);
  const regroups = plan.regroups || pieces === "regroup";
  const table = tableQuery(plan, { regroups });
  const columns = storedColumns(table, context).map((column, index) => ({
    ...column,
    name: columnAt(index),
    ...seen(plan, index, pieces),
  }));
  const plain = regroups ? storedColumns(tableQuery(plan, { regroups: false }), context) : columns;
  const read = readQuery(plan, {
    from: from(TABLE_NAME),
    column: reference,
    regroups,
    hasDefault: (index) => plain[index]?.nullable === false,
  });
  const variables = [...new Set(plan.extracted.variableColumns.map(({ variable }) => variable))];
  storedColumns(read, { ...context, tables: new Map([[TABLE_NAME, { key: "", bytes: 0, columns }]]) });
  return { table, columns, read, variables, pieces, plan };
};

/** A column of the table as other queries know it: its name, and that it holds parts where each day has its own rows. */
const seen = ({ columns }: TablePlan, index: number, pieces: Pieces | null): Pick<StoredColumn, "shown" | "parts"> => {
  const column = columns[index];
  if (column === undefined) return {};
  const { name: shown, item, role } = column;
  const parts = pieces === "regroup" && role === "aggregate" && isAggregate(item) ? findReaggregation(item) : null;
  return parts === null ? { shown } : { shown, parts };
};

const reference = (index: number): Expr => field(TABLE_NAME, columnAt(index));

/** `*` stands for columns that only the tables tell. */
const withStars = (plan: TablePlan, context: CheckOptions): TablePlan => {
  const { select: own, variableColumns } = plan.extracted;
  if (!own.columns.some(isStar)) return plan;
  const columns = own.columns.flatMap((column): readonly Expr[] => {
    if (!isStar(column)) return [column];
    const names = storedColumns({ ...sourceSelect(own), columns: [column] }, context).map(({ name }) => name);
    const isCarried = (name: string): boolean =>
      variableColumns.some(({ source, variable }) => variable === name && source.kind === "field" && source.chain.length === 2);
    return names.filter((name) => !isCarried(name)).map((name) => field(name));
  });
  return planTable({ ...plan.extracted, select: { ...own, columns } });
};

/** The sources of a SELECT, and nothing else of it. */
const sourceSelect = ({ ctes, from: source, joins, arrayJoin }: Select): Select => select([], { ctes, from: source, joins, arrayJoin });

/** The function that rounds a time down to each bucket. */
const BUCKET_FUNCTIONS: Readonly<Record<(typeof BUCKETS)[number], string>> & Readonly<Record<string, string | undefined>> = {
  minute: "toStartOfMinute",
  fifteen_minutes: "toStartOfFifteenMinutes",
  hour: "toStartOfHour",
  day: "toStartOfDay",
  week: "toStartOfWeek",
  month: "toStartOfMonth",
};

/** Times are rounded down to their day, or as the version says; a property only as it says. */
const bucketsIn =
  (overrides: BucketOverrides, context: CheckOptions): BucketOf =>
  (own, column) => {
    if (column.kind !== "field") return null;
    const asked = overrides?.[column.chain.join(".")];
    const given = asked === undefined ? undefined : BUCKET_FUNCTIONS[asked];
    if (given !== undefined) return given;
    if (column.chain.includes("properties")) return null;
    const [known] = storedColumns({ ...sourceSelect(own), columns: [column] }, context);
    return known?.type.kind === "datetime" ? BUCKET_FUNCTIONS.day : null;
  };
