import { unreachable } from "../../core/unreachable.ts";
import type { PropertyType } from "../../hogql/options.ts";
import { readNumber } from "../sql/read-number.ts";
import { propertyText } from "../sql/readable-json.ts";
import { asTime } from "./fit.ts";
import type { Json, JsonPath, Piece } from "./piece.ts";
import type { Statement } from "./statement.ts";

/** The text of a property. The whole document is parsed once, and a string once more by itself. */
const textAt = ({ text }: Pick<Statement, "text">, document: string, path: JsonPath): string =>
  propertyText(`JSONExtractRaw(${[document, ...path.map((key) => (typeof key === "number" ? key : text(key)))].join(", ")})`);

/** A property as the type that the project knows it by. */
export const property = (statement: Pick<Statement, "text" | "options">, json: Json): Piece => {
  const [first = "", ...others] = json.path;
  const path = [String(first), ...others];
  const type = others.length > 0 ? undefined : propertyType(statement, json);
  const hot = others.length > 0 ? undefined : json.hot?.(String(first));
  const rest = { json: { ...json, path } };
  const kind = type === "Numeric" && !json.earnsTextOnly ? "number" : "text";
  const earned = type === undefined || hot !== undefined ? undefined : json.earned?.(String(first), kind);
  if (kind === "number" && earned !== undefined) return { sql: earned, kind, ...rest };
  if (type === "Numeric" && hot?.type === "number") return { sql: hot.sql(), kind: "number", ...rest };
  const read = hot?.type === "text" ? hot.sql() : (earned ?? textAt(statement, json.document(), path));
  switch (type) {
    case "Numeric":
      return { sql: readNumber(read), kind: "number", ...rest };
    case "Boolean":
      return {
        sql: `transform(${read}, ['true', '1', 'false', '0'], [toNullable(true), toNullable(true), toNullable(false), toNullable(false)], NULL)`,
        kind: "other",
        ...rest,
      };
    case "DateTime":
      return { ...asTime(statement, { sql: read }), ...rest };
    case "String":
    case undefined:
      return { sql: read, kind: "text", ...rest };
    default:
      return unreachable(type);
  }
};

const propertyType = ({ options }: Pick<Statement, "options">, { owners, path }: Json): PropertyType | undefined => {
  const types = new Set(owners.flatMap((owner) => options.propertyType?.(owner, String(path[0])) ?? []));
  const [type] = types;
  return types.size > 1 ? "String" : type;
};
