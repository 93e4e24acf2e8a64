import type { LoweringContext } from "../analysis/context.ts";
import { derive, type Expression } from "../analysis/expression.ts";
import { QueryError } from "../errors.ts";
import { checkPattern } from "../regex.ts";
import { NOTHING, type Sql, sql } from "../sql/fragment.ts";
import { BOOLEAN, isOpen, isText, STRING } from "../types.ts";
import type { Mode } from "./compare.ts";

export interface Pattern {
  readonly negated: boolean;
  /** Whatever the case of letters. */
  readonly folded: boolean;
}

/** False for NULL, and the negated form true. */
export const like = (
  context: LoweringContext,
  value: Expression,
  pattern: Expression,
  { negated, folded }: Pattern,
  mode: Mode,
): Expression => {
  const text = asText(value, "LIKE");
  const like = asText(pattern, "LIKE");
  const escaped = typeof pattern.known === "string" && !pattern.known.includes("\\") ? NOTHING : sql` ESCAPE '\\'`;
  return soft(context, sql`(${text.tree} ${folded ? sql`ILIKE` : sql`LIKE`} ${like.tree}${escaped})`, [text, like], negated, mode);
};

/** RE2, where a dot matches a new line too. */
export const matches = (
  context: LoweringContext,
  value: Expression,
  pattern: Expression,
  { negated, folded }: Pattern,
  mode: Mode,
): Expression => {
  const text = asText(value, "match");
  const regex = checkPattern(context, asText(pattern, "match"));
  return soft(context, sql`regexp_matches(${text.tree}, ${regex.tree}, '${folded ? sql`is` : sql`s`}')`, [text, regex], negated, mode);
};

const soft = (context: LoweringContext, tree: Sql, parts: readonly Expression[], negated: boolean, mode: Mode): Expression => {
  if (parts.some((part) => part.known === null)) return context.known(negated, BOOLEAN);
  const nullable = parts.some((part) => part.nullable);
  if (negated) return derive(nullable ? sql`(NOT coalesce(${tree}, false))` : sql`(NOT ${tree})`, BOOLEAN, parts, false);
  return nullable && mode === "value"
    ? derive(sql`coalesce(${tree}, false)`, BOOLEAN, parts, false)
    : derive(tree, BOOLEAN, parts, nullable);
};

const asText = (value: Expression, what: string): Expression => {
  if (isText(value.type) || isOpen(value.type)) return value;
  if (value.type.kind === "uuid") return derive(sql`CAST(${value.tree} AS VARCHAR)`, STRING, [value]);
  throw new QueryError("illegal_type_of_argument", `\`${what}\` needs a text: convert with toString.`);
};
