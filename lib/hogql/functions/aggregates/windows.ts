import type { Expression } from "../../analysis/expression.ts";
import { common, defaultOf, FLOAT, type Type, UINT64 } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import type { Aggregate, AggregateCall, FunctionSpec, WindowFunction } from "../spec.ts";

const result = (sql: string, type: Type, nullable: boolean): Expression => ({ sql, type, nullable });

const first = ({ args }: AggregateCall): Expression => {
  const [value] = args;
  if (value === undefined) throw new QueryError("number_of_arguments_doesnt_match", "The window function needs an argument.");
  return value;
};

/** A value of the frame: the type's default where the frame has none and values cannot be NULL. */
const ofFrame = (sql: string, value: Expression): Expression => {
  const fallback = value.nullable ? "NULL" : defaultOf(value.type);
  return fallback === "NULL" ? result(sql, value.type, true) : result(`coalesce(${sql}, ${fallback})`, value.type, false);
};

const ranking = (name: string, type: Type, ...aliases: readonly string[]): WindowFunction => ({
  kind: "window",
  name,
  aliases,
  anyCase: true,
  takes: [],
  lower: (call) => result(call.over(`${name}()`), type, false),
});

/**
 * `lag` and `lead` look at the whole partition and find NULL beyond it, `lagInFrame` and `leadInFrame` keep to the frame and
 * find the type's default beyond it. DuckDB's own look at the whole partition, so that the frame is looked at here.
 */
const shift = (name: string, duckdb: "lag" | "lead", keepsToFrame: boolean): WindowFunction => ({
  kind: "window",
  name,
  anyCase: true,
  takes: ["any", "constant number", "any"],
  optional: 2,
  lower: (call) => {
    const value = first(call);
    const [, by, otherwise] = call.args;
    const type = otherwise === undefined ? value.type : (common(value.type, otherwise.type) ?? value.type);
    const fallback = otherwise?.sql ?? (keepsToFrame && !value.nullable ? defaultOf(value.type) : "NULL");
    const offset = by === undefined ? 1n : typeof by.known === "bigint" ? by.known : -1n;
    if (offset < 0n) throw new QueryError("invalid_input", `The offset of \`${name}\` must be a whole number that is no less than 0.`);
    const reach = keepsToFrame ? withinFrame(call, duckdb, offset) : "always";
    const plain = reach === "never" ? fallback : call.over(`${duckdb}(${value.sql}, ${by?.sql ?? "1"}, ${fallback})`);
    const sql = reach === "always" || reach === "never" ? plain : `(CASE WHEN ${reach} THEN ${plain} ELSE ${fallback} END)`;
    return { sql, type, nullable: fallback === "NULL" || value.nullable || otherwise?.nullable === true };
  },
});

/** Whether the row `offset` away is in the frame, as far as the partition has it: always, never, or a condition. */
const withinFrame = (call: AggregateCall, direction: "lag" | "lead", offset: bigint): string => {
  const { frame, ordered = false } = call.window ?? {};
  if (frame === undefined) {
    if (direction === "lag" || !ordered) return "always";
    return `${call.over("row_number()")} + ${offset} <= ${call.over("count(*)")}`;
  }
  const [near, far] = direction === "lag" ? [frame.end, frame.start] : [frame.start, frame.end];
  const farBound = far ?? { kind: "current", rows: 0 };
  const nearBound = near ?? { kind: "current", rows: 0 };
  const outwards = direction === "lag" ? "preceding" : "following";
  const reaches =
    farBound.rows === null ? farBound.kind === outwards : farBound.kind !== outwards ? offset === 0n : offset <= farBound.rows;
  const begins = nearBound.kind === outwards && nearBound.rows !== null ? offset >= nearBound.rows : true;
  return reaches && begins ? "always" : "never";
};

/** The first or last value that is not NULL. Without a window, any such value. */
const edge = (name: "first_value" | "last_value", plain: "any_value" | "last", ...aliases: readonly string[]): Aggregate => ({
  kind: "aggregate",
  name,
  aliases,
  anyCase: true,
  takes: ["any"],
  lower: (call) => {
    const value = first(call);
    const skipped = value.nullable ? `${value.sql} IS NOT NULL` : undefined;
    if (call.window === undefined) return ofFrame(call.over(`${plain}(${value.sql})`, skipped), value);
    if (call.some === undefined) return ofFrame(call.over(`${name}(${value.sql}${value.nullable ? " IGNORE NULLS" : ""})`), value);
    const { where, overAll } = call.some;
    return ofFrame(overAll(`${name}(CASE WHEN ${where} THEN ${value.sql} END IGNORE NULLS)`), value);
  },
});

/** Functions of a window only, and those whose meaning a window gives. */
export const WINDOWS: readonly FunctionSpec[] = [
  ranking("row_number", UINT64),
  ranking("rank", UINT64),
  ranking("dense_rank", UINT64, "denseRank"),
  ranking("percent_rank", FLOAT, "percentRank"),
  ranking("cume_dist", FLOAT),
  {
    kind: "window",
    name: "ntile",
    anyCase: true,
    takes: ["integer"],
    lower: (call) => result(call.over(`ntile(${first(call).sql})`), UINT64, false),
  },
  shift("lag", "lag", false),
  shift("lead", "lead", false),
  shift("lagInFrame", "lag", true),
  shift("leadInFrame", "lead", true),
  edge("first_value", "any_value"),
  edge("last_value", "last", "anyLast"),
  {
    kind: "window",
    name: "nth_value",
    anyCase: true,
    takes: ["any", "integer"],
    lower: (call) => ofFrame(call.over(`nth_value(${first(call).sql}, ${call.args[1]?.sql ?? "1"})`), first(call)),
  },
];
