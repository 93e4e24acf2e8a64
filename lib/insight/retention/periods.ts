import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, call, compare, constant, every, field, from, select, unionAll } from "../../hogql/build.ts";
import {
  ACTOR,
  AMOUNT,
  AMOUNT_AFTER,
  actorKeys,
  amountExpr,
  COHORT,
  eitherRole,
  eventsIn,
  FIRST,
  FIRST_START,
  isFirstEver,
  keyColumns,
  PERIOD,
  periodExpr,
  RETURNS,
  type Scan,
  type Source,
  STARTS,
  VALUE,
} from "./scan.ts";

/** One row per actor, breakdown and period; what is before the first period has the number -1 and only starts. */
export const perPeriod = (source: Source): Ast => {
  const columns = [alias(STARTS, call("count")), alias(RETURNS, constant(0)), ...amounts(source, constant(0), constant(0))];
  return withHistory(source, inWindow(source), [alias(PERIOD, constant(-1)), ...columns]);
};

/** The rows of the window, and those of who has started before it when that matters, with the columns given. */
export const withHistory = (source: Source, rows: Select, columns: readonly Expr[]): Ast => {
  const { roles, settings } = source;
  const { timeline, type } = settings;
  if (type === "retention_recurring" || timeline.open) return rows;
  const start = isFirstEver(source) ? roles.anyStart : roles.start;
  const scan = { span: { from: null, to: timeline.origin }, names: [roles.startName], where: [start] };
  const query = scanByActor(source, scan, columns, []);
  return unionAll(rows, [query]);
};

/** All starts and returns from the first cohort's period to the last that counts. */
export const windowScan = (source: Source): Scan => {
  const { roles, settings } = source;
  const { origin, end } = settings.timeline;
  return { span: { from: origin, to: end }, names: [roles.startName, roles.returningName], where: eitherRole(source) };
};

/** A first-ever retention knows one value of an actor, that of its first event; otherwise each value is an actor of its own. */
export const scanByActor = (source: Source, scan: Scan, columns: readonly Expr[], by: readonly string[]): Select => {
  if (!isFirstEver(source)) return eventsIn(source, scan, [...keyColumns(source), ...columns], [...actorKeys(source), ...by]);
  const { roles, value, actor } = source;
  const values = value === null ? [] : [alias(VALUE, call("argMinIf", value, field("timestamp"), roles.anyStart))];
  const firsts = [alias(FIRST, call("min", timeIf(roles.anyStart))), alias(FIRST_START, call("min", timeIf(roles.start)))];
  return eventsIn(source, scan, [alias(ACTOR, actor), ...values, ...columns, ...firsts], [ACTOR, ...by]);
};

/** Each actor with the one cohort that it is of, by its first start, and its returns, from rows of its periods or from rows of one each. */
export const firstCohorts = (source: Source, rows: Ast, cohort: Expr, returns: Expr): Select => {
  const ever = isFirstEver(source);
  const keys = ever ? [ACTOR] : actorKeys(source);
  const own = ever && source.value !== null ? [alias(VALUE, call("argMin", field(VALUE), field(FIRST)))] : [];
  const found = select([...keys.map((name) => field(name)), ...own, alias(COHORT, call("min", cohort)), returns], {
    from: from(rows),
    groupBy: keys.map((name) => field(name)),
    having: ever ? compare("==", call("min", field(FIRST)), call("min", field(FIRST_START))) : null,
  });
  const inRange = [compare(">=", field(COHORT), constant(0)), compare("<", field(COHORT), constant(source.settings.timeline.cohorts))];
  return select(
    [...actorKeys(source), COHORT, RETURNS].map((name) => field(name)),
    { from: from(found), where: every([...inRange, ...source.firstConditions]) },
  );
};

/** The time of the events that fulfil a condition, NULL of the others. */
export const timeIf = (condition: Expr): Expr => call("if", condition, field("timestamp"), constant(null));

const amounts = (source: Source, amount: Expr, after: Expr): readonly Expr[] =>
  amountExpr(source) === null ? [] : [alias(AMOUNT, amount), alias(AMOUNT_AFTER, after)];

const inWindow = (source: Source): Select => {
  const { settings, context, roles } = source;
  const number = alias(PERIOD, periodExpr(settings.timeline, settings.period, context));
  const amount = amountExpr(source);
  if (amount !== null && !roles.same) return inWindowAfterStart(source, number, amount);
  const sums = amount === null ? [] : amounts(source, call("sumIf", amount, roles.returning), field(AMOUNT));
  const columns = [number, alias(STARTS, call("countIf", roles.start)), alias(RETURNS, call("countIf", roles.returning)), ...sums];
  return scanByActor(source, windowScan(source), columns, [PERIOD]);
};

const TIME = "event_time";
const START = "start_time";
const ANY_START = "any_start";
const IS_RETURN = "is_return";
const PERIOD_START = "period_start";
const EVENT_AMOUNT = "event_amount";

/** In its own period a return counts an amount only after the start; that takes every event by itself first. */
const inWindowAfterStart = (source: Source, number: Expr, amount: Expr): Select => {
  const { roles } = source;
  const ever = isFirstEver(source);
  const keys = [...(ever ? [ACTOR] : actorKeys(source)), PERIOD];
  const marks = [
    alias(TIME, field("timestamp")),
    alias(START, timeIf(roles.start)),
    alias(ANY_START, roles.anyStart),
    alias(IS_RETURN, roles.returning),
    alias(EVENT_AMOUNT, amount),
  ];
  const events = eventsIn(source, windowScan(source), [...keyColumns(source), number, ...marks], []);
  const over = { partitionBy: keys.map((name) => field(name)), orderBy: [] };
  const firstStart = alias(PERIOD_START, { kind: "window", name: "min", args: [field(START)], over });
  const names = [...actorKeys(source), PERIOD, ...marks.map(({ name }) => name)];
  const marked = select([...names.map((name) => field(name)), firstStart], { from: from(events) });
  const after = every([field(IS_RETURN), compare(">", field(TIME), field(PERIOD_START))]);
  const anyTime = call("if", field(ANY_START), field(TIME), constant(null));
  const firstValue = alias(VALUE, call("argMinIf", field(VALUE), field(TIME), field(ANY_START)));
  return select(
    [
      // In the order of the history's columns, which stand below these.
      ...actorKeys(source).map((name) => (ever && name === VALUE ? firstValue : field(name))),
      field(PERIOD),
      alias(STARTS, call("count", field(START))),
      alias(RETURNS, call("countIf", field(IS_RETURN))),
      alias(AMOUNT, call("sumIf", field(EVENT_AMOUNT), field(IS_RETURN))),
      alias(AMOUNT_AFTER, call("sumIf", field(EVENT_AMOUNT), after)),
      ...(ever ? [alias(FIRST, call("min", anyTime)), alias(FIRST_START, call("min", field(START)))] : []),
    ],
    { from: from(marked), groupBy: keys.map((name) => field(name)) },
  );
};
