import type { Expr, Select } from "../../lib/hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, every, field, from, select, tuple } from "../../lib/hogql/build.ts";
import { within } from "../../lib/insight/dates.ts";
import { INPUT_SIZES, NANOS_PER_USD } from "./numbers.ts";
import type { SpendWindow } from "./parameters.ts";

/** The generations of one person, read once. */
export const GENERATIONS = "generations";

/** Their sums by what breakdowns tell apart. */
export const KINDS = "kinds";

/** The events that are generations. */
export const GENERATION_EVENTS = ["$ai_generation", "$ai_embedding"] as const;

export const DAY_MINUTES = 1_440;
const MINUTE_US = 60_000_000;

/** A cost or a number of tokens beyond this is a fault of the sender's, and counts nothing. */
const MOST_USD = 1_000_000;
const MOST_TOKENS = 1_000_000_000_000;

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

/** A generation's own columns have a prefix, because an alias is visible everywhere in its SELECT. */
const ownName = (name: string): string => `own_${name}`;
export const own = (name: string): Expr => field(ownName(name));

/** The sums of every generation; those of `SPLIT` only where buckets show them. */
export const PLAIN = ["cost", "input_tokens", "output_tokens"] as const;
export const SPLIT = [
  "input_cost",
  "output_cost",
  "cache_read_cost",
  "cache_creation_cost",
  "cache_read_tokens",
  "cache_creation_tokens",
] as const;

/** The keys of all breakdowns but that by trace. */
const KEYS = ["is_generation", "product", "model", "tools", "step", "size"] as const;

export const generations = (email: string, window: SpendWindow): Select => {
  const persons = select([field("id")], {
    from: from("persons"),
    where: compare("==", field("properties", "email"), constant(email)),
  });
  const numbers = {
    cost: nanos("$ai_total_cost_usd"),
    input_tokens: tokens("$ai_input_tokens"),
    output_tokens: tokens("$ai_output_tokens"),
    ...(window.bucketMinutes !== null && {
      input: nanos("$ai_input_cost_usd"),
      output_cost: nanos("$ai_output_cost_usd"),
      cache_read_cost: nanos("$ai_cache_read_cost_usd"),
      cache_creation_cost: nanos("$ai_cache_creation_cost_usd"),
      cache_read_tokens: tokens("$ai_cache_read_input_tokens"),
      cache_creation_tokens: tokens("$ai_cache_creation_input_tokens"),
    }),
  };
  return select(
    [
      alias("is_generation", compare("==", field("event"), constant("$ai_generation"))),
      alias("micros", call("toUnixTimestamp64Micro", field("timestamp"))),
      alias("step", call("intDiv", field("micros"), constant((window.bucketMinutes ?? DAY_MINUTES) * MINUTE_US))),
      alias("product", cutName(textProperty("ai_product"))),
      alias("model", cutName(textProperty("$ai_model"))),
      alias("tools", textProperty("$ai_tools_called")),
      alias("trace", cutName(textProperty("$ai_trace_id"))),
      ...Object.entries(numbers).map(([name, expr]) => alias(ownName(name), expr)),
      alias("size", sizeClass()),
    ],
    {
      from: from("events"),
      where: every([
        compare("in", field("event"), tuple(GENERATION_EVENTS.map(constant))),
        ...within({ from: BigInt(window.from) * 1_000n, to: BigInt(window.to) * 1_000n }),
        compare("in", field("person_id"), persons),
      ]),
    },
  );
};

/** The input's cost as sent includes that of the cache. */
const UNCACHED = call(
  "greatest",
  arithmetic("-", own("input"), arithmetic("+", own("cache_read_cost"), own("cache_creation_cost"))),
  call("toFloat64", constant(0)),
);

export const kinds = (hasBuckets: boolean): Select =>
  select(
    [
      ...KEYS.map((key) => field(key)),
      alias("own_events", call("count")),
      ...[...PLAIN, ...(hasBuckets ? SPLIT : [])].map((name) =>
        alias(`sum_${name}`, call("sum", name === "input_cost" ? UNCACHED : own(name))),
      ),
    ],
    { from: from(GENERATIONS), groupBy: KEYS.map((key) => field(key)) },
  );

/** The number of the size of input that a generation has. */
const sizeClass = (): Expr =>
  call(
    "multiIf",
    ...INPUT_SIZES.flatMap((bound, at) => [compare("<", own("input_tokens"), constant(bound)), constant(at)]),
    constant(INPUT_SIZES.length),
  );

/** Longer names go together with those that begin like them: whatever a sender writes, the names of an answer fit into it. */
const NAME_CHARACTERS = 400;

export const cutName = (name: Expr): Expr => call("substringUTF8", name, constant(1), constant(NAME_CHARACTERS));

/** A property as text, empty for none. */
const textProperty = (property: string): Expr => call("ifNull", call("toString", field("properties", property)), constant(""));

const nanos = (property: string): Expr => bounded(property, MOST_USD, NANOS_PER_USD);
const tokens = (property: string): Expr => bounded(property, MOST_TOKENS, 1);

/** A whole number as a float: its sums are exact as far as JSON's numbers are, and beyond that they only lose digits and never overflow. */
const bounded = (property: string, most: number, times: number): Expr => {
  const value = call("ifNull", field("properties", property), constant(0));
  const sane = call("if", compare("<=", call("abs", value), constant(most)), value, constant(0));
  return call("toFloat64", call("round", arithmetic("*", sane, constant(times))));
};
