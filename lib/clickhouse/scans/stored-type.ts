import type { Type } from "../../hogql/types.ts";
import { quoteText } from "../sql/quote.ts";

/** ClickHouse's type of a column of a stored table: the one that stands in its file, whichever engine wrote it. */
export const storedType = (type: Type, nullable: boolean): string => {
  switch (type.kind) {
    case "array":
      return `Array(${storedType(type.of, type.nullable)})`;
    case "tuple":
      return `Tuple(${type.of.map((of, at) => `\`${at + 1}\` ${storedType(of, true)}`).join(", ")})`;
    case "map":
      return `Map(${storedType(type.key, false)}, ${storedType(type.value, true)})`;
    default:
      return nullable ? `Nullable(${scalarType(type)})` : scalarType(type);
  }
};

const scalarType = (type: Exclude<Type, { readonly kind: "array" | "tuple" | "map" }>): string => {
  switch (type.kind) {
    case "integer":
      return type.wide ? "UInt64" : "Int64";
    case "decimal":
      return `Decimal(38, ${type.scale})`;
    case "datetime":
      return `DateTime64(6, ${quoteText("UTC")})`;
    default:
      return SCALAR_TYPES[type.kind];
  }
};

const SCALAR_TYPES = {
  string: "String",
  json: "String",
  unknown: "String",
  float: "Float64",
  boolean: "Bool",
  // The shorter one ends with 2149.
  date: "Date32",
  uuid: "UUID",
  interval: "Int64",
  null: "Int32",
} as const;
