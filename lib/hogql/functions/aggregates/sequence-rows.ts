import type { Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { type Sql, separated, sql } from "../../sql/fragment.ts";
import { toMicros } from "../../time/time-sql.ts";
import { type Type, typeName, UINT8 } from "../../types.ts";

/** Most conditions that ClickHouse takes. */
export const MAX_CONDITIONS = 32;
/** Longest window, in units of the time: about 30,000 years in seconds. */
export const MAX_WINDOW = 1_000_000_000_000n;

/** The condition as a text that is never NULL. */
const truth = ({ tree, type, nullable }: Expression): Sql => {
  if (type.kind === "boolean") return sql`coalesce(${tree}, false)`;
  if (type.kind === "integer" || type.kind === "null") return sql`coalesce(CAST(${tree} AS BIGINT) <> 0, false)`;
  throw new QueryError("illegal_type_of_argument", `A condition is ${typeName(type, nullable)}, but must be true or false.`);
};

export const stepConditions = (args: readonly Expression[], most: number, name: string): readonly Sql[] => {
  if (args.length <= most) return args.map(truth);
  throw new QueryError("number_of_arguments_doesnt_match", `\`${name}\` takes at most ${most} conditions here.`);
};

/** The time as a whole number, and how many of them make one of the window. */
export const timeUnits = (time: Expression | undefined, name: string): { readonly tree: Sql; readonly units: bigint } => {
  const type: Type = time?.type ?? UINT8;
  if (time !== undefined && type.kind === "datetime") return { tree: toMicros(time.tree), units: 1_000_000n };
  if (time !== undefined && type.kind === "date") return { tree: sql`CAST(${time.tree} - DATE '1970-01-01' AS BIGINT)`, units: 1n };
  if (time !== undefined && type.kind === "integer") return { tree: sql`CAST(${time.tree} AS BIGINT)`, units: 1n };
  throw new QueryError("illegal_type_of_argument", `The first argument of \`${name}\` is ${typeName(type)}, but must be a time.`);
};

/** Conditions that nothing of what a row is asked for is NULL. */
export const present = (args: readonly Expression[]): readonly Sql[] =>
  args.filter(({ nullable }) => nullable).map(({ tree }) => sql`${tree} IS NOT NULL`);

/** The rows that count: some condition holds, and nothing is NULL. */
export const relevantRows = (args: readonly Expression[], conditions: readonly Sql[]): Sql =>
  separated([sql`(${separated(conditions, sql` OR `)})`, ...present(args)], sql` AND `);
