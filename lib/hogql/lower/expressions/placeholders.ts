import { didYouMean } from "../../../core/suggest.ts";
import { literal } from "../../analysis/constants.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import { type Expression, sqlTrees } from "../../analysis/expression.ts";
import { AT, type Expr, type Placeholder } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { countItems, MAX_LIST } from "../../options.ts";
import type { Relation } from "../../schema/relation.ts";
import { NULL_SQL, separated, sql } from "../../sql/fragment.ts";
import { arrayType, UNKNOWN } from "../../types.ts";
import type { Scope } from "../scope.ts";

/** The value of a placeholder in this run. While a query is only checked, variables have none yet. */
export const placeholder = (
  { context, relations }: Pick<Scope, "context" | "relations">,
  node: Placeholder,
  expr: (node: Expr) => Expression,
): Expression => {
  const [first = "", ...rest] = node.chain;
  if (first === "variables") return variable(context, node, rest.join("."));
  if (first === "filters") {
    const filter = filterTree(context, relations, node, rest);
    return filter === null ? literal(null) : expr(filter);
  }
  const values = context.options.values ?? {};
  const value = rest.length === 0 && Object.hasOwn(values, first) ? values[first] : undefined;
  if (value === undefined) {
    const known = [...Object.keys(values), "filters", "variables"];
    throw new QueryError("placeholder", `The placeholder \`{${node.chain.join(".")}}\` has no value.${didYouMean(first, known)}`, node[AT]);
  }
  return valueOfJson(value);
};

const variable = (context: LoweringContext, node: Placeholder, name: string): Expression => {
  const { variables, checking } = context.options;
  context.variables.add(name);
  if (checking) return { tree: NULL_SQL, type: UNKNOWN, nullable: true };
  if (!Object.hasOwn(variables, name)) {
    throw new QueryError("placeholder", `The variable \`${name}\` has no value.${didYouMean(name, Object.keys(variables))}`, node[AT]);
  }
  return valueOfJson(variables[name]);
};

/** A JSON value as a constant of the type that JSON gives it. */
const valueOfJson = (value: unknown): Expression => {
  if (value === null || value === undefined) return literal(null);
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return literal(value);
  if (Array.isArray(value)) return listConstant(value);
  return literal(JSON.stringify(value));
};

const listConstant = (values: readonly unknown[]): Expression => {
  if (countItems(values) > MAX_LIST) throw new QueryError("too_complex", `A list may hold at most ${MAX_LIST} values.`);
  const items = values.map((value) => valueOfJson(value));
  const first = items[0]?.type ?? UNKNOWN;
  return {
    tree: sql`[${separated(sqlTrees(items))}]`,
    type: arrayType(
      first,
      items.some((item) => item.nullable),
    ),
    nullable: false,
    items,
  };
};

const filterTree = (context: LoweringContext, relations: readonly Relation[], node: Placeholder, rest: readonly string[]): Expr | null => {
  const { filters } = context.options;
  switch (rest.join(".")) {
    case "":
      return (isOfSessions(relations) ? filters?.ofSessions : filters?.condition) ?? { kind: "constant", value: true };
    case "dateRange.from":
      return filters?.from ?? null;
    case "dateRange.to":
      return filters?.to ?? null;
    default:
      throw new QueryError("placeholder", `Unknown placeholder \`{${node.chain.join(".")}}\`.`, node[AT]);
  }
};

/** Sessions without the events that they are made of, whose filters then hold. */
const isOfSessions = (relations: readonly Relation[]): boolean =>
  relations.some(({ described }) => described === "sessions") && !relations.some(({ described }) => described === "events");
