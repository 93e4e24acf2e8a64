/** One sign of a pattern of sequenceMatch. Numbers of conditions count from 1; amounts are in the unit of the rows' times. */
export type Action =
  | { readonly kind: "condition"; readonly number: number }
  | { readonly kind: "any" }
  | { readonly kind: "gap" }
  | { readonly kind: "time"; readonly op: TimeOp; readonly amount: string };

type TimeOp = "<" | "<=" | ">" | ">=" | "==";

/** The rows of a group: a list of structs sorted by their time `t`, with the conditions that hold as bits of `m`. */
interface Rows {
  readonly sql: string;
}

/**
 * How many chains of the pattern there are in the rows, none sharing a row, each begun as early as it can and with gaps as short
 * as they can be. The rows are folded from the last to the first; the state says, for each action, how many chains there are
 * from here on when the pattern is at this action (`v`, NULL when it cannot be finished), so that no row is looked at twice.
 * A time action needs, beside it, the rows at which the rest of the pattern could go on: the nearest for an upper bound, all
 * of them for a lower one.
 */
export const countChains = (pattern: readonly Action[], rows: Rows): string => {
  const actions = withoutLastGaps(pattern);
  const fields = ["c", ...actions.map((_, index) => `v${index}`)];
  const waiting = actions.flatMap((action, index) => (action.kind === "time" ? [{ index, op: action.op }] : []));
  const empty = [
    ...fields.map((field) => `'${field}': ${field === "c" ? "0" : "NULL"}::BIGINT`),
    ...waiting.map(({ index, op }) => `'w${index}': ${nearestIsEnough(op) ? `${NOTHING}` : `[]::${WAITING}[]`}`),
  ].join(", ");
  const values = valuesAt(actions);
  const first = `coalesce(1 + ${values[0]}, a.c)`;
  const step = [
    "'t': e.t, 'm': e.m",
    `'c': ${first}`,
    ...values.map((value, index) => `'v${index}': ${value}`),
    ...waiting.map(({ index, op }) => `'w${index}': ${waits(values[index + 1] ?? "NULL", index, op)}`),
  ].join(", ");
  const list = `list_transform(list_reverse(${rows.sql}), lambda r: {'t': r.t, 'm': r.m, ${empty}})`;
  return `list_extract(list_transform([list_reduce(list_prepend({'t': 0::BIGINT, 'm': 0::BIGINT, ${empty}}, ${list}), lambda a, e: {${step}})], lambda r: r.c), 1)`;
};

const WAITING = "STRUCT(t BIGINT, v BIGINT)";
const NOTHING = `NULL::${WAITING}`;

/** A gap at the end takes nothing, and always can. */
const withoutLastGaps = (actions: readonly Action[]): readonly Action[] => {
  const last = actions.findLastIndex(({ kind }) => kind !== "gap");
  return actions.slice(0, last + 1);
};

/** For an upper bound later rows are out of reach whenever the nearest is. */
const nearestIsEnough = (op: TimeOp): boolean => op === "<" || op === "<=";

/** DuckDB text of what each action is worth at the row `e`, when the rows after it left the state `a`. */
const valuesAt = (actions: readonly Action[]): readonly string[] => {
  const values: string[] = [];
  for (let index = actions.length - 1; index >= 0; index--) {
    const action = actions[index];
    if (action === undefined) continue;
    values[index] = valueAt(action, index, actions, values);
  }
  return values;
};

const valueAt = (action: Action, index: number, actions: readonly Action[], values: readonly string[]): string => {
  const next = actions[index + 1];
  switch (action.kind) {
    case "gap":
      return `coalesce(${values[index + 1]}, a.v${index})`;
    case "time":
      return found(`list_concat(${listed(index, action.op)}, [${waiting(values[index + 1] ?? "NULL")}])`, action);
    default: {
      const after = next === undefined ? "a.c" : next.kind === "time" ? found(listed(index + 1, next.op), next) : `a.v${index + 1}`;
      return action.kind === "any" ? after : `CASE WHEN (e.m >> ${action.number - 1}) % 2 = 1 THEN ${after} END`;
    }
  }
};

const listed = (index: number, op: TimeOp): string => (nearestIsEnough(op) ? `[a.w${index}]` : `a.w${index}`);

const waiting = (value: string): string => `CASE WHEN ${value} IS NOT NULL THEN {'t': e.t, 'v': ${value}} END`;

/** The worth of the nearest waiting row that is as far from `e` as the action says; the nearest stands last. */
const found = (list: string, { op, amount }: Extract<Action, { kind: "time" }>): string =>
  `list_extract(list_filter(${list}, lambda w: w.t - e.t ${op === "==" ? "=" : op} ${amount}), -1).v`;

const waits = (value: string, index: number, op: TimeOp): string =>
  nearestIsEnough(op)
    ? `coalesce(${waiting(value)}, a.w${index})`
    : `CASE WHEN ${value} IS NULL THEN a.w${index} ELSE list_append(a.w${index}, {'t': e.t, 'v': ${value}}) END`;
