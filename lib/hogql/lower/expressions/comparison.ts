import { type Expression, made } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import { BOOLEAN, isOpen, isText, STRING } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import { allOf, among, comparable, compared, differing, type Mode, mismatch } from "../../operators/compare.ts";
import { AT, type Between, type Compare, type DistinctFrom, type Expr } from "../../syntax/ast.ts";
import { findCte, type Scope } from "../scope.ts";
import { expr, tuple } from "./expr.ts";

export const comparison = (scope: Scope, node: Compare | DistinctFrom, mode: Mode): Expression => {
  const { run } = scope;
  if (node.kind === "compare" && (node.op === "in" || node.op === "not in")) return membership(scope, node, mode);
  const left = expr(scope, node.left);
  const right = expr(scope, node.right);
  if (node.kind === "distinct-from") {
    const [a, b] = left.known === null || right.known === null ? [left, right] : comparable(run, left, right, "IS DISTINCT FROM");
    return made(`(${a.sql} IS ${node.negated ? "NOT " : ""}DISTINCT FROM ${b.sql})`, BOOLEAN, [left, right], false);
  }
  switch (node.op) {
    case "==":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return tuples(run, left, right, node.op) ?? compared(run, node.op, left, right, mode);
    case "!=": {
      const equal = tuples(run, left, right, "==");
      return equal === undefined ? differing(run, left, right) : made(`(NOT ${equal.sql})`, BOOLEAN, [equal], false);
    }
    case "like":
    case "not like":
    case "ilike":
    case "not ilike":
      return like(run, left, right, { negated: node.op.startsWith("not"), folded: node.op.endsWith("ilike") }, mode);
    case "=~":
    case "!~":
    case "=~*":
    case "!~*":
      return matches(run, left, right, { negated: node.op.startsWith("!"), folded: node.op.endsWith("*") }, mode);
    default:
      return membership(scope, node, mode);
  }
};

/** Tuples written out are equal when each of their elements is. */
const tuples = (run: Run, left: Expression, right: Expression, op: string): Expression | undefined => {
  if (op !== "==" || left.type.kind !== "tuple" || right.type.kind !== "tuple" || !left.items || !right.items) return undefined;
  if (left.items.length !== right.items.length) throw mismatch(left, right, op);
  const others = right.items;
  return allOf(
    run,
    left.items.map((item, index) => compared(run, "==", item, others[index] ?? item, "value")),
  );
};

export interface Pattern {
  readonly negated: boolean;
  /** Whatever the case of letters. */
  readonly folded: boolean;
}

/** False for NULL, and the negated form true. */
export const like = (run: Run, value: Expression, pattern: Expression, { negated, folded }: Pattern, mode: Mode): Expression => {
  const text = asText(value, "LIKE");
  const like = asText(pattern, "LIKE");
  const escaped = typeof pattern.known === "string" && !pattern.known.includes("\\") ? "" : " ESCAPE '\\'";
  return soft(run, `(${text.sql} ${folded ? "ILIKE" : "LIKE"} ${like.sql}${escaped})`, [text, like], negated, mode);
};

/** RE2, where a dot matches a new line too. */
export const matches = (run: Run, value: Expression, pattern: Expression, { negated, folded }: Pattern, mode: Mode): Expression => {
  const text = asText(value, "match");
  const regex = asText(pattern, "match");
  return soft(run, `regexp_matches(${text.sql}, ${regex.sql}, '${folded ? "is" : "s"}')`, [text, regex], negated, mode);
};

const soft = (run: Run, sql: string, parts: readonly Expression[], negated: boolean, mode: Mode): Expression => {
  if (parts.some((part) => part.known === null)) return run.known(negated, BOOLEAN);
  const nullable = parts.some((part) => part.nullable);
  if (negated) return made(nullable ? `(NOT coalesce(${sql}, false))` : `(NOT ${sql})`, BOOLEAN, parts, false);
  return nullable && mode === "value" ? made(`coalesce(${sql}, false)`, BOOLEAN, parts, false) : made(sql, BOOLEAN, parts, nullable);
};

const asText = (value: Expression, what: string): Expression => {
  if (isText(value.type) || isOpen(value.type)) return value;
  if (value.type.kind === "uuid") return made(`CAST(${value.sql} AS VARCHAR)`, STRING, [value]);
  throw new QueryError("illegal_type_of_argument", `\`${what}\` needs a text: convert with toString.`);
};

export const between = (scope: Scope, node: Between, mode: Mode): Expression => {
  const item = expr(scope, node.item);
  const inner = node.negated ? "value" : mode;
  const parts = [
    compared(scope.run, ">=", item, expr(scope, node.low), inner),
    compared(scope.run, "<=", item, expr(scope, node.high), inner),
  ];
  const both = allOf(scope.run, parts);
  return node.negated ? made(`(NOT ${both.sql})`, BOOLEAN, [both], false) : both;
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
  return inList(scope.run, item, expr(scope, right), negated, mode);
};

export const inList = (run: Run, item: Expression, list: Expression, negated: boolean, mode: Mode): Expression => {
  if (item.type.kind === "tuple" && item.items) {
    const rows = list.items?.every((row) => row.type.kind === "tuple") ? list.items : [list];
    const any = rows.map((row) => tuples(run, item, row, "==")?.sql ?? "false").join(" OR ");
    return made(negated ? `(NOT (${any}))` : `(${any})`, BOOLEAN, [item, list], false);
  }
  if (list.items !== undefined) return among(run, item, list.items, negated, mode);
  if (list.type.kind === "array") {
    const sql = `coalesce(list_contains(${list.sql}, ${item.sql}), false)`;
    return made(negated ? `(NOT ${sql})` : sql, BOOLEAN, [item, list], false);
  }
  if (isOpen(list.type) && list.known !== null)
    return made(`(${item.sql} ${negated ? "NOT " : ""}IN (${list.sql}))`, BOOLEAN, [item, list]);
  return among(run, item, [list], negated, mode);
};

const inSubquery = (
  scope: Scope,
  item: Expression,
  query: Extract<Expr, { kind: "select" | "set" }>,
  negated: boolean,
  mode: Mode,
): Expression => {
  const { sql, columns } = scope.subquery(query);
  const table = scope.run.fresh("i");
  const found = columns.map(
    ({ expression }, index): Expression => ({
      sql: `${table}.c${index + 1}`,
      type: expression.type,
      nullable: expression.nullable,
    }),
  );
  const items = item.type.kind === "tuple" && item.items ? item.items : [item];
  if (items.length !== found.length) {
    throw new QueryError("invalid_input", `The subquery of IN must have ${items.length} column(s), not ${found.length}.`, query[AT]);
  }
  const pairs = items.map((one, index) => comparable(scope.run, one, found[index] ?? one, "IN"));
  const lefts = pairs.map(([left]) => left);
  const rights = pairs.map(([, right]) => right);
  const nulls = rights.filter((right) => right.nullable).map((right) => `${right.sql} IS NOT NULL`);
  const where = negated && nulls.length > 0 ? ` WHERE ${nulls.join(" AND ")}` : "";
  const [left, right] = lefts.length === 1 ? [lefts[0]?.sql, rights[0]?.sql] : [tuple(lefts).sql, tuple(rights).sql];
  const text = `(${left} ${negated ? "NOT IN" : "IN"} (SELECT ${right} FROM (${sql}) AS ${table}${where}))`;
  const nullable = [...lefts, ...rights].some((part) => part.nullable);
  if (!nullable || (mode === "filter" && !negated)) return made(text, BOOLEAN, [item], nullable);
  return made(`coalesce(${text}, ${negated})`, BOOLEAN, [item], false);
};
