import { type Expression, made, treesOf } from "../analysis/expression.ts";
import { numeral, separated, sql } from "../sql/fragment.ts";
import { arrayType, type Type, UNKNOWN } from "../types.ts";
import { requireCommonType } from "./compare.ts";

/** `[a, b, …]`. */
export const array = (items: readonly Expression[]): Expression => {
  const type = items.length === 0 ? UNKNOWN : requireCommonType(items, "an array");
  const nullable = items.some((item) => item.nullable);
  return { ...made(sql`[${separated(treesOf(items))}]`, arrayType(type, nullable), items, false), items };
};

/** Named fields "1", "2", …: DuckDB loses the values of unnamed ones on their way out. */
export const tuple = (items: readonly Expression[]): Expression => {
  const type: Type = { kind: "tuple", of: items.map((item) => item.type) };
  return { ...made(sql`{${separated(items.map(({ tree }, index) => sql`'${numeral(index + 1)}': ${tree}`))}}`, type, items, false), items };
};

/** `{key: value, …}`. */
export const dict = (keys: readonly Expression[], values: readonly Expression[]): Expression => {
  const type: Type = { kind: "map", key: requireCommonType(keys, "a map's keys"), value: requireCommonType(values, "a map's values") };
  const tree = sql`map([${separated(treesOf(keys))}], [${separated(treesOf(values))}])`;
  return made(tree, type, [...keys, ...values], false);
};
