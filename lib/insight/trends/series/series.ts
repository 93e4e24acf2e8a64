import { unreachable } from "../../../core/unreachable.ts";
import type { Ast, Expr, Join, Select } from "../../../hogql/ast.ts";
import { alias, call, compare, constant, countDistinct, every, field, from, moment, select, tuple } from "../../../hogql/build.ts";
import { addToTimestamp } from "../../../hogql/calendar.ts";
import { timeZone } from "../../../hogql/time-zone.ts";
import { within } from "../../dates.ts";
import type { InsightContext } from "../../plan.ts";
import { bucketExpr, bucketStarts, type Timeline } from "../timeline.ts";
import { activeAt, activeChanges, type Sliding, sliding, windowEnds, windowsFrom } from "./active.ts";
import { BUCKET, COUNT, grouped, keyNames, named, VALUE } from "./columns.ts";
import { type BreakdownNumbers, type Folding, foldQuery } from "./fold.ts";
import {
  binJoins,
  breakdownKeys,
  eventCondition,
  everyEvent,
  filterConditions,
  type SeriesQuery,
  selectEvents,
  valueConditions,
} from "./source.ts";

export interface SeriesPlan {
  readonly query: Ast;
  /** The numbers of the buckets `from` to before `to`; of a total, one. */
  readonly numbers: (folded: BreakdownNumbers, from: number, to: number) => readonly number[];
}

/** The query of a series, and how its rows are read. Throws `QueryError`. */
export const planSeries = (counted: SeriesQuery, context: InsightContext): SeriesPlan => {
  const { measure } = counted.math;
  if (measure.kind === "active" && !counted.isTotal) return slidingSeries(counted, measure.actor, measure.days, context);
  return { query: fold(counted, plainNumbers(counted, context), context, null), numbers: counted.isTotal ? theOne : byBucket };
};

const fold = ({ dimensions, math }: SeriesQuery, numbers: Select, { breakdownLimit }: InsightContext, weight: Folding["weight"]): Ast =>
  foldQuery(numbers, dimensions, { limit: breakdownLimit, weight, others: math.others });

const theOne = ({ numbers }: BreakdownNumbers): readonly number[] => [numbers[0] ?? 0];

const byBucket = ({ buckets, numbers }: BreakdownNumbers, from: number, to: number): readonly number[] => {
  const all = new Array<number>(to - from).fill(0);
  for (const [index, bucket] of buckets.entries()) if (bucket >= from && bucket < to) all[bucket - from] = numbers[index] ?? 0;
  return all;
};

const slidingSeries = (counted: SeriesQuery, actor: Expr, days: number, context: InsightContext): SeriesPlan => {
  const { line, range, interval } = counted;
  const [first = range.from, second] = bucketStarts(line, 0, Math.min(2, line.count));
  const [last = first] = bucketStarts(line, line.count - 1, line.count);
  const window = sliding(days, { first, last, end: range.to }, interval, context);
  const [end = 0, next] = windowEnds(window, second === undefined ? [first] : [first, second]);
  const events = selectEvents(counted, window.range, context);
  const changes = activeChanges(events, breakdownKeys(counted).length, actor, window);
  const weight = windowsFrom(end, next === undefined ? 1 : next - end, line.count);
  return { query: fold(counted, changes, context, weight), numbers: atWindows(line, window) };
};

const atWindows =
  (line: Timeline, window: Sliding): SeriesPlan["numbers"] =>
  ({ buckets, numbers }, from, to) =>
    activeAt(windowEnds(window, bucketStarts(line, from, to)), buckets, numbers);

/** The numbers of a series by keys and bucket, for every math whose buckets do not overlap. */
const plainNumbers = (counted: SeriesQuery, context: InsightContext): Select => {
  const { math, range, isTotal, line } = counted;
  const { measure } = math;
  const keys = keyNames(breakdownKeys(counted).length);
  const bucket = isTotal ? [] : [alias(BUCKET, bucketExpr(line))];
  const buckets = isTotal ? [] : [BUCKET];
  const events = selectEvents(counted, range, context);
  const parts = (count: Expr): readonly Expr[] => (needsCount(counted) ? [alias(COUNT, count)] : []);
  switch (measure.kind) {
    case "events": {
      const numbers = events([...bucket, alias(VALUE, measure.value), ...parts(measure.count)], buckets);
      return inOneBucket(counted, isTotal && keys.length === 0 ? { ...numbers, having: ONE_ROW } : numbers);
    }
    case "each": {
      const each = events([...bucket, alias(BY, measure.by), alias(EACH, measure.each)], [...buckets, BY]);
      const values = [alias(VALUE, measure.value(field(EACH))), ...parts(call("count", field(EACH)))];
      return inOneBucket(counted, grouped(each, [...keys, ...buckets], values));
    }
    case "new": {
      const first = isTotal ? [] : [alias(BUCKET, call("min", bucketExpr(line)))];
      const each = events([alias(BY, measure.actor), ...first], [BY]);
      return inOneBucket(counted, grouped(each, [...keys, ...buckets], [alias(VALUE, call("count"))]));
    }
    case "active": {
      const lately = { from: addToTimestamp(range.to, BigInt(-measure.days), "day", timeZone(context.timezone)), to: range.to };
      return inOneBucket(counted, selectEvents(counted, lately, context)([alias(VALUE, countDistinct(measure.actor))], []));
    }
    case "first":
      return inOneBucket(counted, firstOnes(counted, measure.actor, measure.matching, context));
    default:
      return unreachable(measure);
  }
};

/** Others past a breakdown's limit are made of counted numbers. */
const needsCount = ({ math, dimensions }: SeriesQuery): boolean => dimensions.length > 0 && math.others !== "sum";

/** Makes an aggregation of a SELECT whose math turns out to be a constant. */
const ONE_ROW = compare(">=", call("count"), constant(0));

const BY = "__by";
const EACH = "__m";

/** A total has its numbers in bucket 0. */
const inOneBucket = ({ isTotal }: SeriesQuery, numbers: Select): Select =>
  isTotal ? select([...numbers.columns.map(sameColumn), alias(BUCKET, constant(0))], { from: from(numbers) }) : numbers;

const sameColumn = (column: Expr): Expr => (column.kind === "alias" ? field(column.name) : column);

const firstOnes = (counted: SeriesQuery, actor: Expr, matching: boolean, context: InsightContext): Select => {
  const { range, sample, isTotal, line, math } = counted;
  const named = [...within({ from: null, to: range.to }), ...eventCondition(counted.node), ...math.where];
  const filters = filterConditions(counted, context);
  // A value that the run asks for is one of the first event, as in the rows: it does not make a later event the first.
  const values = valueConditions(counted);
  const sought = { actor, from: range.from, sample, joins: binJoins(counted, everyEvent(counted, range, context)) };
  const which = matching ? { among: [...named, ...filters], fulfilling: [] } : { among: named, fulfilling: filters };
  return firstTimes({ ...sought, ...which, values }, breakdownKeys(counted), isTotal ? null : line);
};

/** How an actor's first event of all time is recognised. */
interface FirstEvents {
  readonly actor: Expr;
  /** Conditions on the events among which the first is sought. */
  readonly among: readonly Expr[];
  /** Conditions on the first event; an actor whose first event does not fulfil them does not count. */
  readonly fulfilling: readonly Expr[];
  /** Conditions on that one event which gives the keys: of several first ones of one moment, no other counts. */
  readonly values: readonly Expr[];
  /** Actors count whose first event is not earlier. */
  readonly from: bigint;
  readonly sample: number | null;
  /** Joins that the keys need. */
  readonly joins: readonly Join[];
}

/** The time that the earliest of no events has. */
const NONE_US = 0n;

const FIRST = "__t";
const KEYS = "__ks";
const TIME = field("timestamp");

/** How many actors have their first event in each bucket, by the keys of that event; `line` null: in the whole range. */
const firstTimes = (
  { actor, among, fulfilling, values, from: start, sample, joins }: FirstEvents,
  keys: readonly Expr[],
  line: Timeline | null,
): Select => {
  const earliest = call("min", TIME);
  const condition = every(fulfilling);
  const narrow = fulfilling.length > 0;
  const ofFirst = (item: Expr): Expr => (narrow ? call("argMinIf", item, TIME, condition) : call("argMin", item, TIME));
  const firsts = select([alias(FIRST, earliest), ...(keys.length === 0 ? [] : [alias(KEYS, ofFirst(tuple(keys)))])], {
    from: { ...from("events"), sample },
    joins,
    where: every(among),
    groupBy: [actor],
    having: every([
      compare(">=", earliest, moment(start)),
      ...(narrow ? [compare("==", earliest, call("minIf", TIME, condition))] : []),
      ...(narrow && start <= NONE_US ? [compare(">", call("countIf", condition), constant(0))] : []),
      ...(values.length > 0 ? [compare("==", ofFirst(call("if", every(values), constant(1), constant(0))), constant(1))] : []),
    ]),
  });
  const names = keyNames(keys.length);
  const items = names.map((_, index): Expr => ({ kind: "tuple-element", of: field(KEYS), index: index + 1 }));
  const bucket = line === null ? [] : [alias(BUCKET, bucketExpr(line, field(FIRST)))];
  const groups = [...names, ...bucket.map(({ name }) => name)].map((name) => field(name));
  return select([...named(names, items), ...bucket, alias(VALUE, call("count"))], {
    from: from(firsts),
    ...(groups.length === 0 ? {} : { groupBy: groups }),
  });
};
