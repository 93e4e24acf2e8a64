import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, arithmetic, array, call, compare, constant, every, field, from, select, some } from "../../hogql/build.ts";
import { firstCohorts, perPeriod } from "./periods.ts";
import {
  ACTOR,
  ACTORS,
  AFTER,
  AMOUNT,
  AMOUNT_AFTER,
  actorKeys,
  amountExpr,
  COHORT,
  COLUMN,
  columnExpr,
  dense,
  PERIOD,
  RETURNS,
  type Source,
  STARTS,
  TOTAL,
  valueNames,
} from "./scan.ts";
import { lookahead } from "./settings.ts";

/**
 * Actors by cohort and column over any number of periods: events are folded to one row per actor and period, these to one row per
 * actor and cohort with a list of the periods in which it came back, and these are spread over the columns.
 */
export const listCells = (source: Source): Ast => {
  const actors = actorLists(source);
  return amountExpr(source) === null ? countedCells(source, actors) : summedCells(source, actors);
};

const actorLists = (source: Source): Select => {
  const { settings } = source;
  const plain = amountExpr(source) === null;
  const rows = perPeriod(source);
  const started = compare(">", field(STARTS), constant(0));
  const cameBack = compare(">=", field(RETURNS), constant(plain ? settings.minimum : 1));
  const returned = plain ? cameBack : some([cameBack, started]);
  const item = plain ? field(PERIOD) : call("tuple", field(PERIOD), field(AMOUNT), field(AMOUNT_AFTER), field(RETURNS));
  const returns = alias(RETURNS, call("groupArrayIf", item, returned));
  if (settings.type !== "retention_recurring") {
    return firstCohorts(source, rows, call("if", started, field(PERIOD), constant(null)), returns);
  }
  const within = every([started, compare("<", field(PERIOD), constant(settings.timeline.cohorts))]);
  const keys = actorKeys(source).map((name) => field(name));
  const starts = alias(COHORTS, call("groupArrayIf", field(PERIOD), within));
  const lists = select([...keys, starts, returns], { from: from(rows), groupBy: keys });
  return select([...keys, alias(COHORT, call("arrayJoin", field(COHORTS))), field(RETURNS)], { from: from(lists) });
};

const each = (name: string, of: Expr): Expr => ({ kind: "lambda", args: [name], body: of });

/** The periods in which an actor started. */
const COHORTS = "cohorts";

/** Columns are spread from each actor's list, in which every column stands once. */
const countedCells = (source: Source, actors: Select): Ast => {
  const { columns, cumulative } = source.settings;
  const after = field("after");
  const offsets = call("arrayMap", each("returned", arithmetic("-", field("returned"), field(COHORT))), field(RETURNS));
  const inside = every([compare(">", after, constant(0)), compare("<=", after, constant(lookahead(columns)))]);
  const kept = call("arrayFilter", each("after", inside), offsets);
  const placed = dense(columns) ? kept : call("arrayDistinct", call("arrayMap", each("after", columnExpr(columns, after)), kept));
  const all = call("arrayConcat", array([constant(0)]), placed);
  const spread = cumulative ? call("range", constant(0), arithmetic("+", call("arrayMax", all), constant(1))) : all;
  const keys = [...valueNames(source), COHORT].map((name) => field(name));
  const cells = select([...keys, alias(COLUMN, call("arrayJoin", spread))], { from: from(actors) });
  return select([...keys, field(COLUMN), alias(ACTORS, call("count"))], { from: from(cells), groupBy: [...keys, field(COLUMN)] });
};

/** The same with amounts: everybody of a cohort is in its first column, with what came after the start. */
const summedCells = (source: Source, actors: Select): Ast => {
  const { columns } = source.settings;
  const keys = [...actorKeys(source), COHORT].map((name) => field(name));
  const spread = select([...keys, alias("seen", call("arrayJoin", field(RETURNS)))], { from: from(actors) });
  const part = (index: number): Expr => ({ kind: "tuple-element", of: field("seen"), index });
  const parts = [
    alias(AFTER, arithmetic("-", part(1), field(COHORT))),
    alias(AMOUNT, part(2)),
    alias(AMOUNT_AFTER, part(3)),
    alias(RETURNS, part(4)),
  ];
  const offsets = select([...keys, ...parts], { from: from(spread) });
  const after = field(AFTER);
  const isFirst = compare("==", after, constant(0));
  const counts = some([isFirst, compare(">", field(RETURNS), constant(0))]);
  const shown = [...valueNames(source), COHORT].map((name) => field(name));
  return select(
    [
      ...shown,
      alias(COLUMN, dense(columns) ? after : columnExpr(columns, after)),
      alias(ACTORS, dense(columns) ? call("countIf", counts) : call("uniqExactIf", field(ACTOR), counts)),
      alias(TOTAL, call("sum", call("if", isFirst, field(AMOUNT_AFTER), field(AMOUNT)))),
    ],
    {
      from: from(offsets),
      where: every([compare(">=", after, constant(0)), compare("<=", after, constant(lookahead(columns)))]),
      groupBy: [...shown, field(COLUMN)],
    },
  );
};
