import { type Expression, flags, made } from "../../analysis/expression.ts";
import { AT, type Call } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { type Argument, argument, lambda, type Sql, sql } from "../../sql/fragment.ts";
import { typeName, UNKNOWN } from "../../types.ts";
import type { CallScope, FunctionSpec, Special } from "../spec.ts";

/** A lambda lowered over the entries of a map. */
interface Entries {
  readonly map: Expression;
  /** The list that DuckDB walks, and the name of its element. */
  readonly list: Sql;
  readonly variable: Argument;
  readonly body: Expression;
}

const entriesOf = (call: Call, scope: CallScope): Entries => {
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
    const entries = entriesOf(call, scope);
    return { ...lower(entries), ...flags([entries.map, entries.body]) };
  },
});

export const MAPS: readonly FunctionSpec[] = [
  over("mapFilter", ({ map, list, variable, body }) => {
    const truth = body.type.kind === "boolean" ? body.tree : sql`${body.tree} <> 0`;
    return made(sql`map_from_entries(list_filter(${list}, ${lambda([variable], sql`coalesce(${truth}, false)`)}))`, map.type, [map]);
  }),
  over("mapApply", ({ map, list, variable, body }) => {
    if (body.type.kind !== "tuple" || body.type.of.length !== 2)
      throw new QueryError("illegal_type_of_argument", "The lambda of `mapApply` must give a pair: (key, value).");
    const [key = UNKNOWN, value = UNKNOWN] = body.type.of;
    return made(sql`map_from_entries(list_transform(${list}, ${lambda([variable], body.tree)}))`, { kind: "map", key, value }, [map]);
  }),
];
