import type { Axis, PlotData, Series } from "../plot/plot-data.ts";
import { type Answer, answerRows, type Rows, type TrendRow } from "./answer.ts";
import { trendTitle } from "./grid.ts";

/** More series than these are not told apart. */
export const MOST_SERIES = 24;

/** What can be plotted of an answer; nothing where it has no numbers along something. */
export const plotColumns = (answer: Answer): PlotData | undefined => {
  const rows = answerRows(answer);
  if (rows.rows.length === 0) return undefined;
  if (rows.form === "sql") return sqlColumns(rows);
  if (rows.form === "trends") return trendColumns(rows.rows);
  const [first] = rows.rows;
  return first && drawnOf(category(first.values.map(({ label }) => label)), rows.rows.map(cohortSeries));
};

const cohortSeries = ({ date, breakdown_value, values }: Extract<Rows, { form: "retention" }>["rows"][number]): Series => ({
  title: [breakdown_value, date.slice(0, 10)].filter(Boolean).join(" "),
  values: Float64Array.from(values, ({ count, aggregation_value }) => aggregation_value ?? count),
});

const category = (values: readonly string[]): Axis => ({ kind: "category", values });

/** What is drawn of all series, which may be too many, and of rows, of which some may share one place of a series. */
const drawnOf = (x: Axis, all: readonly Series[], covered = 0): PlotData => {
  const series = largest(all);
  const leftOut = [
    ...(series.length < all.length ? [`Of ${all.length} series the ${series.length} largest are drawn.`] : []),
    ...(covered === 1 ? ["1 row is not drawn: another has its place."] : []),
    ...(covered > 1 ? [`${covered} rows are not drawn: others have their place.`] : []),
  ];
  return { x, series, ...(leftOut.length > 0 && { leftOut: `${leftOut.join(" ")} The table has all.` }) };
};

/** Those with the highest sums, in the order in which they came. */
const largest = (series: readonly Series[]): readonly Series[] => {
  if (series.length <= MOST_SERIES) return series;
  const sum = ({ values }: Series): number => values.reduce((total, value) => total + (Number.isNaN(value) ? 0 : value), 0);
  const kept = new Set(series.toSorted((a, b) => sum(b) - sum(a)).slice(0, MOST_SERIES));
  return series.filter((each) => kept.has(each));
};

const trendColumns = (rows: readonly TrendRow[]): PlotData | undefined => {
  if (rows.every((row) => row.aggregated_value !== undefined)) {
    return {
      x: category(rows.map(trendTitle)),
      series: [{ title: "Value", values: Float64Array.from(rows, (row) => row.aggregated_value ?? Number.NaN) }],
    };
  }
  const [first] = rows;
  if (first === undefined || first.days.length === 0) return undefined;
  return drawnOf(
    timeAxis(first.days, "UTC"),
    rows.map((row) => ({ title: trendTitle(row), values: Float64Array.from(row.data) })),
  );
};

/** Times with an offset are moments, shown by the zone's clock; those without are what a clock showed. */
const timeAxis = (texts: readonly string[], zone: string): Axis & { readonly kind: "time" } => {
  const isMoment = texts.some((text) => OFFSET.test(text));
  return { kind: "time", values: Float64Array.from(texts, seconds), zone: isMoment ? zone : "UTC" };
};

const OFFSET = /:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/;

const seconds = (text: string): number =>
  Date.parse(OFFSET.test(text) ? text : `${text.length > 10 ? text.replace(" ", "T") : `${text}T00:00`}Z`) / 1_000;

const sqlColumns = ({ columns, rows, zone }: Extract<Rows, { form: "sql" }>): PlotData | undefined => {
  const places = (is: string): readonly number[] => columns.flatMap((column, at) => (column.is === is ? [at] : []));
  const [time] = places("time");
  const [first, second] = places("text");
  const numbers = places("number");
  const along = time ?? first ?? (numbers.length > 1 ? numbers[0] : undefined);
  if (along === undefined) return undefined;
  const [value, ...others] = numbers.filter((at) => at !== along);
  if (value === undefined) return undefined;

  const kept = rows.filter((row) => row[along] !== null);
  const texts = [...new Set(kept.map((row) => String(row[along])))];
  const ordered = time === undefined && first === undefined ? texts.toSorted((a, b) => Number(a) - Number(b)) : texts;
  const sorted = time === undefined ? ordered : ordered.toSorted((a, b) => seconds(a) - seconds(b));
  const x: Axis =
    time !== undefined
      ? timeAxis(sorted, zone)
      : first !== undefined
        ? category(sorted)
        : { kind: "number", values: Float64Array.from(sorted, Number) };
  const at = new Map(sorted.map((text, place) => [text, place]));
  const column = (of: readonly (readonly unknown[])[], from: number): Float64Array => {
    const filled = new Float64Array(sorted.length).fill(Number.NaN);
    for (const row of of) filled[at.get(String(row[along])) ?? -1] = row[from] === null ? Number.NaN : Number(row[from]);
    return filled;
  };

  const split = time === undefined ? second : first;
  const named = [value, ...others].map((from) => ({ from, title: columns[from]?.title ?? "" }));
  // Rows of several names share their place: each name has series of its own, or one row would be drawn over another.
  const isSplit = split !== undefined && (others.length === 0 || kept.length > sorted.length);
  const groups = isSplit ? [...Map.groupBy(kept, (row) => String(row[split] ?? "null"))] : [["", kept] as const];
  const series = groups.flatMap(([name, of]) =>
    named.map(({ from, title }) => ({
      title: isSplit ? (others.length > 0 ? `${name}: ${title}` : name) : title,
      values: column(of, from),
    })),
  );
  const drawn = groups.map(([, of]) => new Set(of.map((row) => String(row[along]))).size);
  return drawnOf(x, series, kept.length - drawn.reduce((sum, count) => sum + count, 0));
};
