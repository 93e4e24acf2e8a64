import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, call, compare, constant, field, from, select } from "../../hogql/build.ts";
import { COHORT, PERIOD, RETURNS, STARTS } from "./names.ts";
import { firstCohorts, keyed, perPeriod, windowScan, withHistory } from "./periods.ts";
import { amountOf, eventsIn, keyColumns, keysOf, periodOf, type Source, valueNames } from "./scan.ts";
import { lookahead, type Settings } from "./settings.ts";

/** Periods that have a bit of their own in a 64-bit integer, its sign left out. */
const MAX_BITS = 62;

/** Whether each period of the retention can be a bit: the cheapest form, but amounts do not fit in. */
export const fitsMasks = (source: Source): boolean => {
  const { timeline, columns } = source.settings;
  return amountOf(source) === null && !timeline.open && timeline.cohorts + lookahead(columns) <= MAX_BITS;
};

/** Name of a column's actors. */
export const actorsOfColumn = (column: number): string => `actors_${column}`;

/**
 * Actors by cohort, one row per cohort with a number for each column. In one pass over the events each actor becomes the set of the
 * periods in which it came back, as bits; shifted by its cohort, these say in which columns it counts.
 */
export const maskCells = (source: Source): Ast => {
  const { columns } = source.settings;
  const keys = [...valueNames(source), COHORT].map((name) => field(name));
  const after = call("bitShiftRight", field(RETURNS), field(COHORT));
  const seen = select([...keys, alias(RETURNS, after)], { from: from(actorsOf(source)) });
  const counts = columns.map((_, index) => {
    const isSeen = compare("!=", call("bitAnd", field(RETURNS), integer(bitsOf(source.settings, index))), constant(0));
    return alias(actorsOfColumn(index), index === 0 ? call("count") : call("countIf", isSeen));
  });
  return select([...keys, ...counts], { from: from(seen), groupBy: keys });
};

/** The periods after the cohort's, one of which must be among the actor's for a column to count it. */
const bitsOf = ({ columns, cumulative }: Settings, index: number): bigint => {
  const first = columns[index]?.from ?? 0;
  const last = cumulative ? lookahead(columns) : (columns[index]?.to ?? 0);
  return ((1n << BigInt(last - first + 1)) - 1n) << BigInt(first);
};

/** Beyond 2^53 a number of JSON would not be exact. */
const integer = (value: bigint): Expr =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? constant(Number(value)) : { kind: "odd-number", text: String(value) };

/** The bit of a period where a condition holds; the 1 is as wide as the result must be. */
const bitIf = (condition: Expr, period: Expr): Expr =>
  call("groupBitOr", call("if", condition, call("bitShiftLeft", call("toInt64", constant(1)), period), call("toInt64", constant(0))));

/** Each actor once for each cohort that it is of, with its bits. */
const actorsOf = (source: Source): Select => {
  const { settings, context, roles } = source;
  const { timeline, period, minimum, type } = settings;
  if (minimum > 1) return counted(source);
  const number = periodOf(timeline, period, context);
  const returns = alias(RETURNS, bitIf(roles.returning, number));
  if (type !== "retention_recurring") {
    const first = alias(COHORT, call("min", call("if", roles.start, number, constant(null))));
    const rows = withHistory(source, keyed(source, windowScan(source), [first, returns], []), [
      alias(COHORT, constant(-1)),
      alias(RETURNS, call("toInt64", constant(0))),
    ]);
    return firstCohorts(source, rows, field(COHORT), [alias(RETURNS, call("groupBitOr", field(RETURNS)))], [RETURNS]);
  }
  const starts = alias(STARTS, roles.same ? field(RETURNS) : bitIf(roles.start, number));
  return eachCohort(source, eventsIn(source, windowScan(source), [...keyColumns(source), returns, starts], keysOf(source)));
};

/** Where an actor must come back several times in a period, periods are counted first. */
const counted = (source: Source): Select => {
  const { minimum, type } = source.settings;
  const rows = perPeriod(source);
  const started = compare(">", field(STARTS), constant(0));
  const known = call("greatest", field(PERIOD), constant(0));
  const returns = alias(RETURNS, bitIf(compare(">=", field(RETURNS), constant(minimum)), known));
  if (type !== "retention_recurring") {
    return firstCohorts(source, rows, call("if", started, field(PERIOD), constant(null)), [returns], [RETURNS]);
  }
  const keys = keysOf(source).map((name) => field(name));
  return eachCohort(source, select([...keys, returns, alias(STARTS, bitIf(started, known))], { from: from(rows), groupBy: keys }));
};

const eachCohort = (source: Source, actors: Select): Select => {
  const names = [...keysOf(source), COHORT, RETURNS].map((name) => field(name));
  const cohorts = call("arrayJoin", call("range", constant(0), constant(source.settings.timeline.cohorts)));
  const all = select([...keysOf(source).map((name) => field(name)), field(RETURNS), field(STARTS), alias(COHORT, cohorts)], {
    from: from(actors),
  });
  const started = compare("==", call("bitAnd", call("bitShiftRight", field(STARTS), field(COHORT)), constant(1)), constant(1));
  return select(names, { from: from(all), where: started });
};
