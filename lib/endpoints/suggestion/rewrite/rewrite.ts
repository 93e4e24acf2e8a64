import type { Ast, Call, Expr, Select } from "../../../hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, every } from "../../../hogql/build.ts";
import { columnName } from "../../../hogql/text.ts";
import { mapChildren, sameTree, someNode } from "../../../hogql/walk.ts";
import { hasAggregate } from "../../materialisation/checks/aggregates.ts";
import { flattened } from "../../materialisation/checks/flat.ts";
import { splitConjuncts, variablesIn } from "../../materialisation/checks/variable-uses.ts";
import { equality, factored, gathered } from "./branches.ts";
import { shared } from "./unions.ts";

/** A query in another form, and what was changed. */
export interface Rewrite {
  readonly ast: Ast;
  readonly explanation: string;
}

/**
 * The query with every form that is known to stand in the way written otherwise, meaning the same; null where it has none of them. In
 * which form it passes the checks is for the checks to say.
 */
export const rewritten = (ast: Ast): Rewrite | null => {
  const done: string[] = [];
  const gathering = shared(ast);
  if (!sameTree(gathering, ast)) done.push("What several queries ask of a variable stands once, in a query that all of them read.");
  const changed = inSelects(gathering, (node) =>
    REWRITES.reduce((before, { apply, says }) => explained(before, apply(before), says, done), node),
  );
  return done.length === 0 ? null : { ast: changed, explanation: `${[...new Set(done)].join(" ")} The rows stay the same.` };
};

/** The later tree; where it differs, what was done is added to `done`. */
const explained = (before: Select, after: Select, says: string, done: string[]): Select => {
  if (sameTree(before, after)) return before;
  done.push(says);
  return after;
};

/** The query and those of its WITH: where the checks look for variables. */
const inSelects = (ast: Ast, change: (node: Select) => Select): Ast => {
  if (ast.kind === "set") return ast;
  const ctes = ast.ctes.map((cte) => (cte.query.kind === "select" ? { ...cte, query: inSelects(cte.query, change) } : cte));
  return change({ ...ast, ctes });
};

interface Rule {
  readonly says: string;
  readonly apply: (node: Select) => Select;
}

/** Each condition of WHERE, written otherwise where a variable stands in it. */
const inWhere =
  (change: (condition: Expr) => readonly Expr[]) =>
  (node: Select): Select => {
    if (node.where === null || variablesIn(node.where).length === 0) return node;
    return {
      ...node,
      where: every(splitConjuncts(node.where).flatMap((each) => (variablesIn(each).length === 0 ? [each] : change(each)))),
    };
  };

/** HAVING on a key of GROUP BY leaves out whole groups, as WHERE does before they are made. */
const movedHaving = (node: Select): Select => {
  const { having, groupBy } = node;
  if (having === null || groupBy === null || groupBy === "all" || node.subtotals !== undefined || variablesIn(having).length === 0)
    return node;
  const flat = flattened(node);
  const written = flat.having === null ? [] : splitConjuncts(flat.having);
  const isOfKeys = (item: Expr): boolean => !hasAggregate(item) && standsOnKeys(item, flat.keys ?? []);
  const moved = written.filter((item) => variablesIn(item).length > 0 && isOfKeys(item));
  const stays = written.filter((item) => !moved.includes(item));
  if (moved.length === 0) return node;
  return {
    ...node,
    where: every([...(node.where === null ? [] : [node.where]), ...moved]),
    having: stays.length === 0 ? null : every(stays),
  };
};

const standsOnKeys = (item: Expr, keys: readonly Expr[]): boolean => {
  if (keys.some((key) => sameTree(key, item))) return true;
  if (item.kind === "field") return false;
  let stands = true;
  mapChildren(item, (part) => {
    stands &&= standsOnKeys(part, keys);
    return part;
  });
  return stands;
};

/** BETWEEN is two bounds, and a list of one value is that value. */
const plainer = (condition: Expr): readonly Expr[] => {
  if (condition.kind === "between" && !condition.negated)
    return [compare(">=", condition.item, condition.low), compare("<=", condition.item, condition.high)];
  return equality(condition);
};

/** What is added to a variable can be taken from the column instead. */
const unshifted = (condition: Expr): readonly Expr[] => {
  if (condition.kind !== "compare") return [condition];
  const { op, left, right } = condition;
  if (right.kind !== "arithmetic" || (right.op !== "+" && right.op !== "-")) return [condition];
  if (variablesIn(right.left).length === 0 || variablesIn([left, right.right]).length > 0 || !isInterval(right.right)) return [condition];
  return [compare(op, arithmetic(right.op === "+" ? "-" : "+", left, right.right), right.left)];
};

const isInterval = (node: Expr): boolean =>
  node.kind === "call" && /^toInterval/.test(node.name) && !someNode(node, ({ kind }) => kind === "field");

/** An empty value that filters nothing, in the one form that the checks know. */
const optional = (condition: Expr): readonly Expr[] => {
  const [first, second, ...more] = condition.kind === "or" ? condition.items : [];
  if (first === undefined || second === undefined || more.length > 0) return [condition];
  const [emptiness, filter] = emptyVariable(first) ? [first, second] : [second, first];
  const variable = emptyVariable(emptiness);
  if (variable === undefined) return [condition];
  const known = compare("==", call("coalesce", variable, constant("")), constant(""));
  return [{ kind: "or", items: [known, filter] }];
};

/** `{variables.x} = ''` and `empty({variables.x})`: the placeholder. */
const emptyVariable = (node: Expr): Expr | undefined => {
  const [left, right] = node.kind === "compare" && node.op === "==" ? [node.left, node.right] : [];
  if (left?.kind === "placeholder" && right?.kind === "constant" && right.value === "") return left;
  if (right?.kind === "placeholder" && left?.kind === "constant" && left.value === "") return right;
  const [only] = node.kind === "call" && node.name === "empty" ? node.args : [];
  return only?.kind === "placeholder" ? only : undefined;
};

/** A mean is a sum and a count, each of which can be put together from parts. */
const divided = (node: Select): Select => {
  if (variablesIn(node).length === 0) return node;
  const columns = node.columns.map((column): Expr => {
    const item = column.kind === "alias" ? column.item : column;
    const changed = simplify(item);
    return sameTree(changed, item) ? column : alias(columnName(column), changed);
  });
  return {
    ...node,
    columns,
    having: node.having === null ? null : simplify(node.having),
    orderBy: node.orderBy.map((each) => ({ ...each, expr: simplify(each.expr) })),
  };
};

const simplify = (node: Expr): Expr => {
  if (!isMean(node)) return mapChildren(node, simplify);
  const [value, condition] = node.args;
  if (value === undefined) return node;
  const isPresent = call("isNotNull", value);
  return condition === undefined
    ? arithmetic("/", call("sum", value), call("countIf", isPresent))
    : arithmetic("/", call("sumIf", value, condition), call("countIf", every([isPresent, condition])));
};

const isMean = (node: Expr): node is Call =>
  node.kind === "call" && /^avg(If)?$/.test(node.name) && !node.distinct && node.filter === undefined;

const REWRITES: readonly Rule[] = [
  { says: "Conditions of HAVING on keys of GROUP BY stand in WHERE.", apply: movedHaving },
  { says: "What every branch of an OR asks of a variable stands once, beside the OR of what is left.", apply: inWhere(factored) },
  { says: "Conditions on the columns of a query of WITH stand in that query.", apply: gathered },
  { says: "BETWEEN is written as two bounds, and a list of one value as that value.", apply: inWhere(plainer) },
  { says: "What was added to a variable is taken from its column.", apply: inWhere(unshifted) },
  { says: "The condition that an empty value fulfils is written with coalesce.", apply: inWhere(optional) },
  { says: "Averages are written as a sum divided by a count.", apply: divided },
];
