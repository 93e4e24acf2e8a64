import type { EarnedColumn } from "../../event/earned-properties.ts";
import { hexText, quoteName } from "../sql/quote.ts";
import { readNumber } from "../sql/read-number.ts";
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

/** The text of a property, by SQL of its name: what is no string is its JSON, and what is empty NULL. */
export const textFromJson = (key: string): string => {
  const raw = `JSONExtractRaw(properties, ${key})`;
  return `nullIf(if(startsWith(${raw}, '"'), JSONExtractString(${raw}), if(${raw} = 'null', '', ${raw})), '')`;
};
