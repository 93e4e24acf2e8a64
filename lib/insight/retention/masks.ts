import { Defect } from "../../core/unreachable.ts";
import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, field, from, select, unionAll, wholeNumber } from "../../hogql/build.ts";
import { firstCohorts, perPeriod, scanByActor, windowScan, withHistory } from "./periods.ts";
import {
  actorKeys,
  amountExpr,
  COHORT,
  eventsIn,
  keyColumns,
  PERIOD,
  periodExpr,
  RETURNS,
  type Source,
  STARTS,
  valueNames,
} from "./scan.ts";
import { lookahead, periodStart, type Settings } from "./settings.ts";

/** Periods that have a bit of their own in a 64-bit integer, its sign left out. */
const MAX_BITS = 62;

/** Most parts that the cohorts are counted in, and how often an event may be read by them all; beyond, lists are cheaper. */
const MAX_BLOCKS = 12;
const MAX_READS = 3;

/** Whether the retention's periods can be bits: the cheapest form, but amounts do not fit in. */
export const fitsMasks = (source: Source): boolean => {
  const { timeline, columns } = source.settings;
  if (amountExpr(source) !== null || timeline.open || lookahead(columns) >= MAX_BITS) return false;
  const blocks = splitBlocks(source).length;
  const reads = (blocks * MAX_BITS) / (timeline.cohorts + lookahead(columns));
  return blocks === 1 || (blocks <= MAX_BLOCKS && reads <= MAX_READS);
};

/** The cohorts in parts, as long as bits reach: the number of the first of each, and how many there are. */
const splitBlocks = ({ settings: { timeline, columns } }: Source): readonly { readonly first: number; readonly cohorts: number }[] => {
  const size = MAX_BITS - lookahead(columns);
  return Array.from({ length: Math.ceil(timeline.cohorts / size) }, (_, index) => ({
    first: index * size,
    cohorts: Math.min(size, timeline.cohorts - index * size),
  }));
};

/** Name of a column's actors. */
export const columnName = (column: number): string => `actors_${column}`;

/**
 * Actors by cohort, one row per cohort with a number for each column. In one pass over the events each actor becomes the set of the
 * periods in which it came back, as bits; shifted by its cohort, these say in which columns it counts.
 */
export const maskCells = (source: Source): Ast => {
  const [first, ...rest] = splitBlocks(source).map((block) => blockCells(source, block));
  if (first === undefined) throw new Defect("a retention has no cohorts");
  if (rest.length === 0) return first;
  return unionAll(first, rest);
};

const blockCells = (source: Source, { first, cohorts }: { readonly first: number; readonly cohorts: number }): Select => {
  const { settings, context } = source;
  const { columns, timeline, period } = settings;
  const origin = periodStart(timeline, first, period, context);
  const end = periodStart(timeline, first + cohorts + lookahead(columns), period, context);
  const block = { ...source, settings: { ...settings, timeline: { ...timeline, origin, cohorts, end } } };
  const values = valueNames(source).map((name) => field(name));
  const after = call("bitShiftRight", field(RETURNS), field(COHORT));
  const number = arithmetic("+", field(COHORT), constant(first));
  const seen = select([...values, alias("number", first === 0 ? field(COHORT) : number), alias(RETURNS, after)], {
    from: from(actorMasks(block)),
  });
  const counts = columns.map((_, index) => {
    const isSeen = compare("!=", call("bitAnd", field(RETURNS), wholeNumber(columnBits(settings, index))), constant(0));
    return alias(columnName(index), index === 0 ? call("count") : call("countIf", isSeen));
  });
  return select([...values, alias(COHORT, field("number")), ...counts], { from: from(seen), groupBy: [...values, field(COHORT)] });
};

/** The periods after the cohort's, one of which must be among the actor's for a column to count it. */
const columnBits = ({ columns, cumulative }: Settings, index: number): bigint => {
  const first = columns[index]?.from ?? 0;
  const last = cumulative ? lookahead(columns) : (columns[index]?.to ?? 0);
  return ((1n << BigInt(last - first + 1)) - 1n) << BigInt(first);
};

/** The bit of a period where a condition holds; the 1 is as wide as the result must be. */
const bitIf = (condition: Expr, period: Expr): Expr =>
  call("groupBitOr", call("if", condition, call("bitShiftLeft", call("toInt64", constant(1)), period), call("toInt64", constant(0))));

/** Each actor once for each cohort that it is of, with its bits. */
const actorMasks = (source: Source): Select => {
  const { settings, context, roles } = source;
  const { timeline, period, minimum, type } = settings;
  if (minimum > 1) return actorMasksByCount(source);
  const number = periodExpr(timeline, period, context);
  const returns = alias(RETURNS, bitIf(roles.returning, number));
  if (type !== "retention_recurring") {
    const first = alias(COHORT, call("min", call("if", roles.start, number, constant(null))));
    const rows = withHistory(source, scanByActor(source, windowScan(source), [first, returns], []), [
      alias(COHORT, constant(-1)),
      alias(RETURNS, call("toInt64", constant(0))),
    ]);
    return firstCohorts(source, rows, field(COHORT), alias(RETURNS, call("groupBitOr", field(RETURNS))));
  }
  const starts = alias(STARTS, roles.same ? field(RETURNS) : bitIf(roles.start, number));
  return eachCohort(source, eventsIn(source, windowScan(source), [...keyColumns(source), returns, starts], actorKeys(source)));
};

/** Where an actor must come back several times in a period, periods are counted first. */
const actorMasksByCount = (source: Source): Select => {
  const { minimum, type } = source.settings;
  const rows = perPeriod(source);
  const started = compare(">", field(STARTS), constant(0));
  const known = call("greatest", field(PERIOD), constant(0));
  const returns = alias(RETURNS, bitIf(compare(">=", field(RETURNS), constant(minimum)), known));
  if (type !== "retention_recurring") {
    return firstCohorts(source, rows, call("if", started, field(PERIOD), constant(null)), returns);
  }
  const keys = actorKeys(source).map((name) => field(name));
  return eachCohort(source, select([...keys, returns, alias(STARTS, bitIf(started, known))], { from: from(rows), groupBy: keys }));
};

const eachCohort = (source: Source, actors: Select): Select => {
  const names = [...actorKeys(source), COHORT, RETURNS].map((name) => field(name));
  const cohorts = call("arrayJoin", call("range", constant(0), constant(source.settings.timeline.cohorts)));
  const all = select([...actorKeys(source).map((name) => field(name)), field(RETURNS), field(STARTS), alias(COHORT, cohorts)], {
    from: from(actors),
  });
  const started = compare("==", call("bitAnd", call("bitShiftRight", field(STARTS), field(COHORT)), constant(1)), constant(1));
  return select(names, { from: from(all), where: started });
};
