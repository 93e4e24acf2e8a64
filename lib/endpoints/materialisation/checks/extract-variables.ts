import type { Cte, Expr, Select, SetQuery } from "../../../hogql/ast.ts";
import { alias, call, field } from "../../../hogql/build.ts";
import { columnName } from "../../../hogql/text.ts";
import { isStar, sameTree, someNode } from "../../../hogql/walk.ts";
import { hasAggregate } from "./aggregates.ts";
import { NotMaterialisable } from "./reason.ts";
import { splitConjuncts, type VariableUse, type VariableUses, variablesIn } from "./variable-uses.ts";

/** A variable whose condition left the query. */
export interface VariableColumn extends VariableUse {
  /** The column that stands for it there, rounded down where it is, in terms of what its SELECT reads from. */
  readonly source: Expr;
  /** The function that rounds the column down, and the value where the table is read; null where there is none. */
  readonly bucket: string | null;
}

/** The query without the conditions of its variables, and what stands for them in its own SELECT. */
export interface ExtractedQuery {
  readonly select: Select;
  readonly variableColumns: readonly VariableColumn[];
}

/** Says which function a range over this column of this SELECT is rounded with. */
export type BucketOf = (select: Select, column: Expr) => string | null;

/** Takes the conditions of the variables out. Throws `NotMaterialisable` where a column cannot be carried up to the top. */
export const extractVariables = (ast: Select, { cte, uses }: VariableUses, bucketOf: BucketOf): ExtractedQuery => {
  if (cte === null) return { select: withoutVariables(ast), variableColumns: uses.map((use) => variableColumn(ast, use, bucketOf)) };
  const carriers = new Map<string, readonly string[]>();
  let names: readonly string[] = [];
  const many = uses.some(({ kind }) => kind !== "equal");
  let variableColumns: readonly VariableColumn[] = [];
  const ctes = ast.ctes.map((each): Cte => {
    if (each.scalar || (each.query.kind !== "select" && each.query.kind !== "set")) {
      refuseReference(each.query, carriers, "scalar_subquery_reference", `the value ${each.name} of WITH`);
      return each;
    }
    if (each.name === cte && each.query.kind === "select") {
      const inner = each.query;
      variableColumns = uses.map((use) => variableColumn(inner, use, bucketOf));
      names = carriedNames(variableColumns);
      carriers.set(each.name, names);
      if (each.columns !== null) throw new NotMaterialisable("downstream_shape", `the CTE ${cte} names its columns beside its query.`);
      const distinct = new Map(variableColumns.map((one, index) => [names[index] ?? one.variable, one.source]));
      return { ...each, query: widened(withoutVariables(inner), distinct, { name: each.name, many }) };
    }
    if (!names.length || !mentions(each.query, carriers)) return each;
    const query = carrying(each.query, carriers, names, { name: each.name, many });
    carriers.set(each.name, names);
    return { ...each, query };
  });
  const select = { ...ast, ctes };
  const source = carrierSource(select, carriers, "the query");
  const carried = (one: VariableColumn, index: number): VariableColumn => ({ ...one, source: field(source, names[index] ?? one.variable) });
  return { select, variableColumns: variableColumns.map(carried) };
};

/** The name under which each is carried up: that of its variable, and another one where that stands for another column already. */
const carriedNames = (variableColumns: readonly VariableColumn[]): readonly string[] => {
  const found = new Map<string, Expr>();
  const nameOf = (name: string, source: Expr): string => {
    const known = found.get(name);
    if (known !== undefined && !sameTree(known, source)) return nameOf(`${name}_`, source);
    found.set(name, source);
    return name;
  };
  return variableColumns.map(({ variable, source }) => nameOf(variable, source));
};

const variableColumn = (select: Select, use: VariableUse, bucketOf: BucketOf): VariableColumn => {
  const bucket = use.kind === "range" ? bucketOf(select, use.column) : null;
  return { ...use, source: bucket === null ? use.column : call(bucket, use.column), bucket };
};

const withoutVariables = (node: Select): Select => ({ ...node, prewhere: others(node.prewhere), where: others(node.where) });

const others = (condition: Expr | null): Expr | null => {
  if (condition === null) return null;
  const items = splitConjuncts(condition).filter((item) => variablesIn(item).length === 0);
  const [first, ...more] = items;
  if (first === undefined) return null;
  return more.length === 0 ? first : { kind: "and", items };
};

interface Level {
  readonly name: string;
  /** A value of the variable stands for many of these rows' groups. */
  readonly many: boolean;
}

/** A query of WITH that reads from one that carries the variables, and so carries them, too. */
const carrying = (query: Select | SetQuery, carriers: Carriers, names: readonly string[], level: Level): Select | SetQuery => {
  if (query.kind === "select") {
    const source = carrierSource(query, carriers, level.name);
    if (query.joins.length === 0 && query.columns.some(isStar)) return refuseLimits(query, level.name);
    return widened(query, new Map(names.map((name) => [name, field(source, name)])), level);
  }
  if (query.rest.some(({ operator }) => operator !== "UNION ALL"))
    throw new NotMaterialisable("downstream_set_operation", `${level.name} puts rows together by another operator than UNION ALL.`);
  if (query.limit !== null || query.offset !== null) throw limited(level.name);
  const leg = (part: Select | SetQuery): Select | SetQuery => {
    if (!mentions(part, carriers))
      throw new NotMaterialisable("downstream_union_leg", `a query of the UNION in ${level.name} does not read what carries the variable.`);
    return carrying(part, carriers, names, level);
  };
  return { ...query, first: leg(query.first), rest: query.rest.map(({ operator, query: part }) => ({ operator, query: leg(part) })) };
};

/** A SELECT with further columns, by which it groups where it groups. */
const widened = (node: Select, more: ReadonlyMap<string, Expr>, { name, many }: Level): Select => {
  refuseLimits(node, name);
  const isGrouped = node.groupBy !== null || node.columns.some(hasAggregate) || (node.having !== null && hasAggregate(node.having));
  if (isGrouped && (many || node.groupBy === null || node.subtotals !== undefined)) {
    const why = node.groupBy === null ? "without GROUP BY" : "behind a condition that many values fulfil";
    throw new NotMaterialisable("downstream_aggregate", `${name} aggregates ${why}. Aggregate at the top of the query.`);
  }
  const added = [...more].flatMap(([variable, item]): readonly Expr[] => {
    const same = node.columns.find((column) => columnName(column) === variable);
    if (same === undefined) return [alias(variable, item)];
    if (sameTree(same.kind === "alias" ? same.item : same, item)) return [];
    throw new NotMaterialisable("downstream_name_collision", `${name} has a column ${variable} already. Give one of the two another name.`);
  });
  const keys = node.groupBy === null || node.groupBy === "all" ? node.groupBy : [...node.groupBy, ...more.values()];
  return { ...node, columns: [...node.columns, ...added], groupBy: keys };
};

const refuseLimits = (node: Select, name: string): Select => {
  if (node.limit !== null || node.offset !== null || node.limitBy !== null) throw limited(name);
  if (Object.keys(node.windows).length > 0 || node.qualify !== null || node.columns.some(isWindowed))
    throw new NotMaterialisable("downstream_window", `${name} has a window function, which sees the rows of all values of the variable.`);
  return node;
};

const isWindowed = (node: Expr): boolean => someNode(node, ({ kind }) => kind === "window");

const limited = (name: string): NotMaterialisable =>
  new NotMaterialisable("downstream_limit", `${name} has a LIMIT, which counts the rows of one value of the variable only.`);

type Carriers = ReadonlyMap<string, readonly string[]>;

/** The name under which a SELECT reads from what carries the variables: once, and in no subquery. */
const carrierSource = (node: Select, carriers: Carriers, what: string): string => {
  const sources = [node.from, ...node.joins].filter((source) => source !== null);
  const found = sources.flatMap(({ table, alias: called }) => {
    if (table.kind === "name") return carriers.has(table.chain.join(".")) ? [called ?? table.chain.join(".")] : [];
    if (mentions(table, carriers)) throw nested(what);
    return [];
  });
  const [source, again] = found;
  const { from: _, joins: _joins, ctes: _ctes, ...rest } = node;
  refuseReference(rest, carriers, what === "the query" ? "scalar_subquery_reference" : "downstream_nested_subquery", what);
  if (source === undefined) throw new NotMaterialisable("downstream_no_source", `${what} does not read what carries the variable.`);
  if (again !== undefined) throw new NotMaterialisable("downstream_join", `${what} joins two sources that carry the variable.`);
  const outer = node.joins.find(({ join }) => join !== "JOIN" && join !== "INNER JOIN" && join !== "CROSS JOIN");
  if (outer !== undefined) throw new NotMaterialisable("downstream_join", `${what} has a ${outer.join}. Use INNER JOIN.`);
  return source;
};

const refuseReference = (
  tree: unknown,
  carriers: Carriers,
  code: "scalar_subquery_reference" | "downstream_nested_subquery",
  what: string,
): void => {
  if (!mentions(tree, carriers)) return;
  if (code === "downstream_nested_subquery") throw nested(what);
  throw new NotMaterialisable(code, `Scalar subquery: ${what} reads what carries the variable from within an expression.`);
};

const nested = (what: string): NotMaterialisable =>
  new NotMaterialisable("downstream_nested_subquery", `${what} reads what carries the variable in a nested subquery. Name it in WITH.`);

/** Whether a query reads from one of these names, at any depth. */
const mentions = (node: unknown, carriers: Carriers): boolean => {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some((item) => mentions(item, carriers));
  if ("kind" in node && node.kind === "name" && "chain" in node && Array.isArray(node.chain)) return carriers.has(node.chain.join("."));
  return Object.values(node).some((part) => mentions(part, carriers));
};
