import type { World } from "../../../lib/app/world.ts";
import { DAY_US, HOUR_US, isoMicros, isoSeconds } from "../../../lib/core/time.ts";
import type { RunProject } from "../../../lib/endpoints/run-request.ts";
import { runTrees, type TreeRun } from "../../../lib/endpoints/tree-runs.ts";
import type { Issue } from "../../../lib/error-tracking/issues.ts";
import { readMovedIssues } from "../../../lib/error-tracking/moved-issues.ts";
import { parseTime } from "../../../lib/event/times.ts";
import { QueryError } from "../../../lib/hogql/errors.ts";
import { rowList } from "../../../lib/hogql/row-list.ts";
import { invalid, standardError } from "../../../lib/http/errors.ts";
import type { Window } from "../../../lib/http/pagination.ts";
import { endOf, floorTo, startOf, WEEK_START } from "../../../lib/insight/dates.ts";
import { shortMicros } from "../timestamps.ts";
import { type ClosedSpan, measured, measuresQuery, pageQuery, type Steps, stepsQuery } from "./exceptions-query.ts";
import { type IssueWindow, readPassing, storedWindow } from "./list-issues.ts";
import { type IssueListRequest, isStoredKey, type SentDates } from "./parameters.ts";

/** What an entry of the list carries of its exceptions; only what was asked for is there. */
export interface Aggregations {
  occurrences?: number;
  users?: number;
  sessions?: number;
  last_seen?: string | null;
  sparkline?: { readonly start: string; readonly count: number }[];
}

/** A page of issues with what their exceptions say, in the order of its items; undefined where nothing is asked for. */
export interface CountedWindow extends IssueWindow {
  readonly aggregations: readonly Aggregations[] | undefined;
}

/** The page of a list that goes by exceptions. Throws 400 for dates that are none and where the events are too many, and 429. */
export const countedIssues = async (world: World, project: RunProject, asked: IssueListRequest, window: Window): Promise<CountedWindow> => {
  const span = readSpan(asked.dates, { now: world.clock.now(), timezone: project.timezone });
  const isStored = asked.dates === null && isStoredKey(asked.order.key);
  const [moved, passing] = await Promise.all([
    readMovedIssues(world.table, project.id).catch(refuse),
    isStored ? storedWindow(world.table, project.id, asked, window) : readPassing(world.table, project.id, asked.passes),
  ]);
  const passed = "items" in passing ? [] : passing;
  const issues = rowList([
    { name: "id", kind: "text", values: passed.map(({ id }) => id) },
    { name: "first_seen", kind: "time", values: BigInt64Array.from(passed, ({ first_seen }) => parseTime(first_seen) ?? 0n) },
  ]);
  return runTrees(
    world,
    project,
    async (run) => {
      const page = "items" in passing ? passing : await countedPage(run, passing, span, asked, window);
      const aggregations = asked.aggregations.length === 0 ? undefined : await aggregate(run, page.items, span, asked, project.timezone);
      return { ...page, aggregations };
    },
    { moved, issues },
  );
};

const refuse = (thrown: unknown): never => {
  throw thrown instanceof QueryError ? standardError(400, "validation_error", "invalid_input", thrown.message, { cause: thrown }) : thrown;
};

/** How long before its end a time begins that says no beginning. */
const DEFAULT_US = 30n * DAY_US;

const readSpan = (dates: SentDates | null, moment: { readonly now: number; readonly timezone: string }): ClosedSpan => {
  const clock = { ...moment, weekStart: WEEK_START };
  const to = ofDate("date_to", () => endOf(dates?.to ?? null, clock, dates?.to === undefined ? null : "second"));
  const from = dates?.from === undefined ? to - DEFAULT_US : ofDate("date_from", () => startOf(dates.from ?? "", clock, null));
  if (from >= to) throw invalid("date_from", "The time is empty: it must begin before it ends.");
  return { from, to };
};

const ofDate = <T>(attr: "date_from" | "date_to", read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw error instanceof QueryError ? invalid(attr, error.message) : error;
  }
};

const countedPage = async (
  run: TreeRun,
  passing: readonly Issue[],
  span: ClosedSpan,
  { order, dates }: IssueListRequest,
  window: Window,
): Promise<IssueWindow> => {
  const onlySeen = dates !== null;
  const rows = await run.rows(pageQuery(span, order, onlySeen, window));
  const byId = new Map(passing.map((issue) => [issue.id, issue]));
  const items = rows.flatMap(([id]) => byId.get(String(id)) ?? []);
  // Behind the end there is no row that says how many there are.
  const [first] = rows.length > 0 || window.offset === 0 ? rows : await run.rows(pageQuery(span, order, onlySeen, { limit: 1, offset: 0 }));
  return { count: Number(first?.[1] ?? 0), items };
};

const aggregate = async (
  run: TreeRun,
  items: readonly Issue[],
  span: ClosedSpan,
  { aggregations }: IssueListRequest,
  timezone: string,
): Promise<readonly Aggregations[]> => {
  const ids = items.map(({ id }) => id);
  if (ids.length === 0) return [];
  const keys = measured(aggregations);
  const measures = new Map<string, readonly unknown[]>();
  if (keys.length > 0) for (const [id, ...values] of await run.rows(measuresQuery(span, ids, keys))) measures.set(String(id), values);
  const sparklines = aggregations.includes("sparkline") ? await readSteps(run, ids, span, timezone) : undefined;
  return ids.map((id) => {
    const made: Aggregations = {};
    for (const [at, key] of keys.entries()) {
      const value = measures.get(id)?.[at];
      if (key === "last_seen") made.last_seen = value === undefined ? null : microsText(BigInt(String(value)));
      else made[key] = Number(value ?? 0);
    }
    if (sparklines) made.sparkline = sparklines(id);
    return made;
  });
};

const readSteps = async (run: TreeRun, ids: readonly string[], span: ClosedSpan, timezone: string) => {
  const steps = stepsOf(span, timezone);
  const counts = new Map<string, number>();
  for (const [id, step, count] of await run.rows(stepsQuery(span, ids, steps))) counts.set(`${id} ${step}`, Number(count));
  const starts = Array.from({ length: steps.count }, (_, step) => isoSeconds(Number((steps.start + BigInt(step) * steps.width) / 1_000n)));
  return (id: string) => starts.map((start, step) => ({ start, count: counts.get(`${id} ${step}`) ?? 0 }));
};

/** Most steps of a sparkline, and how long they may be: the shortest that is not too short for the time. */
const MOST_STEPS = 48n;
const MINUTE_US = 60_000_000n;
const WIDTHS = [1n, 5n, 15n, 30n].map((minutes) => minutes * MINUTE_US).concat([1n, 2n, 3n, 6n, 12n].map((hours) => hours * HOUR_US));
const DAYS = [1n, 2n, 7n, 14n, 30n, 90n, 365n, 3_650n, 36_500n];

/** Steps begin on the hour, or at midnight of the project's clock where they are days. */
const stepsOf = ({ from, to }: ClosedSpan, timezone: string): Steps => {
  const candidates = [
    ...WIDTHS.map((width) => ({ width, start: floorTo(from, "hour", { timezone, weekStart: WEEK_START }) })),
    ...DAYS.map((days) => ({ width: days * DAY_US, start: floorTo(from, "day", { timezone, weekStart: WEEK_START }) })),
  ];
  const made = candidates.map(({ width, start }) => {
    const first = start + ((from - start) / width) * width;
    return { start: first, width, count: (to - first + width - 1n) / width };
  });
  const found = made.find(({ count }) => count <= MOST_STEPS) ?? { start: from, width: to - from, count: 1n };
  return { ...found, count: Number(found.count) };
};

const microsText = (micros: bigint): string => {
  const ms = micros / 1_000n;
  const rest = String(micros - ms * 1_000n).padStart(3, "0");
  return shortMicros(isoMicros(Number(ms)).replace("000Z", `${rest}Z`));
};
