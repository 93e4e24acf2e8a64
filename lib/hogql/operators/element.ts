import { defaultOf } from "../analysis/duckdb-types.ts";
import { type Expression, made } from "../analysis/expression.ts";
import { QueryError } from "../errors.ts";
import { NULL_SQL, numeral, sql } from "../sql/fragment.ts";
import { isOpen, type Type, typeName, UNKNOWN } from "../types.ts";

/** `of[index]`: arrays count from 1, from the end when negative, and give the type's default outside; maps look a key up. */
export const element = (of: Expression, index: Expression): Expression => {
  if (of.type.kind === "map") {
    const value = of.type.value;
    const tree = sql`coalesce(map_extract_value(${of.tree}, ${index.tree}), ${defaultOf(value) ?? NULL_SQL})`;
    return made(tree, value, [of, index], false);
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
  const fallback = nullable ? null : defaultOf(type);
  if (fallback === null) return made(taken, type, [of, index], true);
  return made(sql`coalesce(${taken}, ${fallback})`, type, [of, index], index.nullable);
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
  return item ?? made(sql`struct_extract(${of.tree}, '${numeral(index)}')`, type, [of], true);
};
