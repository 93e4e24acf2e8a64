import { unreachable } from "../../core/unreachable.ts";
import type { CompareOp } from "../../hogql/ast.ts";
import { fitBeside, fitList } from "./fit.ts";
import type { Piece } from "./piece.ts";
import type { Statement } from "./statement.ts";

/** How a comparison's value is used: in a condition a NULL is as good as false. */
export type Mode = "value" | "condition";

/** A comparison with the language's softened NULLs: false where a side is NULL, and the negated forms true. */
export const compare = (statement: Statement, op: CompareOp, left: Piece, right: Piece, mode: Mode): string => {
  if (op === "in" || op === "not in") return written(op, left, fitList(statement, right, left), mode);
  if (!ORDERS.has(op)) return written(op, left, right, mode);
  return written(op, fitBeside(statement, left, right), fitBeside(statement, right, left), mode);
};

const ORDERS: ReadonlySet<CompareOp> = new Set<CompareOp>(["==", "!=", "<", "<=", ">", ">="]);

const written = (op: CompareOp, left: Piece, right: Piece, mode: Mode): string => {
  const soft = (sql: string, missing: 0 | 1 = 0): string => (mode === "condition" && missing === 0 ? sql : `ifNull(${sql}, ${missing})`);
  const [a, b] = [left.sql, right.sql];
  switch (op) {
    case "==":
      if (left.known === null || right.known === null) return nulls("isNull", left, right);
      return soft(`equals(${a}, ${b})`);
    case "!=":
      if (left.known === null || right.known === null) return nulls("isNotNull", left, right);
      return `ifNull(notEquals(${a}, ${b}), ${isValue(left) || isValue(right) ? 1 : `or(isNotNull(${a}), isNotNull(${b}))`})`;
    case "<":
      return soft(`less(${a}, ${b})`);
    case "<=":
      return soft(`lessOrEquals(${a}, ${b})`);
    case ">":
      return soft(`greater(${a}, ${b})`);
    case ">=":
      return soft(`greaterOrEquals(${a}, ${b})`);
    case "like":
      return soft(`like(${a}, ${b})`);
    case "not like":
      return soft(`notLike(${a}, ${b})`, 1);
    case "ilike":
      return soft(`ilike(${a}, ${b})`);
    case "not ilike":
      return soft(`notILike(${a}, ${b})`, 1);
    case "in":
      return soft(`${a} IN ${b}`);
    case "not in":
      return soft(`${a} NOT IN ${b}`, 1);
    case "=~":
      return soft(`match(${a}, ${b})`);
    case "!~":
      return soft(`not(match(${a}, ${b}))`, 1);
    case "=~*":
      return soft(`match(${a}, concat('(?i)', ${b}))`);
    case "!~*":
      return soft(`not(match(${a}, concat('(?i)', ${b})))`, 1);
    default:
      return unreachable(op);
  }
};

const isValue = ({ known }: Piece): boolean => known !== undefined && known !== null;

/** With the literal NULL on a side, the other side is asked whether it is NULL. */
const nulls = (test: "isNull" | "isNotNull", left: Piece, right: Piece): string => {
  if (left.known === null && right.known === null) return test === "isNull" ? "1" : "0";
  if (left.known === null) return `${test}(${right.sql})`;
  return `${test}(${left.sql})`;
};

export const differs = (left: Piece, right: Piece, negated: boolean): string =>
  `(${left.sql} IS ${negated ? "NOT " : ""}DISTINCT FROM ${right.sql})`;
