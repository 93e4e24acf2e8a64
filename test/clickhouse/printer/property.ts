import { unreachable } from "../../../lib/core/unreachable.ts";
import type { LowerOptions } from "../../../lib/hogql/options.ts";
import { type Json, type Piece, text } from "./piece.ts";

/** The text of a property: NULL when it is missing, null or an empty string; what is no string is its JSON. */
export const propertySql = (column: string, path: readonly (string | number)[]): string => {
  const at = `${column}, ${path.map((key) => (typeof key === "number" ? key : text(key))).join(", ")}`;
  return `nullIf(if(JSONType(${at}) = 'String', JSONExtractString(${at}), nullIf(JSONExtractRaw(${at}), 'null')), '')`;
};

/** A property as the type that the project knows it by. */
export const property = (json: Json, options: Pick<LowerOptions, "propertyType" | "timezone">): Piece => {
  const [name] = json.path;
  const raw = propertySql(json.column, json.path);
  const type = json.owner !== null && json.path.length === 1 ? options.propertyType?.(json.owner, String(name)) : undefined;
  switch (type) {
    case "Numeric":
      return { sql: `accurateCastOrNull(${raw}, 'Float64')`, kind: "number", json };
    case "Boolean":
      return { sql: `transform(${raw}, ['true', 'false'], [toNullable(true), toNullable(false)], NULL)`, kind: "other", json };
    case "DateTime":
      return { sql: `parseDateTime64BestEffortOrNull(${raw}, 6, ${text(options.timezone)})`, kind: "time", json };
    case "String":
    case undefined:
      return { sql: raw, kind: "text", json };
    default:
      return unreachable(type);
  }
};
