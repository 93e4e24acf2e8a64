import { type ExactNumber, isExactNumber } from "./exact-json.ts";

/** A field of a CSV line. */
export type CsvField = string | number | ExactNumber;

/** Fields as one line of a CSV file, without its end. Numbers are given as numbers: a text is never left to be run by a spreadsheet. */
export const csvLine = (fields: readonly CsvField[]): string => fields.map(csvField).join(",");

/** A text that a spreadsheet would run as a formula is made text. */
export const csvField = (field: CsvField): string => {
  if (typeof field === "number") return String(field);
  if (isExactNumber(field)) return field.rawJSON;
  const text = FORMULA.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const FORMULA = /^[=+\-@\t\r]/;
