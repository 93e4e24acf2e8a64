import { type CsvField, csvLine } from "../../../../lib/core/csv.ts";
import { isLongWholeNumber, wholeNumber } from "../../../../lib/core/exact-json.ts";
import { type Answer, answerRows, type CohortRow, type Rows, type TrendRow } from "./answer.ts";

/** A result as a table. */
export interface Grid {
  readonly columns: readonly { readonly title: string; readonly numeric: boolean }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Any answer as rows and columns: of a trend a line for each of its days, of a retention one for each cohort. */
export const answerGrid = (answer: Answer): Grid => {
  const rows = answerRows(answer);
  return rows.form === "sql" ? sqlGrid(rows) : rows.form === "trends" ? trendGrid(rows.rows) : cohortGrid(rows.rows);
};

const sqlGrid = ({ columns, rows }: Extract<Rows, { form: "sql" }>): Grid => ({
  columns: columns.map(({ title, is }) => ({ title, numeric: is === "number" })),
  rows,
});

const text = (title: string) => ({ title, numeric: false });
const number = (title: string) => ({ title, numeric: true });

export const trendTitle = ({ label, compare_label }: TrendRow): string => (compare_label ? `${label} (${compare_label})` : label);

const trendGrid = (rows: readonly TrendRow[]): Grid => {
  if (rows.every((row) => row.aggregated_value !== undefined)) {
    return { columns: [text("Series"), number("Value")], rows: rows.map((row) => [trendTitle(row), row.aggregated_value]) };
  }
  const days = rows[0]?.days ?? [];
  return {
    columns: [text("Time"), ...rows.map((row) => number(trendTitle(row)))],
    rows: days.map((day, at) => [day, ...rows.map(({ data }) => data[at] ?? null)]),
  };
};

const cohortGrid = (rows: readonly CohortRow[]): Grid => {
  const isSplit = rows.some((row) => row.breakdown_value !== null);
  const later = (rows[0]?.values ?? []).map(({ label }) => number(label));
  return {
    columns: [...(isSplit ? [text("Breakdown")] : []), text("Cohort"), ...later],
    rows: rows.map(({ breakdown_value, date, values }) => [
      ...(isSplit ? [breakdown_value] : []),
      cohortDay(date),
      ...values.map((value) => value.aggregation_value ?? value.count),
    ]),
  };
};

/** A cohort's beginning without a midnight. */
export const cohortDay = (date: string): string =>
  date
    .replace(/T00:00:00.*$/, "")
    .replace("T", " ")
    .replace(/:00(?:Z|[+-].*)$/, "");

/** A value of a cell as one line of text. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** In a column of numbers the digits of a long one are a number too: as a text, one below zero would be taken for a formula. */
const csvCell = (value: unknown, numeric: boolean): CsvField => {
  if (typeof value === "number") return value;
  return numeric && isLongWholeNumber(value) ? wholeNumber(BigInt(String(value))) : cellText(value);
};

export const gridCsv = ({ columns, rows }: Grid): string => {
  const lines = rows.map((row) => row.map((value, at) => csvCell(value, columns[at]?.numeric === true)));
  return `${[columns.map(({ title }) => title), ...lines].map(csvLine).join("\n")}\n`;
};

/** For pasting into a spreadsheet: what would end a cell becomes a space. */
export const gridTsv = ({ columns, rows }: Grid): string =>
  [columns.map(({ title }) => title), ...rows.map((row) => row.map(cellText))]
    .map((cells) => cells.map((cell) => cell.replaceAll(/[\t\r\n]+/g, " ")).join("\t"))
    .join("\n");

/** Rows in the order of a column, those without a value last. */
export const sortedRows = (
  { columns, rows }: Grid,
  { column, descending }: { readonly column: number; readonly descending: boolean },
): Grid["rows"] => {
  const direction = descending ? -1 : 1;
  const isNumeric = columns[column]?.numeric === true;
  return rows.toSorted((left, right) => {
    const [a, b] = [left[column], right[column]];
    if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1;
    if (b === null || b === undefined) return -1;
    return direction * (isNumeric ? numberOrder(a, b) : cellText(a).localeCompare(cellText(b), "en"));
  });
};

/** Long whole numbers by all of their digits: as doubles, those near to each other are the same. */
const numberOrder = (a: unknown, b: unknown): number =>
  isLongWholeNumber(a) && isLongWholeNumber(b) ? Number(BigInt(String(a)) - BigInt(String(b))) : Number(a) - Number(b);
