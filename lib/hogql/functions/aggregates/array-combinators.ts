import type { LoweringContext } from "../../analysis/context.ts";
import { defaultSql } from "../../analysis/duckdb-types.ts";
import { type ConstantValue, derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { argument, lambda, parameter, type Sql, sql } from "../../sql/fragment.ts";
import { arrayType, FLOAT, INT64, isNumeric, type Type, typeName, UINT64, UNKNOWN } from "../../types.ts";

/** An aggregate over the elements of one list, in their order. */
interface ArrayCombinator {
  readonly name: string;
  /** How many parameters it takes: least and most. */
  readonly params: readonly [number, number];
  readonly lower: (list: Expression, context: LoweringContext, params: readonly ConstantValue[]) => Expression;
}

const of = (list: Expression): Type => (list.type.kind === "array" ? list.type.of : UNKNOWN);
const mayHoldNull = (list: Expression): boolean => list.type.kind !== "array" || list.type.nullable;

const present = (list: Expression): Sql => (mayHoldNull(list) ? sql`list_filter(${list.tree}, lambda v: v IS NOT NULL)` : list.tree);

/** Integers as they are, every other number as DOUBLE. */
const numbers = (list: Expression, name: string): { readonly tree: Sql; readonly type: Type } => {
  const type = of(list);
  if (!isNumeric(type) && type.kind !== "unknown" && type.kind !== "null")
    throw new QueryError("illegal_type_of_argument", `\`${name}\` needs numbers, not ${typeName(type)}.`);
  if (type.kind === "integer") return { tree: present(list), type: type.name.startsWith("U") ? UINT64 : INT64 };
  if (type.kind === "boolean") return { tree: sql`list_transform(${present(list)}, lambda v: CAST(v AS BIGINT))`, type: UINT64 };
  return { tree: sql`list_transform(${present(list)}, lambda v: CAST(v AS DOUBLE))`, type: FLOAT };
};

/** Of no elements: the type's default where the elements cannot be NULL, else NULL. */
const picked =
  (tree: (list: Sql) => Sql): ArrayCombinator["lower"] =>
  (list) => {
    const fallback = defaultSql(of(list));
    const found = tree(present(list));
    return mayHoldNull(list) || fallback === null
      ? derive(found, of(list), [list], true)
      : derive(sql`coalesce(${found}, ${fallback})`, of(list), [list], false);
  };

const fold = (
  names: readonly string[],
  lower: ArrayCombinator["lower"],
  params: readonly [number, number] = [0, 0],
): readonly ArrayCombinator[] => names.map((name) => ({ name, params, lower }));

const statistic = (name: string, function_: Sql): readonly ArrayCombinator[] =>
  fold([name], (list) => derive(sql`list_aggregate(CAST(${numbers(list, name).tree} AS DOUBLE[]), '${function_}')`, FLOAT, [list], true));

const quantile: ArrayCombinator["lower"] = (list, _, [asked = null]) => {
  const level = asked === null ? 0.5 : Number(asked);
  if (!(level >= 0 && level <= 1)) throw new QueryError("invalid_input", "The level of a quantile must be between 0 and 1.");
  const values = sql`CAST(${numbers(list, "quantile").tree} AS DOUBLE[])`;
  return derive(sql`list_aggregate(${values}, 'quantile_cont', ${parameter(level)}::DOUBLE)`, FLOAT, [list], true);
};

const SIMPLE: ReadonlyMap<string, ArrayCombinator> = new Map(
  [
    fold(["count"], (list) => derive(sql`len(${present(list)})`, UINT64, [list], false)),
    fold(["countDistinct", "uniq", "uniqExact", "uniqHLL12", "uniqTheta", "uniqCombined"], (list) =>
      derive(sql`list_unique(${list.tree})`, UINT64, [list], false),
    ),
    fold(["sum"], (list) => {
      const { tree, type } = numbers(list, "sum");
      return derive(sql`coalesce(CAST(list_sum(${tree}) AS ${type.kind === "float" ? sql`DOUBLE` : sql`BIGINT`}), 0)`, type, [list], false);
    }),
    fold(["avg"], (list) => derive(sql`list_avg(${numbers(list, "avg").tree})`, FLOAT, [list], true)),
    fold(
      ["min"],
      picked((list) => sql`list_min(${list})`),
    ),
    fold(
      ["max"],
      picked((list) => sql`list_max(${list})`),
    ),
    fold(
      ["any"],
      picked((list) => sql`list_extract(${list}, 1)`),
    ),
    fold(
      ["anyLast"],
      picked((list) => sql`list_extract(${list}, -1)`),
    ),
    fold(["groupArray", "array_agg"], (list) => derive(present(list), arrayType(of(list)), [list], false)),
    fold(["groupUniqArray"], (list) => derive(sql`list_distinct(${list.tree})`, arrayType(of(list)), [list], false)),
    fold(["median"], quantile),
    fold(["quantile"], quantile, [0, 1]),
    statistic("stddevPop", sql`stddev_pop`),
    statistic("stddevSamp", sql`stddev_samp`),
    statistic("varPop", sql`var_pop`),
    statistic("varSamp", sql`var_samp`),
  ]
    .flat()
    .map((entry) => [entry.name, entry]),
);

/** SQL that names a value once, so that DuckDB computes it once: `body` gets the name. */
export const bindOnce = (list: Sql, body: (name: Sql) => Sql): Sql => {
  const name = argument();
  return sql`list_extract(list_transform([${list}], ${lambda([name], body(name))}), 1)`;
};

const wanted = (list: Expression, kind: "array" | "map", name: string): Type => {
  const type = of(list);
  if (type.kind === kind) return type;
  throw new QueryError("illegal_type_of_argument", `\`${name}\` needs ${kind === "map" ? "maps" : "arrays"}, not ${typeName(type)}.`);
};

/** Over the elements of all arrays. */
const inArrays = (inner: ArrayCombinator, name: string): ArrayCombinator => ({
  ...inner,
  name,
  lower: (list, context, params) =>
    inner.lower({ ...derive(sql`flatten(${present(list)})`, wanted(list, "array", name), [list], false) }, context, params),
});

/** Over the first elements of the arrays, then over the second, and so on; shorter arrays have no say in the later ones. */
const forEach = (inner: ArrayCombinator, name: string): ArrayCombinator => ({
  ...inner,
  name,
  lower: (list, context, params) => {
    const type = wanted(list, "array", name);
    const [place, all] = [argument(), argument()];
    const column = sql`list_transform(list_filter(${all}, lambda r: len(r) >= ${place}), lambda r: list_extract(r, ${place}))`;
    const value = inner.lower(derive(column, type, [list], false), context, params);
    const longest = sql`coalesce(list_max(list_transform(${all}, lambda r: len(r))), 0)`;
    const places = sql`list_transform(range(1, ${longest} + 1), ${lambda([place], value.tree)})`;
    const tree = sql`list_extract(list_transform([${present(list)}], ${lambda([all], places)}), 1)`;
    return derive(tree, arrayType(value.type, value.nullable), [list], false);
  },
});

/** Over the values of each key: entries of key and value, sorted by key. `entries` is a list of the same. */
export const perKey = (
  inner: ArrayCombinator,
  entries: Sql,
  { key, value }: { readonly key: Type; readonly value: Type },
  context: LoweringContext,
  params: readonly ConstantValue[] = [],
): { readonly tree: Sql; readonly key: Type; readonly value: Type } => {
  const keyed = sql`list_transform(list_filter(${entries}, lambda r: r.key IS NOT NULL), lambda r, i: {'k': r.key, 'i': i, 'v': r.value})`;
  const group = argument();
  const values = sql`list_transform(${group}, lambda r: r.v)`;
  const folded = inner.lower({ tree: values, type: arrayType(value, true), nullable: false }, context, params);
  const entry = lambda([group], sql`{'key': ${group}[1].k, 'value': ${folded.tree}}`);
  // A list that a lambda reaches out to costs its length each time, so each sees its neighbours by list_zip instead, cut
  // to the shorter list: the fields of a struct that list_zip fills in are not NULL.
  const tree = bindOnce(sql`list_sort(${keyed})`, (sorted) => {
    const beside = sql`list_zip(${sorted}, list_prepend(NULL, ${sorted}), true)`;
    const isFirst = sql`i = 1 OR r[1].k <> r[2].k`;
    const firsts = sql`list_filter(list_transform(${beside}, lambda r, i: CASE WHEN ${isFirst} THEN i END), lambda i: i IS NOT NULL)`;
    return bindOnce(firsts, (starts) => {
      const ranges = sql`list_zip(${starts}, list_slice(${starts}, 2, len(${starts})))`;
      const groups = sql`list_transform(${ranges}, lambda r: list_slice(${sorted}, r[1], coalesce(r[2] - 1, len(${sorted}))))`;
      return sql`list_transform(${groups}, ${entry})`;
    });
  });
  return { tree, key, value: folded.type };
};

const inMaps = (inner: ArrayCombinator, name: string): ArrayCombinator => ({
  ...inner,
  name,
  lower: (list, context, params) => {
    const type = wanted(list, "map", name);
    if (type.kind !== "map") throw new QueryError("illegal_type_of_argument", `\`${name}\` needs maps.`);
    const entries = sql`flatten(list_transform(${present(list)}, lambda r: map_entries(r)))`;
    const grouped = perKey(inner, entries, type, context, params);
    return derive(sql`map_from_entries(${grouped.tree})`, { kind: "map", key: grouped.key, value: grouped.value }, [list], false);
  },
});

const distinct = (inner: ArrayCombinator, name: string): ArrayCombinator => ({
  ...inner,
  name,
  lower: (list, context, params) =>
    inner.lower(derive(sql`list_distinct(${list.tree})`, arrayType(of(list)), [list], false), context, params),
});

const SHAPES: readonly (readonly [suffix: string, shape: (inner: ArrayCombinator, name: string) => ArrayCombinator])[] = [
  ["Array", inArrays],
  ["ForEach", forEach],
  ["Map", inMaps],
  ["Distinct", distinct],
];

/** The fold by an aggregate's name, with `Array`, `ForEach`, `Map` and `Distinct` at its end; undefined when there is none. */
export const arrayCombinator = (name: string): ArrayCombinator | undefined => {
  const simple = SIMPLE.get(name);
  if (simple !== undefined) return simple;
  const shape = SHAPES.find(([suffix]) => name.endsWith(suffix));
  if (shape === undefined) return undefined;
  const inner = arrayCombinator(name.slice(0, -shape[0].length));
  return inner === undefined ? undefined : shape[1](inner, name);
};
