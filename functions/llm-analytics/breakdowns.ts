import type { Expr, OrderItem, Select } from "../../lib/hogql/ast.ts";
import { alias, arithmetic, array, call, compare, constant, every, field, from, select } from "../../lib/hogql/build.ts";
import { DAY_MINUTES, GENERATIONS, KINDS, own, PLAIN, SPLIT } from "./generations.ts";
import { NUMBERS, type NumberName } from "./numbers.ts";
import type { SpendWindow } from "./parameters.ts";

/** The columns of every breakdown. */
export const OUT = ["part", "label", ...NUMBERS] as const;

/** The numbers that a breakdown by a name or a step shows of the kinds; only buckets show all. */
export const breakdown = (part: string, label: Expr | null, conditions: readonly Expr[], at: Expr | null = null): Select => {
  const keys = label ?? at;
  const numbers: Readonly<Partial<Record<NumberName, Expr>>> = {
    ...(at !== null && { at }),
    events: call("sum", field("own_events")),
    ...sums(part === "bucket" ? [...PLAIN, ...SPLIT] : PLAIN),
  };
  return rowsOf(part, label ?? constant(""), numbers, {
    from: from(KINDS),
    where: every([...conditions]),
    ...(keys !== null && { groupBy: [keys] }),
  });
};

const sums = (names: readonly ((typeof PLAIN)[number] | (typeof SPLIT)[number])[]): Readonly<Partial<Record<NumberName, Expr>>> =>
  Object.fromEntries(names.map((name) => [name, call("sum", field(`sum_${name}`))]));

const rowsOf = (
  part: string,
  label: Expr,
  numbers: Readonly<Partial<Record<NumberName, Expr>>>,
  clauses: Parameters<typeof select>[1],
): Select =>
  select(
    [
      alias("part", constant(part)),
      alias("label", label),
      ...NUMBERS.map((name) => alias(name, call("toFloat64", call("ifNull", numbers[name] ?? constant(0), constant(0))))),
    ],
    clauses,
  );

export const traces = (isScoped: Expr): Select =>
  rowsOf(
    "trace",
    field("trace"),
    { at: call("min", field("micros")), events: call("count"), cost: call("sum", own("cost")) },
    {
      from: from(GENERATIONS),
      where: every([isScoped, compare("!=", field("trace"), constant(""))]),
      groupBy: [field("trace")],
    },
  );

/** The number of the UTC day that a step lies in: the lengths of buckets divide the day. */
export const daysOf = ({ bucketMinutes }: SpendWindow): Expr =>
  bucketMinutes === null ? field("step") : call("intDiv", field("step"), constant(DAY_MINUTES / bucketMinutes));

/** A generation counts wholly for each tool in its list, and its cost is also split among the distinct ones. Like lists go together. */
export const tools = (isScoped: Expr): Select => {
  const all = call("splitByChar", constant(","), field("tools"));
  const named = call("arrayFilter", { kind: "lambda", args: ["t"], body: compare("!=", field("t"), constant("")) }, all);
  const total = (name: string): Expr => alias(`list_${name}`, call("sum", field(name)));
  const lists = select([alias("names", named), total("own_events"), total("sum_cost"), total("sum_input_tokens")], {
    from: from(KINDS),
    where: every([isScoped, field("is_generation")]),
    groupBy: [field("names")],
  });
  const sumsOfList = [field("list_own_events"), field("list_sum_cost"), field("list_sum_input_tokens")];
  const none = compare("==", call("length", field("names")), constant(0));
  const listed = call("if", none, array([constant("")]), field("names"));
  const single = select([alias("tool", call("arrayJoin", listed)), field("names"), ...sumsOfList], { from: from(lists) });
  const shares = arithmetic("*", call("length", call("arrayDistinct", field("names"))), call("countEqual", field("names"), field("tool")));
  const part = arithmetic("/", field("list_sum_cost"), call("greatest", shares, constant(1)));
  return rowsOf(
    "tool",
    field("tool"),
    {
      events: call("sum", field("list_own_events")),
      cost: call("sum", field("list_sum_cost")),
      input_tokens: call("sum", field("list_sum_input_tokens")),
      attributed: call("sum", field("part_cost")),
    },
    {
      from: from(select([field("tool"), ...sumsOfList, alias("part_cost", part)], { from: from(single) })),
      groupBy: [field("tool")],
    },
  );
};

/** Its rows of the highest cost. */
export const top = (branch: Select, rows: number): Select => {
  const order = (name: string, descending: boolean): OrderItem => ({ expr: field(name), descending, nulls: "last" });
  return select(
    OUT.map((name) => field(name)),
    { from: from(branch), orderBy: [order("cost", true), order("label", false)], limit: constant(rows) },
  );
};
