import type { Type } from "../../hogql/types.ts";
import type { Kind } from "./piece.ts";

/** What the printer tells apart of the language's types. */
export const kindOfType = ({ kind }: Type): Kind => {
  switch (kind) {
    case "string":
    case "json":
      return "text";
    case "integer":
    case "float":
    case "decimal":
      return "number";
    case "date":
      return "date";
    case "datetime":
      return "time";
    case "uuid":
    case "interval":
      return kind;
    default:
      return "other";
  }
};
