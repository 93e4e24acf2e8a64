import { defaultSql } from "../../analysis/duckdb-types.ts";
import type { Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { NOTHING, NULL_SQL, numeral, type Sql, sql } from "../../sql/fragment.ts";
import { commonType, FLOAT, type Type, UINT64 } from "../../types.ts";
import type { Aggregate, AggregateCall, FunctionSpec, WindowFunction } from "../spec.ts";

const result = (tree: Sql, type: Type, nullable: boolean): Expression => ({ tree, type, nullable });

const first = ({ args }: AggregateCall): Expression => {
  const [value] = args;
  if (value === undefined) throw new QueryError("number_of_arguments_doesnt_match", "The window function needs an argument.");
  return value;
};

/** A value of the frame: the type's default where the frame has none and values cannot be NULL. */
const ofFrame = (tree: Sql, value: Expression): Expression => {
  const fallback = value.nullable ? null : defaultSql(value.type);
  return fallback === null ? result(tree, value.type, true) : result(sql`coalesce(${tree}, ${fallback})`, value.type, false);
};

const ranking = (name: string, duckdb: Sql, type: Type, ...aliases: readonly string[]): WindowFunction => ({
  kind: "window",
  name,
  aliases,
  anyCase: true,
  takes: [],
  lower: (call) => result(call.over(sql`${duckdb}()`), type, false),
});

const SHIFTS = { lag: sql`lag`, lead: sql`lead` } as const;

/**
 * `lag` and `lead` look at the whole partition and find NULL beyond it, `lagInFrame` and `leadInFrame` keep to the frame and
 * find the type's default beyond it. DuckDB's own look at the whole partition, so that the frame is looked at here.
 */
const shift = (name: string, direction: "lag" | "lead", keepsToFrame: boolean): WindowFunction => ({
  kind: "window",
  name,
  anyCase: true,
  takes: ["any", "constant integer", "any"],
  optional: 2,
  lower: (call) => {
    const value = first(call);
    const [, by, otherwise] = call.args;
    const type = otherwise === undefined ? value.type : (commonType(value.type, otherwise.type) ?? value.type);
    const fallback = otherwise?.tree ?? (keepsToFrame && !value.nullable ? defaultSql(value.type) : null);
    const offset = by === undefined ? 1n : typeof by.known === "bigint" ? by.known : -1n;
    if (offset < 0n) throw new QueryError("invalid_input", `The offset of \`${name}\` must be a whole number that is no less than 0.`);
    const beyond = fallback ?? NULL_SQL;
    const reach = keepsToFrame ? withinFrame(call, direction, offset) : "always";
    const plain = (): Sql => call.over(sql`${SHIFTS[direction]}(${value.tree}, ${by?.tree ?? sql`1`}, ${beyond})`);
    const nullable = beyond === NULL_SQL || value.nullable || otherwise?.nullable === true;
    if (reach === "never") return { tree: beyond, type, nullable };
    return { tree: reach === "always" ? plain() : sql`(CASE WHEN ${reach} THEN ${plain()} ELSE ${beyond} END)`, type, nullable };
  },
});

/** Whether the row `offset` away is in the frame, as far as the partition has it: always, never, or a condition. */
const withinFrame = (call: AggregateCall, direction: "lag" | "lead", offset: bigint): "always" | "never" | Sql => {
  const { frame, ordered = false } = call.window ?? {};
  if (frame === undefined) {
    if (direction === "lag" || !ordered) return "always";
    return sql`${call.over(sql`row_number()`)} + ${numeral(offset)} <= ${call.over(sql`count(*)`)}`;
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

const EDGES = {
  first_value: { windowed: sql`first_value`, plain: sql`any_value` },
  last_value: { windowed: sql`last_value`, plain: sql`last` },
} as const;

/** The first or last value that is not NULL. Without a window, any such value. */
const edge = (name: keyof typeof EDGES, ...aliases: readonly string[]): Aggregate => ({
  kind: "aggregate",
  name,
  aliases,
  anyCase: true,
  takes: ["any"],
  lower: (call) => {
    const value = first(call);
    const { windowed, plain } = EDGES[name];
    const skipped = value.nullable ? sql`${value.tree} IS NOT NULL` : undefined;
    if (call.window === undefined) return ofFrame(call.over(sql`${plain}(${value.tree})`, skipped), value);
    if (call.some === undefined) {
      return ofFrame(call.over(sql`${windowed}(${value.tree}${value.nullable ? sql` IGNORE NULLS` : NOTHING})`), value);
    }
    const { where, overAll } = call.some;
    return ofFrame(overAll(sql`${windowed}(CASE WHEN ${where} THEN ${value.tree} END IGNORE NULLS)`), value);
  },
});

/** Functions of a window only, and those whose meaning a window gives. */
export const WINDOWS: readonly FunctionSpec[] = [
  ranking("row_number", sql`row_number`, UINT64),
  ranking("rank", sql`rank`, UINT64),
  ranking("dense_rank", sql`dense_rank`, UINT64, "denseRank"),
  ranking("percent_rank", sql`percent_rank`, FLOAT, "percentRank"),
  ranking("cume_dist", sql`cume_dist`, FLOAT),
  {
    kind: "window",
    name: "ntile",
    anyCase: true,
    takes: ["integer"],
    lower: (call) => result(call.over(sql`ntile(${first(call).tree})`), UINT64, false),
  },
  shift("lag", "lag", false),
  shift("lead", "lead", false),
  shift("lagInFrame", "lag", true),
  shift("leadInFrame", "lead", true),
  edge("first_value"),
  edge("last_value", "anyLast"),
  {
    kind: "window",
    name: "nth_value",
    anyCase: true,
    takes: ["any", "integer"],
    lower: (call) => ofFrame(call.over(sql`nth_value(${first(call).tree}, ${call.args[1]?.tree ?? sql`1`})`), first(call)),
  },
];
