import type { LoweringContext } from "../../analysis/context.ts";
import { type Expression, made } from "../../analysis/expression.ts";
import type { Scalar } from "../../functions/spec.ts";
import { digestDigits } from "../../functions/texts/digest-digits.ts";
import { type Argument, argument, lambda, type Sql, sql } from "../../sql/fragment.ts";
import { occursOften } from "../../sql/occurrences.ts";

/** Characters of a call's SQL from which on its long arguments are computed under a name. */
const LONG_CALL = 4_000;
const LONG_ARGUMENT = 100;

/**
 * Most functions name an argument several times, which DuckDB computes once but keeps room for each time: calls in calls in calls
 * would need more of it than there is. In a long call every long argument therefore gets a name, as the one element of a list.
 */
export const namedOnce = (context: LoweringContext, spec: Scalar, args: readonly Expression[]): Expression => {
  const plain = spec.lower(args, context);
  if (plain.tree.size < LONG_CALL || digestDigits(plain.tree) !== undefined) return plain;
  const named = args.map((arg) => ({ arg, name: isNamed(arg, plain.tree) ? argument() : undefined }));
  if (named.every(({ name }) => name === undefined)) return plain;
  const given = named.map(({ arg, name }) => (name === undefined ? arg : made(name, arg.type, [arg])));
  const body = spec.lower(given, context).tree;
  const tree = named.reduce((inner, { arg, name }) => (name === undefined ? inner : underName(arg.tree, name, inner)), body);
  const { facts, exact } = plain;
  return { ...made(tree, plain.type, args, plain.nullable), ...(facts && { facts }), ...(exact && { exact }) };
};

const underName = (value: Sql, name: Argument, body: Sql): Sql => sql`list_extract(list_transform([${value}], ${lambda([name], body)}), 1)`;

/** Whether the argument is long, stands there several times, and is nothing but its SQL. */
const isNamed = ({ tree, known, items }: Expression, call: Sql): boolean =>
  known === undefined &&
  items === undefined &&
  digestDigits(tree) === undefined &&
  tree.size >= LONG_ARGUMENT &&
  occursOften(call, tree, LEAST_OFTEN);

const LEAST_OFTEN = 3;
