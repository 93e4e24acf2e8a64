import * as z from "zod";
import { isoText } from "../dates/labels.ts";
import type { InsightContext, PlanCell } from "../plan.ts";
import { checkNumbers, type InsightRow, OTHER_VALUE } from "../rows.ts";
import { type Period, periodStart, type Settings } from "./settings.ts";

/** A row of a retention: those who began in one period, of one value of its breakdown. */
export const RetentionRow = z
  .object({
    values: z.array(z.object({ count: z.int(), label: z.string(), aggregation_value: z.number().optional() })),
    label: z.string(),
    date: z.string(),
    breakdown_value: z.string().nullable(),
  })
  .meta({ id: "RetentionResultRow" });

/** A cell as a query returns it: the breakdown's value, null without one, its cohort, its column, actors, and their amounts. */
export interface Cell {
  readonly value: string | null;
  readonly cohort: number;
  readonly column: number;
  readonly actors: number;
  readonly total: number;
}

/** How cells become numbers of the result. */
export interface Counting {
  readonly sample: number | null;
  readonly aggregation: "sum" | "avg" | null;
}

/** Reads a query's rows: a value if there is a breakdown, then cohort, column, actors, and a total if amounts are summed. */
export const readCells = (rows: readonly (readonly PlanCell[])[], hasValue: boolean): readonly Cell[] =>
  rows.map((row) => {
    const [value, cohort, column, actors, total] = hasValue ? row : [null, ...row];
    return { value: cellText(value), cohort: Number(cohort), column: Number(column), actors: Number(actors), total: Number(total ?? 0) };
  });

/** The same of rows that hold a cohort's columns side by side. */
export const readWideCells = (rows: readonly (readonly PlanCell[])[], hasValue: boolean): readonly Cell[] =>
  rows.flatMap((row) => {
    const [value, cohort, ...columns] = hasValue ? row : [null, ...row];
    return columns.map((actors, column) => ({ value: cellText(value), cohort: Number(cohort), column, actors: Number(actors), total: 0 }));
  });

const cellText = (value: PlanCell | undefined): string | null => (typeof value === "string" ? value : null);

/** The rows of the result: for each value, largest cohorts first, one row for each cohort from `first` to before `end`. */
export const retentionRows = (
  cells: readonly Cell[],
  settings: Settings,
  { first, end }: { readonly first: number; readonly end: number },
  counting: Counting,
  context: InsightContext,
): readonly InsightRow[] => {
  const groups = Map.groupBy(cells, ({ value }) => value);
  checkNumbers(groups.size * (end - first) * settings.columns.length);
  return orderValues(groups).flatMap((value) => {
    const numbers = new Map((groups.get(value) ?? []).map((cell) => [`${cell.cohort} ${cell.column}`, cell]));
    return Array.from({ length: end - first }, (_, index) => ({
      values: settings.columns.map(({ label }, column) => ({ ...cellNumbers(numbers.get(`${first + index} ${column}`), counting), label })),
      label: `${settings.name} ${index}`,
      date: cohortDate(settings, first + index, settings.period, context),
      breakdown_value: value,
    }));
  });
};

const cohortDate = ({ timeline }: Settings, number: number, period: Period, context: InsightContext): string =>
  isoText(periodStart(timeline, number, period, context), context.timezone);

/** Values by the sum of their cohorts' sizes, then by name; all others last. */
const orderValues = (groups: ReadonlyMap<string | null, readonly Cell[]>): readonly (string | null)[] => {
  const size = (value: string | null): number =>
    (groups.get(value) ?? []).reduce((sum, { column, actors }) => sum + (column === 0 ? actors : 0), 0);
  const sizes = [...groups.keys()].map((value) => ({ value, size: value === OTHER_VALUE ? -1 : size(value) }));
  return sizes.sort((a, b) => b.size - a.size || ((a.value ?? "") < (b.value ?? "") ? -1 : 1)).map(({ value }) => value);
};

/** Of a sample, numbers are those that the whole would have; an average is what it is. */
const cellNumbers = (
  cell: Cell | undefined,
  { sample, aggregation }: Counting,
): { readonly count: number; readonly aggregation_value?: number } => {
  const scale = 1 / (sample ?? 1);
  const count = Math.round((cell?.actors ?? 0) * scale);
  if (aggregation === null) return { count };
  const total = cell?.total ?? 0;
  const average = cell === undefined || cell.actors === 0 ? 0 : total / cell.actors;
  return { count, aggregation_value: aggregation === "avg" ? average : total * scale };
};
