import type { LoweringContext } from "../analysis/context.ts";
import { type Expression, made } from "../analysis/expression.ts";
import { FALSE, NOTHING, separated, sql } from "../sql/fragment.ts";
import { BOOLEAN, isOpen } from "../types.ts";
import { allOf, among, compared, type Mode, mismatch } from "./compare.ts";

/** Tuples written out are equal when each of their elements is. */
export const tuples = (context: LoweringContext, left: Expression, right: Expression, op: string): Expression | undefined => {
  if (op !== "==" || left.type.kind !== "tuple" || right.type.kind !== "tuple" || !left.items || !right.items) return undefined;
  if (left.items.length !== right.items.length) throw mismatch(left, right, op);
  const others = right.items;
  return allOf(
    context,
    left.items.map((item, index) => compared(context, "==", item, others[index] ?? item, "value")),
  );
};

/** `IN` a list or an array. */
export const inList = (context: LoweringContext, item: Expression, list: Expression, negated: boolean, mode: Mode): Expression => {
  if (item.type.kind === "tuple" && item.items) {
    const rows = list.items?.every((row) => row.type.kind === "tuple") ? list.items : [list];
    const any = separated(
      rows.map((row) => tuples(context, item, row, "==")?.tree ?? FALSE),
      sql` OR `,
    );
    return made(negated ? sql`(NOT (${any}))` : sql`(${any})`, BOOLEAN, [item, list], false);
  }
  if (list.items !== undefined) return among(context, item, list.items, negated, mode);
  if (list.type.kind === "array") {
    const tree = sql`coalesce(list_contains(${list.tree}, ${item.tree}), false)`;
    return made(negated ? sql`(NOT ${tree})` : tree, BOOLEAN, [item, list], false);
  }
  if (isOpen(list.type) && list.known !== null)
    return made(sql`(${item.tree} ${negated ? sql`NOT ` : NOTHING}IN (${list.tree}))`, BOOLEAN, [item, list]);
  return among(context, item, [list], negated, mode);
};
