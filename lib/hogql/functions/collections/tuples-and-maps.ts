import { derive, type Expression, flags, sqlTrees } from "../../analysis/expression.ts";
import { AT, type Call } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { dict, requireKey, tuple, tupleElement } from "../../operators/collections.ts";
import { type Argument, argument, lambda, NULL_SQL, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayType, BOOLEAN, type Type, typeName, UNKNOWN } from "../../types.ts";
import type { CallScope, FunctionSpec, Scalar, Special } from "../spec.ts";

const side = (value: Expression | undefined, which: "key" | "value"): Type => (value?.type.kind === "map" ? value.type[which] : UNKNOWN);

const ofMap = (name: string, tree: (map: Sql) => Sql, which: "key" | "value"): Scalar => ({
  kind: "scalar",
  name,
  takes: ["map"],
  lower: (args) => derive(tree(args[0]?.tree ?? NULL_SQL), arrayType(side(args[0], which)), args),
});

export const TUPLES: readonly FunctionSpec[] = [
  { kind: "scalar", name: "tuple", takes: ["any"], rest: true, lower: (args) => tuple(args) },
  {
    kind: "scalar",
    name: "tupleElement",
    takes: ["any", "constant integer"],
    lower: ([value, index], context) => tupleElement(value ?? context.known(null, UNKNOWN), Number(index?.known ?? 0)),
  },
  {
    kind: "scalar",
    name: "map",
    takes: ["any"],
    optional: 1,
    rest: true,
    lower: (args) => {
      if (args.length % 2 === 1) throw new QueryError("number_of_arguments_doesnt_match", "`map` takes pairs of key and value.");
      return dict(
        args.filter((_, index) => index % 2 === 0),
        args.filter((_, index) => index % 2 === 1),
      );
    },
  },
  {
    kind: "scalar",
    name: "mapFromArrays",
    takes: ["array", "array"],
    lower: (args) => {
      const [keys, values] = args.map((arg) => (arg.type.kind === "array" ? arg.type.of : UNKNOWN));
      return derive(sql`map(${separated(sqlTrees(args))})`, { kind: "map", key: keys ?? UNKNOWN, value: values ?? UNKNOWN }, args);
    },
  },
  ofMap("mapKeys", (map) => sql`map_keys(${map})`, "key"),
  ofMap("mapValues", (map) => sql`map_values(${map})`, "value"),
  {
    kind: "scalar",
    name: "mapContains",
    aliases: ["mapContainsKey"],
    takes: ["map", "any"],
    lower: ([map, key], context) => {
      const args = [map ?? context.known(null, UNKNOWN), key ?? context.known(null, UNKNOWN)] as const;
      requireKey(...args);
      return derive(sql`map_contains(${separated(sqlTrees(args))})`, BOOLEAN, args);
    },
  },
];

/** A lambda lowered over the entries of a map. */
interface Entries {
  readonly map: Expression;
  /** The list that DuckDB walks, and the name of its element. */
  readonly list: Sql;
  readonly variable: Argument;
  readonly body: Expression;
}

const mapEntries = (call: Call, scope: CallScope): Entries => {
  const [first, node] = call.args;
  if (first?.kind !== "lambda" || first.args.length !== 2 || node === undefined)
    throw new QueryError("illegal_type_of_argument", `\`${call.name}\` takes a lambda of key and value, and a map.`, call[AT]);
  const map = scope.expr(node);
  if (map.type.kind !== "map")
    throw new QueryError("illegal_type_of_argument", `\`${call.name}\` needs a map, not ${typeName(map.type, map.nullable)}.`, call[AT]);
  const variable = argument();
  const args: readonly Expression[] = [
    { tree: sql`${variable}.key`, type: map.type.key, nullable: false },
    { tree: sql`${variable}.value`, type: map.type.value, nullable: true },
  ];
  return { map, list: sql`map_entries(${map.tree})`, variable, body: scope.lambda(first.args, args, first.body) };
};

const over = (name: string, lower: (entries: Entries) => Expression): Special => ({
  kind: "special",
  name,
  arity: [2, 2],
  lower: (call, scope) => {
    const entries = mapEntries(call, scope);
    return { ...lower(entries), ...flags([entries.map, entries.body]) };
  },
});

export const MAPS: readonly FunctionSpec[] = [
  over("mapFilter", ({ map, list, variable, body }) => {
    const truth = body.type.kind === "boolean" ? body.tree : sql`${body.tree} <> 0`;
    return derive(sql`map_from_entries(list_filter(${list}, ${lambda([variable], sql`coalesce(${truth}, false)`)}))`, map.type, [map]);
  }),
  over("mapApply", ({ map, list, variable, body }) => {
    if (body.type.kind !== "tuple" || body.type.of.length !== 2)
      throw new QueryError("illegal_type_of_argument", "The lambda of `mapApply` must give a pair: (key, value).");
    const [key = UNKNOWN, value = UNKNOWN] = body.type.of;
    return derive(sql`map_from_entries(list_transform(${list}, ${lambda([variable], body.tree)}))`, { kind: "map", key, value }, [map]);
  }),
];
