import { NULL_SQL, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";

/** One sign of a pattern of sequenceMatch. Numbers of conditions count from 1; amounts are in the unit of the rows' times. */
export type Action =
  | { readonly kind: "condition"; readonly number: number }
  | { readonly kind: "any" }
  | { readonly kind: "gap" }
  | { readonly kind: "time"; readonly op: TimeOp; readonly amount: Sql };

type TimeOp = "<" | "<=" | ">" | ">=" | "==";

/**
 * How many chains of the pattern there are in the rows of a group, a list of structs sorted by their time `t`, with the conditions that
 * hold as bits of `m`. None shares a row, each begun as early as it can and with gaps as short
 * as they can be. The rows are folded from the last to the first; the state says, for each action, how many chains there are
 * from here on when the pattern is at this action (`v`, NULL when it cannot be finished), so that no row is looked at twice.
 * A time action needs, beside it, the rows at which the rest of the pattern could go on: the nearest for an upper bound, all
 * of them for a lower one.
 */
export const countChains = (pattern: readonly Action[], rows: Sql): Sql => {
  const actions = withoutLastGaps(pattern);
  const waiting = actions.flatMap((action, index) => (action.kind === "time" ? [{ index, op: action.op }] : []));
  const empty = separated([
    sql`'c': 0::BIGINT`,
    ...actions.map((_, index) => sql`'v${numeral(index)}': NULL::BIGINT`),
    ...waiting.map(({ index, op }) => sql`'w${numeral(index)}': ${nearestIsEnough(op) ? NOBODY : sql`[]::${WAITING}[]`}`),
  ]);
  const values = valuesAt(actions);
  const step = separated([
    sql`'t': e.t, 'm': e.m`,
    sql`'c': coalesce(1 + ${values[0] ?? NULL_SQL}, a.c)`,
    ...values.map((value, index) => sql`'v${numeral(index)}': ${value}`),
    ...waiting.map(({ index, op }) => sql`'w${numeral(index)}': ${waits(values[index + 1] ?? NULL_SQL, index, op)}`),
  ]);
  const list = sql`list_transform(list_reverse(${rows}), lambda r: {'t': r.t, 'm': r.m, ${empty}})`;
  return sql`list_extract(list_transform([list_reduce(list_prepend({'t': 0::BIGINT, 'm': 0::BIGINT, ${empty}}, ${list}), lambda a, e: {${step}})], lambda r: r.c), 1)`;
};

const WAITING = sql`STRUCT(t BIGINT, v BIGINT)`;
const NOBODY = sql`NULL::${WAITING}`;

/** A gap at the end takes nothing, and always can. */
const withoutLastGaps = (actions: readonly Action[]): readonly Action[] => {
  const last = actions.findLastIndex(({ kind }) => kind !== "gap");
  return actions.slice(0, last + 1);
};

/** For an upper bound later rows are out of reach whenever the nearest is. */
const nearestIsEnough = (op: TimeOp): boolean => op === "<" || op === "<=";

/** The worth of each action at the row `e`, when the rows after it left the state `a`. */
const valuesAt = (actions: readonly Action[]): readonly Sql[] => {
  const values: Sql[] = [];
  for (let index = actions.length - 1; index >= 0; index--) {
    const action = actions[index];
    if (action === undefined) continue;
    values[index] = valueAt(action, index, actions, values[index + 1] ?? NULL_SQL);
  }
  return values;
};

/** `next` is what the action behind this one is worth. */
const valueAt = (action: Action, index: number, actions: readonly Action[], next: Sql): Sql => {
  switch (action.kind) {
    case "gap":
      return sql`coalesce(${next}, a.v${numeral(index)})`;
    case "time":
      return found(sql`list_concat(${listed(index, action.op)}, [${waiting(next)}])`, action);
    default: {
      const after = valueAfter(actions[index + 1], index + 1);
      return action.kind === "any" ? after : sql`CASE WHEN (e.m >> ${numeral(action.number - 1)}) % 2 = 1 THEN ${after} END`;
    }
  }
};

/** The worth of the rows behind `e` to an action. */
const valueAfter = (action: Action | undefined, index: number): Sql => {
  if (action === undefined) return sql`a.c`;
  return action.kind === "time" ? found(listed(index, action.op), action) : sql`a.v${numeral(index)}`;
};

const listed = (index: number, op: TimeOp): Sql => (nearestIsEnough(op) ? sql`[a.w${numeral(index)}]` : sql`a.w${numeral(index)}`);

const waiting = (value: Sql): Sql => sql`CASE WHEN ${value} IS NOT NULL THEN {'t': e.t, 'v': ${value}} END`;

/** The worth of the nearest waiting row that is as far from `e` as the action says; the nearest stands last. */
const found = (list: Sql, { op, amount }: Extract<Action, { kind: "time" }>): Sql =>
  sql`list_extract(list_filter(${list}, lambda w: w.t - e.t ${SQL_OF[op]} ${amount}), -1).v`;

const SQL_OF: Readonly<Record<TimeOp, Sql>> = { "<": sql`<`, "<=": sql`<=`, ">": sql`>`, ">=": sql`>=`, "==": sql`=` };

const waits = (value: Sql, index: number, op: TimeOp): Sql =>
  nearestIsEnough(op)
    ? sql`coalesce(${waiting(value)}, a.w${numeral(index)})`
    : sql`CASE WHEN ${value} IS NULL THEN a.w${numeral(index)} ELSE list_append(a.w${numeral(index)}, {'t': e.t, 'v': ${value}}) END`;
