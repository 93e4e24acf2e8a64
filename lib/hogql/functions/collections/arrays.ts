import { derive, type Expression, sqlTrees } from "../../analysis/expression.ts";
import { array, concatenated, element } from "../../operators/collections.ts";
import { NULL_SQL, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayType, INT64, STRING, type Type, tupleType, UINT32, UINT64, UNKNOWN } from "../../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import type { Take } from "../take.ts";
import { elementType, ofNumbers } from "./elements.ts";

const sameAs = (args: readonly Expression[]): Type => args[0]?.type ?? arrayType(UNKNOWN);

const of = (
  name: string,
  takes: readonly Take[],
  type: Type | ((args: readonly Expression[]) => Type),
  tree: (...args: readonly Sql[]) => Sql,
  ...aliases: readonly string[]
): Scalar => scalar({ name, aliases, takes, type, sql: tree });

/** One array of the innermost elements. */
const flattened = (list: Expression): Expression => {
  const inner = elementType(list);
  return inner.kind === "array" ? flattened(derive(sql`flatten(${list.tree})`, inner, [list])) : list;
};

/** More than any list holds, and little enough to be added to. */
const MOST_ITEMS = numeral(1_000_000_000);

const numbered = (tree: Sql): Sql => sql`list_transform(${tree}, lambda v, i: i)`;

/** How arrays are made, cut and put together. */
export const ARRAYS: readonly FunctionSpec[] = [
  { kind: "scalar", name: "array", takes: ["any"], optional: 1, rest: true, lower: (args) => array(args) },
  scalar({
    name: "range",
    takes: ["integer", "integer", "integer"],
    optional: 2,
    type: arrayType(UINT64),
    sql: (...args) => sql`CASE WHEN ${bounded(args)} THEN range(${separated(args)}) ELSE error('range is too long') END`,
  }),
  {
    kind: "scalar",
    name: "arrayElement",
    takes: ["any", "any"],
    lower: ([list, index], context) => element(list ?? context.known(null, UNKNOWN), index ?? context.known(null, INT64)),
  },
  {
    kind: "scalar",
    name: "arrayConcat",
    takes: ["array"],
    rest: true,
    lower: (args) => concatenated(args, "arrayConcat"),
  },
  of("arrayPopBack", ["array"], sameAs, (list) => sql`list_slice(${list}, 1, len(${list}) - 1)`),
  of("arrayPopFront", ["array"], sameAs, (list) => sql`list_slice(${list}, 2, len(${list}))`),
  scalar({
    name: "arraySlice",
    takes: ["array", "integer", "integer"],
    optional: 1,
    type: sameAs,
    sql: (list, start, size) => {
      const from = sql`(CASE WHEN ${start} < 0 THEN len(${list}) + ${start} + 1 ELSE ${start} END)`;
      const first = sql`CASE WHEN ${start} IS NOT NULL THEN greatest(${from}, 1) END`;
      // Without a size, and with one that is NULL, all that follows; a negative one leaves as many out at the end.
      const last =
        size === undefined
          ? sql`len(${list})`
          : sql`CASE WHEN ${size} < 0 THEN len(${list}) + ${size} ELSE ${from} - 1 + least(${size}, ${MOST_ITEMS}) END`;
      return sql`list_slice(${list}, ${first}, CASE WHEN ${start} = 0 THEN 0 ELSE greatest(${last}, 0) END)`;
    },
  }),
  of("arrayReverse", ["array"], sameAs, (list) => sql`list_reverse(${list})`),
  of("arrayCompact", ["array"], sameAs, (list) => sql`list_filter(${list}, lambda v, i: i = 1 OR v IS DISTINCT FROM (${list})[i - 1])`),
  {
    kind: "scalar",
    name: "arrayFlatten",
    aliases: ["flatten"],
    takes: ["array"],
    lower: ([list], context) => flattened(list ?? context.known(null, arrayType(UNKNOWN))),
  },
  {
    kind: "scalar",
    name: "arrayZip",
    takes: ["array"],
    rest: true,
    lower: (args) => {
      const type = tupleType(args.map((arg) => ({ type: elementType(arg), nullable: arg.type.kind !== "array" || arg.type.nullable })));
      const fields = separated(args.map((_, index) => sql`'${numeral(index + 1)}': struct_extract(z, ${numeral(index + 1)})`));
      return derive(sql`list_transform(list_zip(${separated(sqlTrees(args))}), lambda z: {${fields}})`, arrayType(type), args);
    },
  },
  of("arrayEnumerate", ["array"], arrayType(UINT32), (list) => numbered(list)),
  of(
    "arrayDifference",
    ["array"],
    ([list]) => arrayType(elementType(list && ofNumbers(list, "arrayDifference"))),
    (list) => sql`list_transform(${list}, lambda v, i: CASE WHEN i = 1 THEN 0 ELSE v - (${list})[i - 1] END)`,
  ),
  {
    kind: "special",
    name: "arrayJoin",
    arity: [1, 1],
    lower: (call, scope) => scope.arrayJoin(scope.expr(call.args[0] ?? call)),
  },
  of("emptyArrayString", [], arrayType(STRING), () => sql`([]::VARCHAR[])`),
  of("emptyArrayUInt64", [], arrayType(UINT64), () => sql`([]::BIGINT[])`, "emptyArrayInt64"),
];

/** Longest array that `range` makes. */
const MAX_RANGE = numeral(1_000_000);

const bounded = (args: readonly Sql[]): Sql => {
  const [first = NULL_SQL, second, step = sql`1`] = args;
  if (second === undefined) return sql`${first} <= ${MAX_RANGE}`;
  return sql`abs(${second} - ${first}) // greatest(abs(${step}), 1) <= ${MAX_RANGE}`;
};
