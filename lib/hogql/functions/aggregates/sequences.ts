import type { Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { FALSE, numeral, parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayType, BOOLEAN, UINT8, UINT64 } from "../../types.ts";
import type { Aggregate, AggregateCall, FunctionSpec } from "../spec.ts";
import { MAX_CONDITIONS, MAX_WINDOW, relevantRows, stepConditions, timeUnits } from "./sequence-rows.ts";
import { type Action, countChains } from "./timed-sequences.ts";
import { windowFunnel } from "./window-funnel.ts";

/** Most conditions of a pattern: each set of conditions that hold of a row is one letter. */
const MAX_PATTERN_CONDITIONS = 8;

/** Whether the first condition held of some row, and for each later one whether it did as well. */
const retention = (call: AggregateCall): Expression => {
  const held = stepConditions(call.args, MAX_CONDITIONS, "retention").map(
    (condition) => sql`coalesce(${call.over(sql`bool_or(${condition})`)}, false)`,
  );
  const [first = FALSE] = held;
  const flags = held.map((later, index) => sql`CAST(${index === 0 ? first : sql`(${first} AND ${later})`} AS BIGINT)`);
  return { tree: sql`[${separated(flags)}]`, type: arrayType(UINT8), nullable: false };
};

/** Letters of the rows: far from those that mean something in a regular expression. */
const FIRST_LETTER = 256;

const SIGN = /\(\?\d+\)|\(\?t(?:>=|>|<=|<|==)\d+\)|\.\*|./gs;

/** The signs of a pattern: (?1), (?2), …, `.`, `.*`, and times between rows such as (?t<=60). */
const parsePattern = (pattern: string, conditions: number, units: bigint, name: string): readonly Action[] => {
  const actions = (pattern.replaceAll(/\s+/g, "").match(SIGN) ?? []).map((sign): Action => {
    if (sign === ".") return { kind: "any" };
    if (sign === ".*") return { kind: "gap" };
    const time = /^\(\?t(>=|>|<=|<|==)(\d+)\)$/.exec(sign);
    const op = TIME_OPS.find((known) => known === time?.[1]);
    if (op !== undefined) {
      const amount = BigInt(time?.[2] ?? "0");
      return { kind: "time", op, amount: sql`${parameter((amount > MAX_WINDOW ? MAX_WINDOW : amount) * units)}::BIGINT` };
    }
    const number = Number(/^\(\?(\d+)\)$/.exec(sign)?.[1] ?? Number.NaN);
    if (Number.isNaN(number))
      throw new QueryError("invalid_input", `The pattern of \`${name}\` may hold (?1), (?2), …, \`.\`, \`.*\` and times such as (?t<=60).`);
    if (number < 1 || number > conditions)
      throw new QueryError("invalid_input", `The pattern of \`${name}\` names condition ${number}, but there are ${conditions}.`);
    return { kind: "condition", number };
  });
  if (!actions.some(({ kind }) => kind === "condition"))
    throw new QueryError("invalid_input", `The pattern of \`${name}\` needs a condition, such as (?1).`);
  const misplaced = actions.some(({ kind }, index) => kind === "time" && [undefined, "time"].includes(actions[index - 1]?.kind));
  if (misplaced || actions.findLast(({ kind }) => kind !== "gap")?.kind === "time")
    throw new QueryError("invalid_input", `A time in the pattern of \`${name}\` must stand between two conditions.`);
  return actions;
};

const TIME_OPS = ["<", "<=", ">", ">=", "=="] as const;

/** The actions as a regular expression over one letter per row. A gap takes as few rows as it can. */
const patternRegex = (actions: readonly Action[], conditions: number): string =>
  actions
    .map((action) => {
      if (action.kind === "gap") return ".*?";
      if (action.kind !== "condition") return ".";
      const masks = Array.from({ length: 2 ** conditions }, (_, mask) => mask).filter((mask) => (mask >> (action.number - 1)) % 2 === 1);
      return `[${masks.map((mask) => `\\x{${(FIRST_LETTER + mask).toString(16)}}`).join("")}]`;
    })
    .join("");

interface Sequence {
  /** The rows of which a condition holds, in the order of their times. */
  readonly rows: Sql;
  readonly actions: readonly Action[];
  readonly conditions: number;
}

const readSequence = (call: AggregateCall, name: string): Sequence => {
  const [time, ...rest] = call.args;
  const [pattern] = call.params;
  if (typeof pattern !== "string")
    throw new QueryError("invalid_input", `The pattern of \`${name}\` must be a text, such as '(?1).*(?2)'.`);
  const { tree, units } = timeUnits(time, name);
  const most = /\?t/.test(pattern) ? MAX_CONDITIONS : MAX_PATTERN_CONDITIONS;
  const conditions = stepConditions(rest, most, name);
  const actions = parsePattern(pattern, conditions.length, units, name);
  const mask = separated(
    conditions.map((condition, index) => sql`CASE WHEN ${condition} THEN ${numeral(2 ** index)}::BIGINT ELSE 0::BIGINT END`),
    sql` + `,
  );
  const row = sql`{'t': ${tree}, 'm': ${mask}}`;
  const rows = sql`list_sort(coalesce(${call.over(sql`list(${row})`, relevantRows(call.args, conditions))}, []))`;
  return { rows, actions, conditions: conditions.length };
};

const isTimed = ({ actions }: Sequence): boolean => actions.some(({ kind }) => kind === "time");

const letterMatch = ({ rows, actions, conditions }: Sequence) => ({
  letters: sql`coalesce(array_to_string(list_transform(${rows}, lambda e: chr(CAST(e.m + ${numeral(FIRST_LETTER)} AS INTEGER))), ''), '')`,
  regex: sql`${parameter(patternRegex(actions, conditions))}::VARCHAR`,
});

const sequenceMatch = (call: AggregateCall): Expression => {
  const sequence = readSequence(call, "sequenceMatch");
  if (isTimed(sequence)) return { tree: sql`(${countChains(sequence.actions, sequence.rows)} > 0)`, type: BOOLEAN, nullable: false };
  const { letters, regex } = letterMatch(sequence);
  return { tree: sql`regexp_matches(${letters}, ${regex}, 's')`, type: BOOLEAN, nullable: false };
};

/** Chains that share no row, each begun as early as it can. */
const sequenceCount = (call: AggregateCall): Expression => {
  const sequence = readSequence(call, "sequenceCount");
  if (isTimed(sequence)) return { tree: countChains(sequence.actions, sequence.rows), type: UINT64, nullable: false };
  const { letters, regex } = letterMatch(sequence);
  return { tree: sql`len(regexp_extract_all(${letters}, ${regex}, 0, 's'))`, type: UINT64, nullable: false };
};

const over = (name: string, params: readonly [number, number], lower: Aggregate["lower"]): Aggregate => ({
  kind: "aggregate",
  name,
  takes: ["any", "any"],
  rest: true,
  params,
  lower,
});

/** Aggregates of what happened in which order. */
export const SEQUENCES: readonly FunctionSpec[] = [
  over("windowFunnel", [1, 1], windowFunnel),
  over("sequenceMatch", [1, 1], sequenceMatch),
  over("sequenceCount", [1, 1], sequenceCount),
  over("retention", [0, 0], retention),
];
