import { isLongWholeNumber } from "../../../../lib/core/exact-json.ts";
import { type Answer, answerRows } from "./answer.ts";
import { plotColumns } from "./plot-columns.ts";

/** How a result is shown. */
export const RESULT_KINDS = [
  { value: "auto", title: "By its types" },
  { value: "table", title: "Table" },
  { value: "line", title: "Line" },
  { value: "area", title: "Area" },
  { value: "bar", title: "Bars" },
  { value: "number", title: "Number" },
  { value: "heat_map", title: "Heat map" },
] as const;
export type ResultKind = (typeof RESULT_KINDS)[number]["value"];
export type ShownKind = Exclude<ResultKind, "auto">;

/** More names than these read better as a table. */
const MOST_BARS = 40;

/** The kind that fits an answer by its types and its size. */
export const fittingKind = (answer: Answer): ShownKind => {
  const rows = answerRows(answer);
  if (rows.form === "retention") return "heat_map";
  if (rows.form === "trends") {
    if (rows.rows.every((row) => row.aggregated_value !== undefined)) return rows.rows.length === 1 ? "number" : "bar";
    return "line";
  }
  const count = (is: string): number => rows.columns.filter((column) => column.is === is).length;
  if (rows.rows.length === 1 && rows.columns.length === 1) return count("number") === 1 ? "number" : "table";
  if (count("other") > 0 || count("number") === 0 || rows.rows.length < 2) return "table";
  if (count("time") === 1 && count("text") <= 1) return "line";
  if (count("time") === 0 && (count("text") === 1 || (count("text") === 2 && count("number") === 1))) {
    const plot = plotColumns(answer);
    return plot && plot.x.values.length <= MOST_BARS && plot.leftOut === undefined ? "bar" : "table";
  }
  return "table";
};

/** The kinds that an answer can be shown as. */
export const possibleKinds = (answer: Answer): readonly ResultKind[] => {
  const isPlot = plotColumns(answer) !== undefined;
  const isPossible: Readonly<Record<ResultKind, boolean>> = {
    auto: true,
    table: true,
    line: isPlot,
    area: isPlot,
    bar: isPlot,
    number: singleNumber(answer) !== undefined,
    heat_map: answerRows(answer).form === "retention",
  };
  return RESULT_KINDS.map(({ value }) => value).filter((kind) => isPossible[kind]);
};

/** What is drawn where a kind is wished for: the kind, or the fitting one where the answer cannot be shown so. */
export const shownKind = (answer: Answer, wished: ResultKind): ShownKind =>
  wished === "auto" || !possibleKinds(answer).includes(wished) ? fittingKind(answer) : wished;

/** A number with all of its digits where it is whole. */
const wholeOrNear = (value: unknown): number | bigint => (isLongWholeNumber(value) ? BigInt(String(value)) : Number(value));

/** The number of an answer that is one. */
export const singleNumber = (answer: Answer): { readonly value: number | bigint | undefined; readonly label: string } | undefined => {
  const rows = answerRows(answer);
  const [row, ...others] = rows.rows;
  if (row === undefined || others.length > 0) return undefined;
  if (rows.form === "sql") {
    const at = rows.columns.findIndex(({ is }) => is === "number");
    const value = rows.rows[0]?.[at];
    return at < 0 ? undefined : { value: value === null ? undefined : wholeOrNear(value), label: rows.columns[at]?.title ?? "" };
  }
  if (rows.form === "retention") return undefined;
  const [trend] = rows.rows;
  return trend && { value: trend.aggregated_value ?? trend.data.reduce((sum, each) => sum + each, 0), label: trend.label };
};
