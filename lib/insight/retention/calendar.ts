import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, call, compare, constant, every, field, from, select } from "../../hogql/build.ts";
import { columnOf, dense } from "./cells.ts";
import { ACTOR, amountOf, eitherRole, eventsIn, keyColumns, keysOf, periodOf, type Scan, type Source, VALUE, valueNames } from "./scan.ts";
import { lookahead } from "./settings.ts";

/**
 * Actors by cohort and column, in periods of the calendar: events are first folded to one row per actor and period, these to one
 * row per actor with lists of its cohorts and of the periods in which it came back, and these are spread over the columns.
 */
export const calendarCells = (source: Source): Ast => {
  const actors = actorsOf(source, perPeriod(source));
  return amountOf(source) === null ? countedCells(source, actors) : summedCells(source, actors);
};

const PERIOD = "period_number";
const STARTS = "starts";
const RETURNS = "returns";
const FIRST = "first_of_event";
const FIRST_START = "first_start";
const EVENT_AMOUNT = "event_amount";
const AMOUNT = "amount";
const AMOUNT_AFTER = "amount_after_start";
export const COHORT = "cohort";
export const COLUMN = "column_number";
export const ACTORS = "actors";
export const TOTAL = "total";

/** The time of the events that fulfil a condition, NULL of the others. */
const timeIf = (condition: Expr): Expr => call("if", condition, field("timestamp"), constant(null));

const isFirst = ({ settings }: Source): boolean => settings.type !== "retention_recurring";
const isFirstEver = ({ settings }: Source): boolean => settings.type === "retention_first_ever_occurrence";

/** One row per actor, breakdown and period; what is before the first period has the number -1 and only starts. */
const perPeriod = (source: Source): Ast => {
  const { timeline } = source.settings;
  const inWindow = windowRows(source);
  if (!isFirst(source) || timeline.open) return inWindow;
  return { kind: "set", first: inWindow, rest: [{ operator: "UNION ALL", query: historyRows(source) }], limit: null, offset: null };
};

const windowRows = (source: Source): Select => {
  const { settings, context, roles } = source;
  const { timeline, period } = settings;
  const either = isFirstEver(source) ? { ...roles, start: roles.anyStart } : roles;
  const scan: Scan = {
    span: { from: timeline.origin, to: timeline.end },
    names: [roles.startName, roles.returningName],
    where: roles.same && !isFirstEver(source) ? [roles.start] : eitherRole({ ...source, roles: either }),
  };
  const number = alias(PERIOD, periodOf(timeline, period, context));
  const amount = amountOf(source);
  if (amount !== null && !roles.same) return windowRowsAfterStart(source, scan, number, amount);
  const amounts = amount === null ? [] : [alias(AMOUNT, call("sumIf", amount, roles.returning)), alias(AMOUNT_AFTER, field(AMOUNT))];
  const columns = [number, alias(STARTS, call("countIf", roles.start)), alias(RETURNS, call("countIf", roles.returning)), ...amounts];
  return keyed(source, scan, columns, [PERIOD]);
};

/** A first-ever retention knows one value of an actor, that of its first event; otherwise each value is an actor of its own. */
const keyed = (source: Source, scan: Scan, columns: readonly Expr[], by: readonly string[]): Select => {
  if (!isFirstEver(source)) return eventsIn(source, scan, [...keyColumns(source), ...columns], [...keysOf(source), ...by]);
  const { roles, value, actor } = source;
  const values = value === null ? [] : [alias(VALUE, call("argMinIf", value, field("timestamp"), roles.anyStart))];
  const firsts = [alias(FIRST, call("min", timeIf(roles.anyStart))), alias(FIRST_START, call("min", timeIf(roles.start)))];
  return eventsIn(source, scan, [alias(ACTOR, actor), ...values, ...columns, ...firsts], [ACTOR, ...by]);
};

/** In its own period a return counts an amount only after the start; that takes every event by itself first. */
const windowRowsAfterStart = (source: Source, scan: Scan, number: Expr, amount: Expr): Select => {
  const { roles } = source;
  const keys = isFirstEver(source) ? [ACTOR] : keysOf(source);
  const start = "start_time";
  const firstStart: Expr = {
    kind: "window",
    name: "min",
    args: [field(start)],
    over: { partitionBy: [...keys, PERIOD].map((name) => field(name)), orderBy: [] },
  };
  const events = eventsIn(
    source,
    scan,
    [
      ...keyColumns(source),
      number,
      alias("event_time", field("timestamp")),
      alias(start, timeIf(roles.start)),
      alias("any_start", roles.anyStart),
      alias("is_return", roles.returning),
      alias(EVENT_AMOUNT, amount),
    ],
    [],
  );
  const names = [...keysOf(source), PERIOD, "event_time", start, "any_start", "is_return", EVENT_AMOUNT];
  const marked = select([...names.map((name) => field(name)), alias("period_start", firstStart)], { from: from(events) });
  const time = (condition: string): Expr => call("if", field(condition), field("event_time"), constant(null));
  const after = every([field("is_return"), compare(">", field("event_time"), field("period_start"))]);
  const ever = isFirstEver(source);
  return select(
    [
      ...keys.map((name) => field(name)),
      ...(ever && source.value !== null ? [alias(VALUE, call("argMinIf", field(VALUE), field("event_time"), field("any_start")))] : []),
      field(PERIOD),
      alias(STARTS, call("count", field(start))),
      alias(RETURNS, call("countIf", field("is_return"))),
      alias(AMOUNT, call("sumIf", field(EVENT_AMOUNT), field("is_return"))),
      alias(AMOUNT_AFTER, call("sumIf", field(EVENT_AMOUNT), after)),
      ...(ever ? [alias(FIRST, call("min", time("any_start"))), alias(FIRST_START, call("min", field(start)))] : []),
    ],
    { from: from(marked), groupBy: [...keys, PERIOD].map((name) => field(name)) },
  );
};

/** Who has started before the first period. */
const historyRows = (source: Source): Select => {
  const { roles, settings } = source;
  const start = isFirstEver(source) ? roles.anyStart : roles.start;
  const amounts = amountOf(source) === null ? [] : [alias(AMOUNT, constant(0)), alias(AMOUNT_AFTER, constant(0))];
  const columns = [alias(PERIOD, constant(-1)), alias(STARTS, call("count")), alias(RETURNS, constant(0)), ...amounts];
  return keyed(source, { span: { from: null, to: settings.timeline.origin }, names: [roles.startName], where: [start] }, columns, []);
};

/** One row per actor and cohort that it is of, with a list of the periods in which it came back. */
const actorsOf = (source: Source, rows: Ast): Select => {
  const { settings } = source;
  const returned = compare(">=", field(RETURNS), constant(amountOf(source) === null ? settings.minimum : 1));
  const item = amountOf(source) === null ? field(PERIOD) : call("tuple", field(PERIOD), field(AMOUNT), field(AMOUNT_AFTER));
  const returns = alias(RETURNS, call("groupArrayIf", item, returned));
  const started = compare(">", field(STARTS), constant(0));
  const names = [...keysOf(source), COHORT, RETURNS];
  if (!isFirst(source)) {
    const within = every([started, compare("<", field(PERIOD), constant(settings.timeline.cohorts))]);
    const lists = select(
      [...keysOf(source).map((name) => field(name)), alias(STARTS, call("groupArrayIf", field(PERIOD), within)), returns],
      {
        from: from(rows),
        groupBy: keysOf(source).map((name) => field(name)),
      },
    );
    return select(
      names.map((name) => (name === COHORT ? alias(COHORT, call("arrayJoin", field(STARTS))) : field(name))),
      { from: from(lists) },
    );
  }
  const keys = isFirstEver(source) ? [ACTOR] : keysOf(source);
  const own = isFirstEver(source) && source.value !== null ? [alias(VALUE, call("argMin", field(VALUE), field(FIRST)))] : [];
  const cohort = alias(COHORT, call("min", call("if", started, field(PERIOD), constant(null))));
  const found = select([...keys.map((name) => field(name)), ...own, cohort, returns], {
    from: from(rows),
    groupBy: keys.map((name) => field(name)),
    having: isFirstEver(source) ? compare("==", call("min", field(FIRST)), call("min", field(FIRST_START))) : null,
  });
  return select(
    names.map((name) => field(name)),
    {
      from: from(found),
      where: every([compare(">=", field(COHORT), constant(0)), compare("<", field(COHORT), constant(settings.timeline.cohorts))]),
    },
  );
};

const minus = (left: Expr, right: Expr): Expr => ({ kind: "arithmetic", op: "-", left, right });
const lambda = (name: string, body: Expr): Expr => ({ kind: "lambda", args: [name], body });

/** Columns are spread from each actor's list, in which every column stands once. */
const countedCells = (source: Source, actors: Select): Ast => {
  const { columns, cumulative } = source.settings;
  const after = field("after");
  const offsets = call("arrayMap", lambda("returned", minus(field("returned"), field(COHORT))), field(RETURNS));
  const inside = every([compare(">", after, constant(0)), compare("<=", after, constant(lookahead(columns)))]);
  const kept = call("arrayFilter", lambda("after", inside), offsets);
  const placed = dense(columns) ? kept : call("arrayDistinct", call("arrayMap", lambda("after", columnOf(columns, after)), kept));
  const all = call("arrayConcat", { kind: "array", items: [constant(0)] }, placed);
  const spread = cumulative ? call("range", constant(0), plusOne(call("arrayMax", all))) : all;
  const keys = [...valueNames(source), COHORT];
  const cells = select([...keys.map((name) => field(name)), alias(COLUMN, call("arrayJoin", spread))], { from: from(actors) });
  const by = [...keys, COLUMN].map((name) => field(name));
  return select([...by, alias(ACTORS, call("count"))], { from: from(cells), groupBy: by });
};

const plusOne = (left: Expr): Expr => ({ kind: "arithmetic", op: "+", left, right: constant(1) });

/** The same with amounts: everybody of a cohort is in its first column, with what came after the start. */
const summedCells = (source: Source, actors: Select): Ast => {
  const { columns } = source.settings;
  const zero = call("toFloat", constant(0));
  const everybody: Expr = { kind: "array", items: [call("tuple", field(COHORT), zero, zero)] };
  const keys = [...keysOf(source), COHORT];
  const one = field("one");
  const each = select(
    [...keys.map((name) => field(name)), alias("one", call("arrayJoin", call("arrayConcat", everybody, field(RETURNS))))],
    {
      from: from(actors),
    },
  );
  const part = (index: number): Expr => ({ kind: "tuple-element", of: one, index });
  const offset = field("after");
  const offsets = select(
    [
      ...keys.map((name) => field(name)),
      alias("after", minus(part(1), field(COHORT))),
      alias(AMOUNT, part(2)),
      alias(AMOUNT_AFTER, part(3)),
    ],
    { from: from(each) },
  );
  const by = [...valueNames(source), COHORT, COLUMN].map((name) => field(name));
  const placed = dense(columns) ? offset : columnOf(columns, offset);
  const amount = call("if", compare("==", offset, constant(0)), field(AMOUNT_AFTER), field(AMOUNT));
  return select(
    [
      ...[...valueNames(source), COHORT].map((name) => field(name)),
      alias(COLUMN, placed),
      alias(ACTORS, { kind: "call", name: "count", args: [field(ACTOR)], distinct: true }),
      alias(TOTAL, call("sum", amount)),
    ],
    {
      from: from(offsets),
      where: every([compare(">=", offset, constant(0)), compare("<=", offset, constant(lookahead(columns)))]),
      groupBy: by,
    },
  );
};
