import type { LoweringContext } from "../analysis/context.ts";
import { derive, type Expression } from "../analysis/expression.ts";
import { QueryError } from "../errors.ts";
import { checkPattern } from "../regex.ts";
import { sql } from "../sql/fragment.ts";
import { asDate, asTimestamp, readTimestamp } from "../time/time-sql.ts";
import { arrayHint, FLOAT, INT64, isNumeric, isOpen, isText, isTime, STRING, typeName } from "../types.ts";

/**
 * The kind of an argument. A `pattern` is a regular expression; `texts` and `patterns` are arrays of them; a `time` is a date or timestamp,
 * a `timestamp` a date's midnight; both read texts.
 */
export type Take =
  | "any"
  | "text"
  | "texts"
  | "pattern"
  | "patterns"
  | "number"
  | "integer"
  | "time"
  | "timestamp"
  | "date"
  | "array"
  | "constant text"
  | "constant pattern"
  | "constant integer"
  | "map";

/** The argument as the function needs it; an error that names the function and the argument where it cannot be. */
export const fitArgument = (context: LoweringContext, take: Take, arg: Expression, functionName: string, index: number): Expression => {
  const { type } = arg;
  const refuse = (wanted: string): never => {
    throw new QueryError(
      "illegal_type_of_argument",
      `Argument ${index + 1} of \`${functionName}\` is ${typeName(type, arg.nullable)}, but must be ${wanted}.`,
    );
  };
  switch (take) {
    case "any":
      return arg;
    case "constant text":
      return typeof arg.known === "string" ? arg : refuse("a constant text");
    case "constant pattern":
      return typeof arg.known === "string" ? checkPattern(context, arg) : refuse("a constant text");
    case "constant integer":
      return typeof arg.known === "bigint" || Number.isInteger(arg.known) ? arg : refuse("a constant whole number");
    case "text":
      if (isText(type) || isOpen(type)) return arg;
      return type.kind === "uuid" ? derive(sql`CAST(${arg.tree} AS VARCHAR)`, STRING, [arg]) : refuse("a text; use toString");
    case "pattern":
      return checkPattern(context, fitArgument(context, "text", arg, functionName, index));
    case "number":
    case "integer":
      return fitNumber(take, arg, refuse);
    case "time":
      if (isTime(type)) return arg;
      return isText(type) || isOpen(type) ? readTimestamp(context, arg) : refuse("a date or time; use toDateTime");
    case "timestamp":
      if (isTime(type)) return asTimestamp(context, arg);
      return isText(type) || isOpen(type) ? readTimestamp(context, arg) : refuse("a time; use toDateTime");
    case "date":
      if (isTime(type)) return asDate(context, arg);
      return isText(type) || isOpen(type) ? asDate(context, readTimestamp(context, arg)) : refuse("a date; use toDate");
    case "array":
      return type.kind === "array" || isOpen(type) ? arg : refuse(`an array${arrayHint(type)}`);
    case "texts":
      return isOpen(type) || (type.kind === "array" && (isText(type.of) || isOpen(type.of))) ? arg : refuse("an array of texts");
    case "patterns":
      return checkPattern(context, fitArgument(context, "texts", arg, functionName, index));
    case "map":
      return type.kind === "map" || isOpen(type)
        ? arg
        : refuse(isText(type) ? "a map; use JSONExtract(…, 'Map(String, String)')" : "a map");
  }
};

const fitNumber = (take: "number" | "integer", arg: Expression, refuse: (wanted: string) => never): Expression => {
  const { type } = arg;
  if (type.kind === "boolean") return derive(sql`CAST(${arg.tree} AS BIGINT)`, INT64, [arg]);
  if (isOpen(type))
    return derive(sql`CAST(${arg.tree} AS ${take === "integer" ? sql`BIGINT` : sql`DOUBLE`})`, take === "integer" ? INT64 : FLOAT, [arg]);
  if (take === "integer" && type.kind === "float") return refuse("an integer; use toInt");
  return isNumeric(type) || type.kind === "interval" ? arg : refuse("a number; use toFloat or toInt");
};
