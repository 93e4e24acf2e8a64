import type { EarnedColumn } from "../../event/earned-properties.ts";
import { hexText, quoteName } from "../sql/quote.ts";
import { readNumber } from "../sql/read-number.ts";
import { propertyText } from "../sql/readable-json.ts";
import type { ColumnTypes } from "./lake-files.ts";

/** ClickHouse's types of the columns of earned properties. */
export const earnedTypes = (earned: readonly EarnedColumn[]): ColumnTypes =>
  new Map(earned.map(({ column, type }) => [column, type === "text" ? "Nullable(String)" : "Nullable(Float64)"]));

/** The column of an earned property in a select list, where it is among those that are there, and else what it would hold, out of the JSON. */
export const ownOrEarned = ({ property, type, column }: EarnedColumn, there: readonly string[]): string => {
  if (there.includes(column)) return quoteName(column);
  const text = textFromJson(hexText(property));
  return `${type === "text" ? text : readNumber(text)} AS ${quoteName(column)}`;
};

/** The text of a property, by SQL of its name. */
export const textFromJson = (key: string): string => propertyText(`JSONExtractRaw(properties, ${key})`);
