import { csvLine } from "../../../../lib/core/csv.ts";

/** What is drawn: places along x and, for each series, a number at each place. */
export interface PlotData {
  readonly x: Axis;
  readonly series: readonly Series[];
  /** What is not drawn of what there is, as a sentence. */
  readonly leftOut?: string;
}

export type Axis =
  /** Moments in seconds since 1970, ascending, and the zone whose clock the axis shows; UTC when it is left out. */
  | { readonly kind: "time"; readonly values: Float64Array; readonly zone?: string }
  | { readonly kind: "number"; readonly values: Float64Array }
  | { readonly kind: "category"; readonly values: readonly string[] };

export interface Series {
  readonly title: string;
  /** NaN where there is no number. */
  readonly values: Float64Array;
}

const PLOT_KINDS = ["line", "area", "bar"] as const;
export type PlotKind = (typeof PLOT_KINDS)[number];

/** The place `at` of the axis in words: a moment as 2026-11-23 14:05, a day without its midnight. */
export const placeText = (x: Axis, at: number): string => {
  if (x.kind === "category") return x.values[at] ?? "";
  const value = x.values[at];
  if (value === undefined) return "";
  return x.kind === "number" ? String(value) : momentText(value, x.zone);
};

const clocks = new Map<string, Intl.DateTimeFormat>();

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  clocks.set(timeZone, clock);
  return clock;
};

const momentText = (seconds: number, zone = "UTC"): string =>
  clockOf(zone)
    .format(seconds * 1_000)
    .replace(/:00$/, "")
    .replace(/ 00:00$/, "");

/** A number as people write it, whole ones to their last digit; nothing where there is none. */
export const exactNumber = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  // Six places would make nothing of a small number, and a large one has hundreds of digits that say nothing.
  if (size !== 0 && (size < SMALL || size >= LARGE)) return String(Number(value.toPrecision(PLACES)));
  return value.toLocaleString("en", { maximumFractionDigits: PLACES }).replaceAll(",", "\u202f");
};

const PLACES = 6;
const SMALL = 1e-3;
const LARGE = 1e21;

/** The numbers as a file for a spreadsheet: a line for each place. */
export const plotCsv = ({ x, series }: PlotData): string => {
  const lines = Array.from({ length: x.values.length }, (_, at) => {
    const numbers = series.map(({ values }) => values[at] ?? Number.NaN);
    return csvLine([placeText(x, at), ...numbers.map((value) => (Number.isNaN(value) ? "" : value))]);
  });
  return `${[csvLine([x.kind === "time" ? "time" : "", ...series.map(({ title }) => title)]), ...lines].join("\n")}\n`;
};
