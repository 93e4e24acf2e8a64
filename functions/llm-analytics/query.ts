import type { Ast, Expr, OrderItem, Select } from "../../lib/hogql/syntax/ast.ts";
import {
  alias,
  arithmetic,
  array,
  call,
  compare,
  constant,
  every,
  field,
  from,
  select,
  tuple,
  unionAll,
} from "../../lib/hogql/syntax/build.ts";
import { within } from "../../lib/insight/dates/moments.ts";
import type { SpendWindow } from "./parameters.ts";

/** The generations of one person, read once; every breakdown adds these up. */
const GENERATIONS = "generations";

export const NANOS_PER_USD = 1_000_000_000;

/** A cost or a number of tokens beyond this is a fault of the sender's, and counts nothing. */
const MOST_USD = 1_000_000;
const MOST_TOKENS = 1_000_000_000_000;

/** The numbers of a row, in order; a breakdown leaves those at 0 that it does not have. */
export const NUMBERS = [
  "at",
  "events",
  "cost",
  "input_cost",
  "output_cost",
  "cache_read_cost",
  "cache_creation_cost",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_creation_tokens",
  "attributed",
] as const;
export type NumberName = (typeof NUMBERS)[number];

/** Upper bounds of the sizes of input, tokens. */
export const INPUT_SIZES = [50_000, 100_000, 150_000, 200_000, 300_000] as const;

/** Properties that are numbers; the query reads them so, whatever types the project has learnt. */
export const NUMERIC: ReadonlySet<string> = new Set([
  "$ai_total_cost_usd",
  "$ai_input_cost_usd",
  "$ai_output_cost_usd",
  "$ai_cache_read_cost_usd",
  "$ai_cache_creation_cost_usd",
  "$ai_input_tokens",
  "$ai_output_tokens",
  "$ai_cache_read_input_tokens",
  "$ai_cache_creation_input_tokens",
]);

/** Rows of each breakdown that the query gives at most. */
export interface RowLimits {
  /** Of products, tools and models. */
  readonly names: number;
  readonly traces: number;
}

/**
 * All breakdowns of one person's spend as one query, which reads the events once. Each row says which breakdown it belongs to, then
 * its name, empty for none, and its numbers. Costs are whole nano-dollars, so that sums are exact.
 */
export const spendQuery = (email: string, window: SpendWindow, limits: RowLimits): Ast => {
  const isScoped = compare("==", field("product"), constant(window.product));
  const branches = [
    breakdown("all", null, []),
    breakdown("scoped", null, [isScoped]),
    top(breakdown("product", field("product"), []), limits.names),
    top(tools(isScoped), limits.names),
    top(breakdown("model", field("model"), [isScoped]), limits.names),
    breakdown("day", null, [isScoped], steps(1_440)),
    ...(window.bucketMinutes === null ? [] : [breakdown("bucket", null, [isScoped], steps(window.bucketMinutes))]),
    breakdown("size", null, [isScoped], sizeOf()),
    top(breakdown("trace", field("trace"), [isScoped, compare("!=", field("trace"), constant(""))]), limits.traces),
  ];
  const [first, ...rest] = branches.map((branch) =>
    select(
      OUT.map((name) => field(name)),
      { from: from(branch) },
    ),
  );
  const rows = first === undefined ? select([]) : unionAll(first, rest);
  return select(
    OUT.map((name) => field(name)),
    { ctes: [{ name: GENERATIONS, query: generations(email, window), scalar: false, columns: null, once: true }], from: from(rows) },
  );
};

/** What a generation has is named apart from what its breakdowns are made of: an alias stands everywhere in its SELECT. */
const ownName = (name: string): string => `own_${name}`;
const own = (name: string): Expr => field(ownName(name));

const OUT = ["part", "label", ...NUMBERS] as const;

const generations = (email: string, { from: first, to }: SpendWindow): Select => {
  const persons = select([field("id")], {
    from: from("persons"),
    where: compare("==", field("properties", "email"), constant(email)),
  });
  const costs = {
    cost: nanos("$ai_total_cost_usd"),
    input: nanos("$ai_input_cost_usd"),
    output_cost: nanos("$ai_output_cost_usd"),
    cache_read_cost: nanos("$ai_cache_read_cost_usd"),
    cache_creation_cost: nanos("$ai_cache_creation_cost_usd"),
    input_tokens: tokens("$ai_input_tokens"),
    output_tokens: tokens("$ai_output_tokens"),
    cache_read_tokens: tokens("$ai_cache_read_input_tokens"),
    cache_creation_tokens: tokens("$ai_cache_creation_input_tokens"),
  };
  return select(
    [
      alias("is_generation", compare("==", field("event"), constant("$ai_generation"))),
      alias("micros", call("toUnixTimestamp64Micro", field("timestamp"))),
      alias("product", textOf("ai_product")),
      alias("model", textOf("$ai_model")),
      alias("tools", textOf("$ai_tools_called")),
      alias("trace", textOf("$ai_trace_id")),
      ...Object.entries(costs).map(([name, expr]) => alias(ownName(name), expr)),
    ],
    {
      from: from("events"),
      where: every([
        compare("in", field("event"), tuple([constant("$ai_generation"), constant("$ai_embedding")])),
        ...within({ from: BigInt(first) * 1_000n, to: BigInt(to) * 1_000n }),
        compare("in", field("person_id"), persons),
      ]),
    },
  );
};

/** A property as text, empty for none. */
const textOf = (property: string): Expr => call("ifNull", call("toString", field("properties", property)), constant(""));

const nanos = (property: string): Expr => bounded(property, MOST_USD, NANOS_PER_USD);
const tokens = (property: string): Expr => bounded(property, MOST_TOKENS, 1);

const bounded = (property: string, most: number, times: number): Expr => {
  const value = call("ifNull", field("properties", property), constant(0));
  const sane = call("if", compare("<=", call("abs", value), constant(most)), value, constant(0));
  return call("toInt64", call("round", arithmetic("*", sane, constant(times))));
};

/** What a breakdown adds up of the generations, and 0 for the rest. */
const SUMS: Readonly<Record<NumberName, Expr>> = {
  at: call("min", field("micros")),
  events: call("count"),
  cost: call("sum", own("cost")),
  // What the cache cost is in the input's cost as it is sent.
  input_cost: call(
    "sum",
    call(
      "greatest",
      arithmetic("-", own("input"), arithmetic("+", own("cache_read_cost"), own("cache_creation_cost"))),
      call("toInt64", constant(0)),
    ),
  ),
  output_cost: call("sum", own("output_cost")),
  cache_read_cost: call("sum", own("cache_read_cost")),
  cache_creation_cost: call("sum", own("cache_creation_cost")),
  input_tokens: call("sum", own("input_tokens")),
  output_tokens: call("sum", own("output_tokens")),
  cache_read_tokens: call("sum", own("cache_read_tokens")),
  cache_creation_tokens: call("sum", own("cache_creation_tokens")),
  attributed: constant(0),
};

/** The breakdowns that need every number; the others leave out what they do not show. */
const WHOLE: ReadonlySet<string> = new Set(["bucket"]);
const SHORT: ReadonlySet<NumberName> = new Set(["at", "events", "cost", "input_tokens", "output_tokens"]);

const breakdown = (part: string, label: Expr | null, conditions: readonly Expr[], at: Expr | null = null): Select => {
  const keys = label ?? at;
  return select(
    [
      alias("part", constant(part)),
      alias("label", label ?? constant("")),
      ...NUMBERS.map((name) => {
        const sum = name === "at" && at !== null ? at : WHOLE.has(part) || SHORT.has(name) ? SUMS[name] : constant(0);
        return alias(name, call("toFloat64", call("ifNull", sum, constant(0))));
      }),
    ],
    {
      from: from(GENERATIONS),
      where: every([...conditions]),
      ...(keys !== null && { groupBy: [keys] }),
    },
  );
};

/** The number of the step of so many minutes that a generation lies in. */
const steps = (minutes: number): Expr => call("intDiv", field("micros"), constant(minutes * 60_000_000));

/** The number of the size of input that a generation has. */
const sizeOf = (): Expr =>
  call(
    "multiIf",
    ...INPUT_SIZES.flatMap((bound, at) => [compare("<", own("input_tokens"), constant(bound)), constant(at)]),
    constant(INPUT_SIZES.length),
  );

/** A generation counts wholly for each tool in its list, and its cost is also split among the distinct ones. */
const tools = (isScoped: Expr): Select => {
  const all = call("splitByChar", constant(","), field("tools"));
  const named = call("arrayFilter", { kind: "lambda", args: ["t"], body: compare("!=", field("t"), constant("")) }, all);
  const lists = select([alias("names", named), own("cost"), own("input_tokens")], {
    from: from(GENERATIONS),
    where: every([isScoped, field("is_generation")]),
  });
  const none = compare("==", call("length", field("names")), constant(0));
  const listed = call("if", none, array([constant("")]), field("names"));
  const single = select([alias("tool", call("arrayJoin", listed)), field("names"), own("cost"), own("input_tokens")], {
    from: from(lists),
  });
  const shares = arithmetic("*", call("length", call("arrayDistinct", field("names"))), call("countEqual", field("names"), field("tool")));
  const part = arithmetic("/", own("cost"), call("greatest", shares, constant(1)));
  const numbers: Readonly<Partial<Record<NumberName, Expr>>> = {
    events: call("count"),
    cost: call("sum", own("cost")),
    input_tokens: call("sum", own("input_tokens")),
    attributed: call("sum", field("part_cost")),
  };
  return select(
    [
      alias("part", constant("tool")),
      alias("label", field("tool")),
      ...NUMBERS.map((name) => alias(name, call("toFloat64", numbers[name] ?? constant(0)))),
    ],
    {
      from: from(select([field("tool"), own("cost"), own("input_tokens"), alias("part_cost", part)], { from: from(single) })),
      groupBy: [field("tool")],
    },
  );
};

const top = (branch: Select, rows: number): Select => {
  const order = (name: string, descending: boolean): OrderItem => ({ expr: field(name), descending, nulls: "last" });
  return select(
    OUT.map((name) => field(name)),
    { from: from(branch), orderBy: [order("cost", true), order("label", false)], limit: constant(rows) },
  );
};
