import { derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { inCommonNumber, requireCommonType } from "../../operators/compare.ts";
import { NOTHING, NULL_SQL, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayType, BOOLEAN, commonType, type Type, typeName, UINT64, UNKNOWN } from "../../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import { elementType } from "./elements.ts";

/** Whether the item, which may be NULL, is an element. */
const holds = (list: Sql, item: Sql): Sql => sql`(list_position(${list}, ${item}) IS NOT NULL)`;

/** A list, what may be one of its elements, and the type that these have in common. */
interface ListAndItem {
  readonly list: Sql;
  readonly item: Sql;
  readonly type: Type;
}

const listAndItem = (name: string, list: Expression, item: Expression): ListAndItem => {
  const type = commonType(elementType(list), item.type);
  if (type === null) {
    throw new QueryError(
      "illegal_type_of_argument",
      `Argument 2 of \`${name}\` is ${typeName(item.type, item.nullable)}, which no element of ${typeName(list.type)} can be; convert one side with toString or toFloat.`,
    );
  }
  return { list: inCommonNumber(list, arrayType(type)).tree, item: inCommonNumber(item, type).tree, type };
};

/** A function of an array and what may be one of its elements. */
const ofItem = (name: string, lower: (both: ListAndItem, args: readonly [Expression, Expression]) => Expression): Scalar => ({
  kind: "scalar",
  name,
  takes: ["array", "any"],
  lower: ([list, item], context) => {
    const args = [list ?? context.known(null, UNKNOWN), item ?? context.known(null, UNKNOWN)] as const;
    return lower(listAndItem(name, ...args), args);
  },
});

/** The array with one element more. */
const longer = (name: string, tree: (list: Sql, item: Sql) => Sql): Scalar =>
  ofItem(name, ({ list, item, type }, args) => {
    const mayHold = args[1].nullable || (args[0].type.kind === "array" && args[0].type.nullable === true);
    return derive(tree(list, item), arrayType(type, mayHold), args);
  });

/** A condition of two arrays; `mayHold` says whether the second one may hold a NULL. */
const ofTwo = (name: string, tree: (list: Sql, items: Sql, mayHold: boolean) => Sql): Scalar => ({
  kind: "scalar",
  name,
  takes: ["array", "array"],
  lower: (args) => {
    const common = requireCommonType(args, name);
    const [list = NULL_SQL, items = NULL_SQL] = args.map((arg) => inCommonNumber(arg, common).tree);
    const type = args[1]?.type;
    return derive(tree(list, items, type?.kind !== "array" || type.nullable), BOOLEAN, args);
  },
});

/** DuckDB's own comparison of lists passes over NULLs, so that these are looked at beside it where there may be some. */
const hasItems = (name: string, tree: (list: Sql, items: Sql) => Sql, nulls: (inList: Sql, inItems: Sql) => Sql): Scalar =>
  ofTwo(name, (list, items, mayHold) => {
    const beside = mayHold ? sql` ${nulls(holds(list, NULL_SQL), holds(items, NULL_SQL))}` : NOTHING;
    return sql`(${tree(list, items)}${beside})`;
  });

/** Elements in the order of their first appearance. */
const distinct = (list: Sql): Sql => sql`list_filter(${list}, lambda v, i: list_position(${list}, v) = i)`;

/** What is in an array, and what several have in common. */
export const ARRAY_ITEMS: readonly FunctionSpec[] = [
  ofItem("has", ({ list, item }, args) => derive(holds(list, item), BOOLEAN, args, false)),
  hasItems(
    "hasAll",
    (list, items) => sql`list_has_all(${list}, ${items})`,
    (list, items) => sql`AND (NOT ${items} OR ${list})`,
  ),
  hasItems(
    "hasAny",
    (list, items) => sql`list_has_any(${list}, ${items})`,
    (list, items) => sql`OR (${list} AND ${items})`,
  ),
  ofTwo(
    "hasSubstr",
    (list, items) =>
      sql`coalesce(list_bool_or(list_transform(range(1, len(${list}) - len(${items}) + 2), lambda i: list_slice(${list}, i, i + len(${items}) - 1) = ${items})), false)`,
  ),
  ofItem("indexOf", ({ list, item }, args) => derive(sql`coalesce(list_position(${list}, ${item}), 0)`, UINT64, args)),
  ofItem("countEqual", ({ list, item }, args) =>
    derive(sql`len(list_filter(${list}, lambda v: v IS NOT DISTINCT FROM ${item}))`, UINT64, args),
  ),
  longer("arrayPushBack", (list, item) => sql`list_append(${list}, ${item})`),
  longer("arrayPushFront", (list, item) => sql`list_prepend(${item}, ${list})`),
  scalar({
    name: "arrayDistinct",
    takes: ["array"],
    type: ([list]) => list?.type ?? arrayType(UNKNOWN),
    sql: (list) => sql`list_filter(${distinct(list)}, lambda v: v IS NOT NULL)`,
  }),
  scalar({
    name: "arrayUniq",
    takes: ["array"],
    rest: true,
    type: UINT64,
    sql: (...lists) => {
      const [only = NULL_SQL] = lists;
      if (lists.length > 1) return sql`list_unique(list_zip(${separated(lists)}))`;
      return sql`(list_unique(${only}) + CAST(${holds(only, NULL_SQL)} AS BIGINT))`;
    },
  }),
  {
    kind: "scalar",
    name: "arrayIntersect",
    takes: ["array"],
    rest: true,
    lower: (args) => {
      const type = requireCommonType(args, "arrayIntersect");
      const [first = NULL_SQL, ...others] = args.map((arg) => inCommonNumber(arg, type).tree);
      return derive(
        distinct(others.reduce((kept, other) => sql`list_filter(${kept}, lambda v: ${holds(other, sql`v`)})`, first)),
        type,
        args,
      );
    },
  },
];
