import { type Expression, flags } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { column, separated, sql } from "../../sql/fragment.ts";
import { overOwnRow } from "../../sql/own-row.ts";
import { arrayHint, isOpen, typeName, UNKNOWN } from "../../types.ts";
import type { Scope } from "../scope.ts";

/** `arrayJoin(a)`: a row for each element. The same array named twice is one join, so that both move together. */
export const arrayJoin = (scope: Scope, array: Expression): Expression => {
  const { type } = array;
  if (type.kind !== "array" && !isOpen(type)) {
    throw new QueryError("illegal_type_of_argument", `arrayJoin needs an array, not ${typeName(type, array.nullable)}${arrayHint(type)}.`);
  }
  const known = scope.arrayJoins.get(array.tree);
  if (known !== undefined) return known.value;
  const table = scope.context.alias("u");
  const value: Expression = {
    tree: column(table, "v"),
    type: type.kind === "array" ? type.of : UNKNOWN,
    nullable: type.kind !== "array" || type.nullable,
    ...flags([array]),
    ungroupedColumn: array.ungroupedColumn ?? "arrayJoin",
  };
  const { trees, from } = overOwnRow(scope.context.alias("r"), [sql`unnest(${array.tree}) AS v`]);
  scope.arrayJoins.add(array.tree, { value, join: sql` CROSS JOIN LATERAL (SELECT ${separated(trees)}${from}) AS ${table}` });
  return value;
};
