import type { Ast, Cte, Expr, OrderItem, Select } from "../../lib/hogql/ast.ts";
import { alias, arithmetic, array, call, compare, constant, every, field, from, select, unionAll } from "../../lib/hogql/build.ts";
import { cutName, DAY_MINUTES, GENERATIONS, generations, KINDS, kinds, own, PLAIN, SPLIT } from "./generations.ts";
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
  return breakdownRows(part, label ?? constant(""), numbers, {
    from: from(KINDS),
    where: every([...conditions]),
    ...(keys !== null && { groupBy: [keys] }),
  });
};

const sums = (names: readonly ((typeof PLAIN)[number] | (typeof SPLIT)[number])[]): Readonly<Partial<Record<NumberName, Expr>>> =>
  Object.fromEntries(names.map((name) => [name, call("sum", field(`sum_${name}`))]));

const breakdownRows = (
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
  breakdownRows(
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
export const dayNumber = ({ bucketMinutes }: SpendWindow): Expr =>
  bucketMinutes === null ? field("step") : call("intDiv", field("step"), constant(DAY_MINUTES / bucketMinutes));

const NOTHING = call("toFloat64", constant(0));

/** A generation counts wholly for each tool in its list, and its cost is also split among the distinct ones. Like lists go together. */
export const tools = (isScoped: Expr): Select => {
  const all = call("splitByChar", constant(","), field("tools"));
  const filled = call("arrayFilter", { kind: "lambda", args: ["t"], body: compare("!=", field("t"), constant("")) }, all);
  const named = call("arrayMap", { kind: "lambda", args: ["t"], body: cutName(field("t")) }, filled);
  const total = (name: string): Expr => alias(`list_${name}`, call("sum", field(name)));
  const lists = select([alias("names", named), total("own_events"), total("sum_cost"), total("sum_input_tokens")], {
    from: from(KINDS),
    where: every([isScoped, field("is_generation")]),
    groupBy: [field("names")],
  });
  const none = compare("==", call("length", field("names")), constant(0));
  const listed = call("if", none, array([constant("")]), field("names"));
  const distinct = select([alias("once", call("arrayDistinct", listed)), field("list_sum_cost")], { from: from(lists) });
  const shared = select([field("once"), alias("share", arithmetic("/", field("list_sum_cost"), call("length", field("once"))))], {
    from: from(distinct),
  });
  // Apart from each other, because a list has as many tools as a sender likes: no tool is looked for in its whole list.
  const sums = ["list_own_events", "list_sum_cost", "list_sum_input_tokens"];
  const whole = select([alias("tool", call("arrayJoin", listed)), ...sums.map((name) => field(name)), alias("share", NOTHING)], {
    from: from(lists),
  });
  const parts = select([alias("tool", call("arrayJoin", field("once"))), ...sums.map((name) => alias(name, NOTHING)), field("share")], {
    from: from(shared),
  });
  return breakdownRows(
    "tool",
    field("tool"),
    {
      events: call("sum", field("list_own_events")),
      cost: call("sum", field("list_sum_cost")),
      input_tokens: call("sum", field("list_sum_input_tokens")),
      attributed: call("sum", field("share")),
    },
    { from: from(unionAll(whole, [parts])), groupBy: [field("tool")] },
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

/**
 * All breakdowns of one person's spend as one query. The generations are read once and added up by everything that a breakdown may
 * tell apart but traces, of which there are many; all other breakdowns add up those sums. Each row says which breakdown it belongs
 * to, then its name, empty for none, and its numbers. Costs are whole nano-dollars, so that sums are exact. Of products, tools, models and
 * traces it gives `names` at most.
 */
export const spendQuery = (email: string, window: SpendWindow, names: number): Ast => {
  const isScoped = compare("==", field("product"), constant(window.product));
  const hasBuckets = window.bucketMinutes !== null;
  const branches = [
    breakdown("all", null, []),
    breakdown("scoped", null, [isScoped]),
    top(breakdown("product", field("product"), []), names),
    top(tools(isScoped), names),
    top(breakdown("model", field("model"), [isScoped]), names),
    breakdown("day", null, [isScoped], dayNumber(window)),
    ...(hasBuckets ? [breakdown("bucket", null, [isScoped], field("step"))] : []),
    breakdown("size", null, [isScoped], field("size")),
    top(traces(isScoped), names),
  ];
  const [first, ...rest] = branches.map((branch) =>
    select(
      OUT.map((name) => field(name)),
      { from: from(branch) },
    ),
  );
  const rows = first === undefined ? select([]) : unionAll(first, rest);
  const ctes: readonly Cte[] = [
    { name: GENERATIONS, query: generations(email, window), scalar: false, columns: null, once: true },
    { name: KINDS, query: kinds(hasBuckets), scalar: false, columns: null, once: true },
  ];
  return select(
    OUT.map((name) => field(name)),
    { ctes, from: from(rows) },
  );
};
