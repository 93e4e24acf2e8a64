import { QueryError } from "../hogql/errors.ts";
import { floorTo } from "./dates.ts";
import { EARLIEST, earliestOf } from "./moments.ts";
import type { InsightContext, InsightPlan } from "./plan.ts";
import type { RetentionQuery } from "./query.ts";
import { ACTORS, COHORT, COLUMN, calendarCells, TOTAL } from "./retention/calendar.ts";
import { limited } from "./retention/cells.ts";
import { rollingCells } from "./retention/rolling.ts";
import { type Cell, type Counting, cellOf, rowsOf } from "./retention/rows.ts";
import { amountOf, type Source, sourceOf, VALUE } from "./retention/scan.ts";
import { checkCells, periodNumber, type Settings, settingsOf } from "./retention/settings.ts";

/**
 * A retention as one query of cells (breakdown, cohort, column, actors), and where the range begins with the earliest event as a
 * second one that finds it. Throws `QueryError` for what it asks and nobody can answer.
 */
export const planRetention = (query: RetentionQuery, context: InsightContext): InsightPlan => {
  const settings = settingsOf(query, context);
  const source = sourceOf(query, settings, context);
  const counting = countingOf(source);
  const cells = settings.rolling ? rollingCells(source) : calendarCells(source);
  const sums = counting.aggregation === null ? [ACTORS] : [ACTORS, TOTAL];
  const hasValue = source.value !== null;
  const shown = hasValue ? limited(cells, context.breakdownLimit, { value: VALUE, keys: [COHORT], column: COLUMN, sums }) : cells;
  return {
    queries: settings.timeline.open ? [shown, EARLIEST] : [shown],
    rows: ([rows = [], earliest = []]) => {
      const found = rows.map((row) => cellOf(row, hasValue));
      const known = hasValue || found.length > 0 ? found : [NOBODY];
      return rowsOf(known, settings, cohortsOf(settings, earliestOf(earliest), context), counting, context);
    },
  };
};

/** Without a breakdown there are rows also when nobody ever started. */
const NOBODY: Cell = { value: null, cohort: 0, column: 0, actors: 0, total: 0 };

const countingOf = (source: Source): Counting => {
  const { aggregationType: type } = source.query.retentionFilter;
  const aggregation = amountOf(source) === null || type === "count" ? null : type;
  const { rolling, cumulative } = source.settings;
  if (aggregation !== null && (rolling || cumulative)) {
    const with_ = rolling ? "24-hour windows" : "cumulative retention";
    throw new QueryError("invalid_input", `Sums and averages cannot be combined with ${with_}: leave out one of the two.`);
  }
  return { sample: source.query.samplingFactor, aggregation };
};

/** Numbers of the cohorts; with an open range from that of the earliest event, or of now when there is none. */
const cohortsOf = ({ timeline, period, columns }: Settings, earliest: bigint | null, context: InsightContext) => {
  if (!timeline.open) return { first: 0, end: timeline.cohorts };
  const first = earliest === null ? timeline.cohorts - 1 : periodNumber(timeline, floorTo(earliest, period, context), period, context);
  const within = Math.min(Math.max(first, 0), timeline.cohorts - 1);
  checkCells(timeline.cohorts - within, columns.length);
  return { first: within, end: timeline.cohorts };
};
