import { type Expression, flags } from "../../analysis/expression.ts";
import { isOpen, nameOf, UNKNOWN } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import type { Scope } from "../scope.ts";
import { keyOf } from "./expr.ts";

/** `arrayJoin(a)`: a row for each element. The same array named twice is one join, so that both move together. */
export const arrayJoin = (scope: Scope, array: Expression): Expression => {
  const { type } = array;
  if (type.kind !== "array" && !isOpen(type)) {
    throw new QueryError("illegal_type_of_argument", `arrayJoin needs an array, not ${nameOf(type, array.nullable)}.`);
  }
  const known = scope.arrayJoins.get(keyOf(array.sql));
  if (known !== undefined) return known.value;
  const table = scope.run.fresh("u");
  const value: Expression = {
    sql: `${table}.v`,
    type: type.kind === "array" ? type.of : UNKNOWN,
    nullable: type.kind !== "array" || type.nullable,
    ...flags([array]),
    loose: array.loose ?? "arrayJoin",
  };
  scope.arrayJoins.set(keyOf(array.sql), { value, join: ` CROSS JOIN LATERAL (SELECT unnest(${array.sql}) AS v) AS ${table}` });
  return value;
};
