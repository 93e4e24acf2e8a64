/** Fields as one line of a CSV file, without its end. Numbers are given as numbers: a text is never left to be run by a spreadsheet. */
export const csvLine = (fields: readonly (string | number)[]): string => fields.map(csvField).join(",");

/** A text that a spreadsheet would run as a formula is made text. */
export const csvField = (field: string | number): string => {
  if (typeof field === "number") return String(field);
  const text = FORMULA.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const FORMULA = /^[=+\-@\t\r]/;
