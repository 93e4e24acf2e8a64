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
import { type ClosedSpan, exceptionsQuery, type IssueSelection, MEASURE_ORDER, ROWS, type Steps } from "./exceptions-query.ts";
import { type IssueWindow, readPassing, storedWindow } from "./list-issues.ts";
import { type Aggregation, type IssueListRequest, isStoredKey, type SentDates } from "./parameters.ts";

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
  const steps = ofDate(asked.dates?.from === undefined ? "date_to" : "date_from", () => sparklineSteps(span, project.timezone));
  const { order, aggregations } = asked;
  const onlySeen = asked.dates !== null;
  const isStored = !onlySeen && isStoredKey(order.key);
  const [moved, stored, passing] = await Promise.all([
    readMovedIssues(world.table, project.id).catch(refuse),
    isStored ? storedWindow(world.table, project.id, asked, window) : undefined,
    isStored ? [] : readPassing(world.table, project.id, asked.passes),
  ]);
  const known = new Map([...(stored?.items ?? passing)].map((issue) => [issue.id, issue]));
  if (known.size === 0) return { count: stored?.count ?? 0, items: [], aggregations: aggregations.length === 0 ? undefined : [] };
  const selection = (page: Window): IssueSelection =>
    stored === undefined ? { order, onlySeen, window: page } : { ids: [...known.keys()] };
  const answers = await runTrees(
    world,
    project,
    async (run) => {
      const ask = async (page: Window, wanted: readonly Aggregation[]): Promise<Answer> =>
        readAnswer(await run.rows(exceptionsQuery(span, selection(page), wanted, steps)));
      const own = await ask(window, aggregations);
      // Behind the end there is no row that says how many there are.
      const isBehind = stored === undefined && own.ids.length === 0 && window.offset > 0;
      return isBehind ? { ...own, count: (await ask({ limit: 1, offset: 0 }, [])).count } : own;
    },
    { lists: { moved, issues: issueList(passing) } },
  );
  const items = stored?.items ?? answers.ids.flatMap((id) => known.get(id) ?? []);
  const starts = Array.from({ length: steps.count }, (_, step) => isoSeconds(Number((steps.start + BigInt(step) * steps.width) / 1_000n)));
  return {
    count: stored?.count ?? answers.count,
    items,
    aggregations: aggregations.length === 0 ? undefined : items.map(({ id }) => aggregationsOf(id, aggregations, answers, starts)),
  };
};

/** What the query orders issues by, as its table of issues. */
const issueList = (issues: readonly Issue[]) =>
  rowList([
    { name: "id", kind: "text", values: issues.map(({ id }) => id) },
    { name: "first_seen", kind: "time", values: BigInt64Array.from(issues, ({ first_seen }) => parseTime(first_seen) ?? 0n) },
  ]);

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

/** The rows of one query, put together: the page's ids where they were asked for, and what was counted of each issue. */
interface Answer {
  readonly count: number;
  readonly ids: readonly string[];
  readonly measures: ReadonlyMap<string, readonly bigint[]>;
  readonly steps: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

const readAnswer = (rows: Awaited<ReturnType<TreeRun["rows"]>>): Answer => {
  const places: { readonly id: string; readonly place: number }[] = [];
  const measures = new Map<string, readonly bigint[]>();
  const steps = new Map<string, Map<number, number>>();
  let count = 0;
  for (const [kind, of, ...numbers] of rows) {
    const [id, values] = [String(of), numbers.map((number) => BigInt(String(number)))];
    const [a, b] = [Number(values[0]), Number(values[1])];
    if (Number(kind) === ROWS.page) {
      count = a;
      places.push({ id, place: b });
    } else if (Number(kind) === ROWS.counted) measures.set(id, values);
    else steps.set(id, (steps.get(id) ?? new Map<number, number>()).set(a, b));
  }
  return { count, ids: places.sort((one, other) => one.place - other.place).map(({ id }) => id), measures, steps };
};

const aggregationsOf = (
  id: string,
  wanted: readonly Aggregation[],
  { measures, steps }: Answer,
  starts: readonly string[],
): Aggregations => {
  const made: Aggregations = {};
  const values = measures.get(id);
  for (const [at, key] of MEASURE_ORDER.entries()) {
    if (!wanted.includes(key)) continue;
    const value = values?.[at];
    if (key === "last_seen") made.last_seen = value === undefined ? null : microsText(value);
    else made[key] = Number(value ?? 0n);
  }
  if (wanted.includes("sparkline")) made.sparkline = starts.map((start, step) => ({ start, count: steps.get(id)?.get(step) ?? 0 }));
  return made;
};

/** Most steps of a sparkline, and how long they may be: the shortest that is not too short for the time. */
const MOST_STEPS = 48n;
const MINUTE_US = 60_000_000n;
const WIDTHS = [1n, 5n, 15n, 30n].map((minutes) => minutes * MINUTE_US).concat([1n, 2n, 3n, 6n, 12n].map((hours) => hours * HOUR_US));
const DAYS = [1n, 2n, 7n, 14n, 30n, 90n, 365n, 3_650n, 36_500n];

/** Steps begin on the hour, or at midnight of the project's clock where they are days. */
const sparklineSteps = ({ from, to }: ClosedSpan, timezone: string): Steps => {
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
