import { type Expression, made, treesOf } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { dict, tuple } from "../../operators/collections.ts";
import { tupleElement } from "../../operators/element.ts";
import { NULL_SQL, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayType, BOOLEAN, type Type, UNKNOWN } from "../../types.ts";
import type { FunctionSpec, Scalar } from "../spec.ts";

const side = (value: Expression | undefined, which: "key" | "value"): Type => (value?.type.kind === "map" ? value.type[which] : UNKNOWN);

const ofMap = (name: string, tree: (map: Sql) => Sql, which: "key" | "value"): Scalar => ({
  kind: "scalar",
  name,
  takes: ["map"],
  lower: (args) => made(tree(args[0]?.tree ?? NULL_SQL), arrayType(side(args[0], which)), args),
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
      return made(sql`map(${separated(treesOf(args))})`, { kind: "map", key: keys ?? UNKNOWN, value: values ?? UNKNOWN }, args);
    },
  },
  ofMap("mapKeys", (map) => sql`map_keys(${map})`, "key"),
  ofMap("mapValues", (map) => sql`map_values(${map})`, "value"),
  {
    kind: "scalar",
    name: "mapContains",
    aliases: ["mapContainsKey"],
    takes: ["map", "any"],
    lower: (args) => made(sql`map_contains(${separated(treesOf(args))})`, BOOLEAN, args),
  },
];
