import type { LoweringContext } from "../analysis/context.ts";
import { defaultSql } from "../analysis/duckdb-types.ts";
import { derive, type Expression, sqlTrees } from "../analysis/expression.ts";
import { QueryError } from "../errors.ts";
import { FALSE, NOTHING, NULL_SQL, numeral, separated, sql } from "../sql/fragment.ts";
import { arrayType, BOOLEAN, commonType, isOpen, type Type, tupleType, typeName, UNKNOWN } from "../types.ts";
import { among, compareValues, conjunction, inCommonNumber, type Mode, mismatch, requireCommonType } from "./compare.ts";

/** `[a, b, …]`. */
export const array = (given: readonly Expression[]): Expression => {
  const type = given.length === 0 ? UNKNOWN : requireCommonType(given, "an array");
  const items = given.map((value) => inCommonNumber(value, type));
  const nullable = items.some((item) => item.nullable);
  return { ...derive(sql`[${separated(sqlTrees(items))}]`, arrayType(type, nullable), items, false), items };
};

/** One array after the other. */
export const concatenated = (arrays: readonly Expression[], what: string): Expression => {
  const type = requireCommonType(arrays, what);
  return derive(sql`(${separated(sqlTrees(arrays.map((value) => inCommonNumber(value, type))), sql` || `)})`, type, arrays);
};

/** Named fields "1", "2", …: DuckDB loses the values of unnamed ones on their way out. */
export const tuple = (items: readonly Expression[]): Expression => {
  return {
    ...derive(sql`{${separated(items.map(({ tree }, index) => sql`'${numeral(index + 1)}': ${tree}`))}}`, tupleType(items), items, false),
    items,
  };
};

/** `{key: value, …}`. */
export const dict = (keys: readonly Expression[], values: readonly Expression[]): Expression => {
  const type: Type = { kind: "map", key: requireCommonType(keys, "a map's keys"), value: requireCommonType(values, "a map's values") };
  const tree = sql`map([${separated(sqlTrees(keys))}], [${separated(sqlTrees(values))}])`;
  return derive(tree, type, [...keys, ...values], false);
};

/** An error where no key of the map can be of this one's type. */
export const requireKey = (map: Expression, key: Expression): void => {
  if (map.type.kind !== "map" || commonType(map.type.key, key.type) !== null) return;
  const [wanted, given] = [typeName(map.type.key), typeName(key.type, key.nullable)];
  throw new QueryError("illegal_type_of_argument", `The keys of the map are ${wanted}, and none can be ${given}; use toString or toInt.`);
};

/** `of[index]`: arrays count from 1, from the end when negative, and give the type's default outside; maps look a key up. */
export const element = (of: Expression, index: Expression): Expression => {
  if (of.type.kind === "map") {
    requireKey(of, index);
    const value = of.type.value;
    const tree = sql`coalesce(map_extract_value(${of.tree}, ${index.tree}), ${defaultSql(value) ?? NULL_SQL})`;
    return derive(tree, value, [of, index], false);
  }
  if (of.type.kind === "tuple" && typeof index.known === "bigint") return tupleElement(of, Number(index.known));
  if (of.type.kind !== "array" && !isOpen(of.type)) {
    throw new QueryError(
      "illegal_type_of_argument",
      `Cannot take an element of ${typeName(of.type, of.nullable)}: only arrays, tuples, maps and properties have any.`,
    );
  }
  const type: Type = of.type.kind === "array" ? of.type.of : UNKNOWN;
  const nullable = of.type.kind === "array" ? of.type.nullable || of.nullable : true;
  const taken = sql`list_extract(${of.tree}, ${index.tree})`;
  const fallback = nullable ? null : defaultSql(type);
  if (fallback === null) return derive(taken, type, [of, index], true);
  const found = sql`coalesce(${taken}, ${fallback})`;
  return derive(index.nullable ? sql`(CASE WHEN ${index.tree} IS NOT NULL THEN ${found} END)` : found, type, [of, index], index.nullable);
};

/** `of.index`, from 1. */
export const tupleElement = (of: Expression, index: number): Expression => {
  if (of.type.kind === "array")
    return element(of, { tree: numeral(index), type: { kind: "integer", name: "UInt8" }, nullable: false, known: BigInt(index) });
  const type = of.type.kind === "tuple" ? of.type.of[index - 1] : isOpen(of.type) ? UNKNOWN : undefined;
  if (type === undefined) {
    throw new QueryError("illegal_type_of_argument", `${typeName(of.type, of.nullable)} has no element ${index}.`);
  }
  const item = of.items?.[index - 1];
  return item ?? derive(sql`struct_extract(${of.tree}, '${numeral(index)}')`, type, [of], true);
};

/** Tuples written out are equal when each of their elements is. */
export const tuples = (context: LoweringContext, left: Expression, right: Expression, op: string): Expression | undefined => {
  if (op !== "==" || left.type.kind !== "tuple" || right.type.kind !== "tuple" || !left.items || !right.items) return undefined;
  if (left.items.length !== right.items.length) throw mismatch(left, right, op);
  const others = right.items;
  return conjunction(
    context,
    left.items.map((item, index) => compareValues(context, "==", item, others[index] ?? item, "value")),
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
    return derive(negated ? sql`(NOT (${any}))` : sql`(${any})`, BOOLEAN, [item, list], false);
  }
  if (list.items !== undefined) return among(context, item, list.items, negated, mode);
  if (list.type.kind === "array") {
    const tree = sql`coalesce(list_contains(${list.tree}, ${item.tree}), false)`;
    return derive(negated ? sql`(NOT ${tree})` : tree, BOOLEAN, [item, list], false);
  }
  if (isOpen(list.type) && list.known !== null)
    return derive(sql`(${item.tree} ${negated ? sql`NOT ` : NOTHING}IN (${list.tree}))`, BOOLEAN, [item, list]);
  return among(context, item, [list], negated, mode);
};
