import type { Expression } from "../../analysis/expression.ts";
import { nameOf, type Type, UINT8 } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";

/** Most conditions that ClickHouse takes. */
export const MAX_CONDITIONS = 32;
/** Longest window, in units of the time: about 30,000 years in seconds. */
export const MAX_WINDOW = 1_000_000_000_000n;

/** The condition as a text that is never NULL. */
const truth = ({ sql, type, nullable }: Expression): string => {
  if (type.kind === "boolean") return `coalesce(${sql}, false)`;
  if (type.kind === "integer" || type.kind === "null") return `coalesce(CAST(${sql} AS BIGINT) <> 0, false)`;
  throw new QueryError("illegal_type_of_argument", `A condition is ${nameOf(type, nullable)}, but must be true or false.`);
};

export const conditionsOf = (args: readonly Expression[], most: number, name: string): readonly string[] => {
  if (args.length <= most) return args.map(truth);
  throw new QueryError("number_of_arguments_doesnt_match", `\`${name}\` takes at most ${most} conditions here.`);
};

/** The time as a whole number, and how many of them make one of the window. */
export const timeOf = (time: Expression | undefined, name: string): { readonly sql: string; readonly units: bigint } => {
  const type: Type = time?.type ?? UINT8;
  if (time !== undefined && type.kind === "datetime") return { sql: micros(time.sql), units: 1_000_000n };
  if (time !== undefined && type.kind === "date") return { sql: `CAST(${time.sql} - DATE '1970-01-01' AS BIGINT)`, units: 1n };
  if (time !== undefined && type.kind === "integer") return { sql: `CAST(${time.sql} AS BIGINT)`, units: 1n };
  throw new QueryError("illegal_type_of_argument", `The first argument of \`${name}\` is ${nameOf(type)}, but must be a time.`);
};

/** Microseconds of a stamp; one that was just made of them is not taken apart again. */
const micros = (stamp: string): string => (isCallOf(MADE, stamp) ? stamp.slice(MADE.length) : `epoch_us(${stamp})`);

const MADE = "make_timestamptz";

/** Whether the text is one call, and not something that begins with it. */
const isCallOf = (name: string, text: string): boolean => {
  if (!text.startsWith(`${name}(`)) return false;
  let open = 0;
  for (let at = name.length; at < text.length; at++) {
    if (text[at] === "(") open += 1;
    else if (text[at] === ")") open -= 1;
    if (open === 0) return at === text.length - 1;
  }
  return false;
};

/** Conditions that nothing of what a row is asked for is NULL. */
export const present = (args: readonly Expression[]): readonly string[] =>
  args.filter(({ nullable }) => nullable).map(({ sql }) => `${sql} IS NOT NULL`);

/** The rows that count: some condition holds, and nothing is NULL. */
export const counting = (args: readonly Expression[], conditions: readonly string[]): string =>
  [`(${conditions.join(" OR ")})`, ...present(args)].join(" AND ");
