import { derive, type Expression } from "../../analysis/expression.ts";
import { AT, type Between, type Compare, type DistinctFrom, type Expr } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { inList, tuple, tuples } from "../../operators/collections.ts";
import { comparable, compareValues, conjunction, type Mode, notEqual } from "../../operators/compare.ts";
import { like, matches } from "../../operators/patterns.ts";
import { column, FALSE, ident, NOTHING, type Sql, separated, sql, TRUE } from "../../sql/fragment.ts";
import { BOOLEAN } from "../../types.ts";
import { findCte, type Scope } from "../scope.ts";
import { expr } from "./expr.ts";

export const comparison = (scope: Scope, node: Compare | DistinctFrom, mode: Mode): Expression => {
  const { context } = scope;
  if (node.kind === "compare" && (node.op === "in" || node.op === "not in")) return membership(scope, node, mode);
  const left = expr(scope, node.left);
  const right = expr(scope, node.right);
  if (node.kind === "distinct-from") {
    const [a, b] = left.known === null || right.known === null ? [left, right] : comparable(context, left, right, "IS DISTINCT FROM");
    return derive(sql`(${a.tree} IS ${node.negated ? sql`NOT ` : NOTHING}DISTINCT FROM ${b.tree})`, BOOLEAN, [left, right], false);
  }
  switch (node.op) {
    case "==":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return tuples(context, left, right, node.op) ?? compareValues(context, node.op, left, right, mode);
    case "!=": {
      const equal = tuples(context, left, right, "==");
      return equal === undefined ? notEqual(context, left, right) : derive(sql`(NOT ${equal.tree})`, BOOLEAN, [equal], false);
    }
    case "like":
    case "not like":
    case "ilike":
    case "not ilike":
      return like(context, left, right, { negated: node.op.startsWith("not"), folded: node.op.endsWith("ilike") }, mode);
    case "=~":
    case "!~":
    case "=~*":
    case "!~*":
      return matches(context, left, right, { negated: node.op.startsWith("!"), folded: node.op.endsWith("*") }, mode);
    default:
      return membership(scope, node, mode);
  }
};

export const between = (scope: Scope, node: Between, mode: Mode): Expression => {
  const item = expr(scope, node.item);
  const inner = node.negated ? "value" : mode;
  const parts = [
    compareValues(scope.context, ">=", item, expr(scope, node.low), inner),
    compareValues(scope.context, "<=", item, expr(scope, node.high), inner),
  ];
  const both = conjunction(scope.context, parts);
  return node.negated ? derive(sql`(NOT ${both.tree})`, BOOLEAN, [both], false) : both;
};

/** `IN` a list, an array, a subquery or the name of a CTE. */
const membership = (scope: Scope, node: Compare, mode: Mode): Expression => {
  const negated = node.op === "not in";
  const item = expr(scope, node.left);
  const { right } = node;
  if (right.kind === "select" || right.kind === "set") return inSubquery(scope, item, right, negated, mode);
  const cte = right.kind === "field" && right.chain.length === 1 ? findCte(scope.ctes, String(right.chain[0])) : null;
  if (cte !== null && (cte.cte.query.kind === "select" || cte.cte.query.kind === "set"))
    return inSubquery(scope, item, cte.cte.query, negated, mode);
  return inList(scope.context, item, expr(scope, right), negated, mode);
};

/** Always the same name, so that the same IN is the same text: nothing but its own brackets sees it. */
const LISTED = ident("i");

const inSubquery = (
  scope: Scope,
  item: Expression,
  query: Extract<Expr, { kind: "select" | "set" }>,
  negated: boolean,
  mode: Mode,
): Expression => {
  const { tree, columns } = scope.subquery(query);
  const found = columns.map(
    ({ expression }, index): Expression => ({
      tree: column(LISTED, `c${index + 1}`),
      type: expression.type,
      nullable: expression.nullable,
    }),
  );
  const items = item.type.kind === "tuple" && item.items ? item.items : [item];
  if (items.length !== found.length) {
    throw new QueryError("invalid_input", `The subquery of IN must have ${items.length} column(s), not ${found.length}.`, query[AT]);
  }
  const pairs = items.map((one, index) => comparable(scope.context, one, found[index] ?? one, "IN"));
  const lefts = pairs.map(([left]) => left);
  const rights = pairs.map(([, right]) => right);
  const nulls = rights.filter((right) => right.nullable).map((right) => sql`${right.tree} IS NOT NULL`);
  const where = negated && nulls.length > 0 ? sql` WHERE ${separated(nulls, sql` AND `)}` : NOTHING;
  const [left, right] = [comparisonSide(lefts), comparisonSide(rights)];
  const text = sql`(${left} ${negated ? sql`NOT IN` : sql`IN`} (SELECT ${right} FROM (${tree}) AS ${LISTED}${where}))`;
  const nullable = [...lefts, ...rights].some((part) => part.nullable);
  if (!nullable || (mode === "filter" && !negated)) return derive(text, BOOLEAN, [item], nullable);
  return derive(sql`coalesce(${text}, ${negated ? TRUE : FALSE})`, BOOLEAN, [item], false);
};

/** One value, or a tuple of several. */
const comparisonSide = (values: readonly Expression[]): Sql => {
  const [only, ...others] = values;
  return only !== undefined && others.length === 0 ? only.tree : tuple(values).tree;
};
