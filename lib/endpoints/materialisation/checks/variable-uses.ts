import type { Ast, CompareOp, Expr, Placeholder, Select, SetQuery } from "../../../hogql/ast.ts";
import { compare } from "../../../hogql/build.ts";
import { expressionLabel } from "../../../hogql/text.ts";
import { childNodes, sameTree, someNode } from "../../../hogql/walk.ts";
import { NotMaterialisable } from "./reason.ts";

/** A condition of WHERE that compares a column with a variable, and may leave the query for the read of its table. */
export interface VariableUse {
  readonly variable: string;
  /** What the variable is compared with: it becomes a column of the table. */
  readonly column: Expr;
  /** `range`: bounds; `pattern` and `optional`: may match any number of values. */
  readonly kind: "equal" | "range" | "pattern" | "optional";
  /** The comparison with the column on the left; of an optional filter, the whole condition. */
  readonly condition: Expr;
}

/** Where the variables of a query stand: in its own WHERE, or in that of one query of its WITH. */
export interface VariableUses {
  readonly cte: string | null;
  readonly uses: readonly VariableUse[];
}

/** The code_names in a tree, whatever it holds, in the order in which they stand there. */
export const variablesIn = (tree: unknown): readonly string[] => {
  const found: string[] = [];
  visit(tree, found);
  return [...new Set(found)];
};

const visit = (node: unknown, found: string[]): void => {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) visit(item, found);
    return;
  }
  if (isVariable(node)) found.push(node.chain.slice(1).join("."));
  for (const part of Object.values(node)) visit(part, found);
};

const isVariable = (node: object): node is Placeholder =>
  "kind" in node && node.kind === "placeholder" && "chain" in node && Array.isArray(node.chain) && node.chain[0] === "variables";

/** Finds how a query uses its variables. Throws `NotMaterialisable` where one of them cannot leave it. */
export const findVariableUses = (ast: Ast): VariableUses => {
  if (ast.kind === "set") {
    throw notInWhere(variablesIn(ast)[0] ?? "", "it stands in a UNION at the top of the query");
  }
  const own = usesInSelect(ast);
  const inCtes = ast.ctes.flatMap((cte) => {
    const names = variablesIn(cte.query);
    if (names.length === 0) return [];
    const uses = cte.scalar || (cte.query.kind !== "select" && cte.query.kind !== "set") ? undefined : usesInCte(cte.query);
    if (uses === undefined) throw notInWhere(names[0] ?? "", `it stands in the value ${cte.name} of WITH`);
    return [{ cte: cte.name, uses }];
  });
  const [first, second] = inCtes;
  if (first === undefined) return { cte: null, uses: own };
  const name = first.uses[0]?.variable ?? "";
  if (own.length > 0)
    throw new NotMaterialisable(
      "variable_in_cte_and_top_level",
      `variables stand in both CTE and top-level conditions ('${name}' in ${first.cte}). Put all of them in one place.`,
    );
  if (second !== undefined) {
    const places = inCtes.map(({ cte }) => cte).join(", ");
    throw new NotMaterialisable("variable_in_multiple_ctes", `variables stand in multiple CTEs (${places}). Put all of them in one.`);
  }
  if (ast.joins.length > 0) {
    const sentence = `the variable '${name}' stands in the CTE ${first.cte}, and JOINs follow at the top of the query.`;
    throw new NotMaterialisable("cte_variable_with_top_level_join", sentence);
  }
  return first;
};

const usesInCte = (query: Select | SetQuery): readonly VariableUse[] => {
  if (query.kind === "select") return usesInSelect(query);
  throw new NotMaterialisable(
    "downstream_union_leg",
    `the variable '${variablesIn(query)[0]}' stands in one query of a UNION. Put the condition behind it, in a query over the whole UNION.`,
  );
};

const usesInSelect = (node: Select): readonly VariableUse[] => {
  refuseElsewhere(node);
  const conditions = [node.prewhere, node.where].filter((part) => part !== null).flatMap(splitConjuncts);
  const uses = conditions.filter((condition) => variablesIn(condition).length > 0).map(classifyUse);
  const columns = new Map<string, Expr>();
  for (const { variable, column } of uses) {
    const before = columns.get(variable);
    if (before !== undefined && !sameTree(plain(before), plain(column)))
      throw new NotMaterialisable(
        "variable_multiple_columns",
        `the variable '${variable}' is compared with multiple columns (${expressionLabel(before)}, ${expressionLabel(column)}). Use a variable for each.`,
      );
    columns.set(variable, column);
  }
  return uses;
};

/** Everywhere but in WHERE and in the queries of WITH. */
const refuseElsewhere = (node: Select): void => {
  const inHaving = variablesIn(node.having)[0];
  if (inHaving !== undefined)
    throw new NotMaterialisable(
      "variable_in_having",
      `the variable '${inHaving}' stands in HAVING. Compare a key of GROUP BY in WHERE instead.`,
    );
  const { ctes: _, prewhere: _prewhere, where: _where, having: _having, from, joins, ...others } = node;
  const name = variablesIn(others)[0];
  if (name !== undefined) throw notInWhere(name, "it stands in another part of the query");
  const inSource = variablesIn([from, joins])[0];
  if (inSource === undefined) return;
  throw new NotMaterialisable(
    "downstream_nested_subquery",
    `the variable '${inSource}' stands in a nested subquery or a JOIN. Name the query in WITH, with the condition in its WHERE.`,
  );
};

/** The conditions that all have to hold. */
export const splitConjuncts = (node: Expr): readonly Expr[] => {
  if (node.kind === "and") return node.items.flatMap(splitConjuncts);
  return node.kind === "call" && node.name === "and" ? node.args.flatMap(splitConjuncts) : [node];
};

const classifyUse = (condition: Expr): VariableUse => {
  const names = variablesIn(condition);
  const [variable = ""] = names;
  if (condition.kind === "or" || (condition.kind === "call" && condition.name === "or")) return optionalUse(condition, variable);
  if (someNode(condition, ({ kind }) => kind === "or")) throw inOr(variable);
  if (condition.kind === "between") throw unsupported(variable, "BETWEEN");
  if (condition.kind === "not" || (condition.kind === "call" && condition.name === "not")) throw unsupported(variable, "NOT");
  const comparison = asComparison(condition);
  if (comparison === undefined || names.length > 1) throw notInWhere(variable, "it is not compared with a column on its own");
  return comparedUse(comparison, variable);
};

interface Comparison {
  readonly op: CompareOp;
  readonly left: Expr;
  readonly right: Expr;
}

const comparedUse = ({ op, left, right }: Comparison, variable: string): VariableUse => {
  const onLeft = variablesIn(left).length > 0;
  const [column, value] = onLeft ? [right, left] : [left, right];
  if (!isWrapped(value) || someNode(column, ({ kind }) => kind === "select" || kind === "set"))
    throw notInWhere(variable, "it is not compared with a column on its own");
  if (!someNode(column, ({ kind }) => kind === "field")) throw notInWhere(variable, "it is compared with a constant");
  const turned = onLeft ? TURNED[op] : op;
  const kind = turned === undefined ? undefined : KINDS[turned];
  if (turned === undefined || kind === undefined) throw unsupported(variable, op.toUpperCase());
  return { variable, column, kind, condition: compare(turned, column, value) };
};

const KINDS: Readonly<Partial<Record<CompareOp, VariableUse["kind"]>>> = {
  "==": "equal",
  ">=": "range",
  ">": "range",
  "<=": "range",
  "<": "range",
  like: "pattern",
  ilike: "pattern",
  "not like": "pattern",
  "not ilike": "pattern",
};

/** The operator with its sides changed; a pattern cannot stand on the left. */
const TURNED: Readonly<Partial<Record<CompareOp, CompareOp>>> = { "==": "==", ">=": "<=", ">": "<", "<=": ">=", "<": ">" };

const CALLED: Readonly<Record<string, CompareOp>> = {
  equals: "==",
  notEquals: "!=",
  less: "<",
  lessOrEquals: "<=",
  greater: ">",
  greaterOrEquals: ">=",
  like: "like",
  ilike: "ilike",
  notLike: "not like",
  notILike: "not ilike",
  in: "in",
  notIn: "not in",
  match: "=~",
};

/** A comparison, also where it is written as a call. */
const asComparison = (node: Expr): Comparison | undefined => {
  if (node.kind === "compare") return node;
  if (node.kind !== "call") return undefined;
  const op = Object.hasOwn(CALLED, node.name) ? CALLED[node.name] : undefined;
  const [left, right] = node.args;
  return op === undefined || left === undefined || right === undefined ? undefined : { op, left, right };
};

/** The placeholder, alone or in functions of one argument. */
const isWrapped = (node: Expr): boolean => {
  if (node.kind === "placeholder") return true;
  if (node.kind === "cast") return node.args.length === 0 && isWrapped(node.item);
  const [only, ...more] = node.kind === "call" ? node.args : [];
  return only !== undefined && more.length === 0 && isWrapped(only);
};

/** `coalesce({variables.x}, '') = '' OR column = {variables.x}`: an empty value filters nothing. */
const optionalUse = (condition: Expr, variable: string): VariableUse => {
  const items = condition.kind === "or" ? condition.items : childNodes(condition);
  const [first, second, ...more] = items;
  if (first === undefined || second === undefined || more.length > 0 || variablesIn(condition).length > 1) throw inOr(variable);
  const [emptiness, filter] = isEmptiness(first) ? [first, second] : [second, first];
  const column = isEmptiness(emptiness) ? filteredColumn(filter) : undefined;
  if (column === undefined) throw inOr(variable);
  return { variable, column, kind: "optional", condition };
};

const isEmptiness = (node: Expr): boolean => {
  const comparison = asComparison(node);
  if (comparison?.op !== "==") return false;
  const [value, empty] = isEmptyText(comparison.right) ? [comparison.left, comparison.right] : [comparison.right, comparison.left];
  if (!isEmptyText(empty) || value.kind !== "call" || !["coalesce", "ifNull"].includes(value.name)) return false;
  const [inner, fallback] = value.args;
  return inner?.kind === "placeholder" && fallback !== undefined && isEmptyText(fallback);
};

const isEmptyText = (node: Expr): boolean => node.kind === "constant" && node.value === "";

const filteredColumn = (node: Expr): Expr | undefined => {
  const comparison = asComparison(node);
  if (comparison?.op === "in" && isSplit(comparison.right)) return withColumn(comparison.left);
  if (comparison?.op !== "==") return undefined;
  if (isWrapped(comparison.right)) return withColumn(comparison.left);
  return isWrapped(comparison.left) ? withColumn(comparison.right) : undefined;
};

const withColumn = (node: Expr): Expr | undefined =>
  variablesIn(node).length === 0 && someNode(node, ({ kind }) => kind === "field") ? node : undefined;

/** `splitByChar(',', {variables.x})`: a list in one text. */
const isSplit = (node: Expr): boolean =>
  node.kind === "call" && node.name === "splitByChar" && node.args.length === 2 && node.args[1]?.kind === "placeholder";

/** A property has one name, however it is asked for. */
export const plain = (node: Expr): Expr => {
  const [from, name, ...more] = node.kind === "call" && node.name === "JSONExtractString" ? node.args : [];
  if (from?.kind === "field" && name?.kind === "constant" && more.length === 0)
    return { kind: "field", chain: [...from.chain, String(name.value)] };
  if (node.kind === "element" && node.of.kind === "field" && node.index.kind === "constant" && typeof node.index.value === "string")
    return { kind: "field", chain: [...node.of.chain, node.index.value] };
  return node;
};

const notInWhere = (variable: string, why: string): NotMaterialisable =>
  new NotMaterialisable(
    "variable_not_in_where",
    `the variable '${variable}' is not used in WHERE as a comparison with a column: ${why}. Write \`column = {variables.${variable}}\` in WHERE.`,
  );

const inOr = (variable: string): NotMaterialisable =>
  new NotMaterialisable(
    "variable_in_or",
    `the variable '${variable}' stands in OR conditions. Only \`coalesce({variables.x}, '') = '' OR column = {variables.x}\` can be taken out.`,
  );

const unsupported = (variable: string, operator: string): NotMaterialisable =>
  new NotMaterialisable(
    "unsupported_operator",
    `Unsupported operator ${operator} with the variable '${variable}'. Use =, >=, >, <, <=, LIKE, ILIKE, NOT LIKE or NOT ILIKE.`,
  );
