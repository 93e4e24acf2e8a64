import type { Cte, Expr, Select } from "../../../hogql/ast.ts";
import { compare, every, some } from "../../../hogql/build.ts";
import { columnName } from "../../../hogql/text.ts";
import { mapChildren, sameTree, someNode } from "../../../hogql/walk.ts";
import { hasAggregate } from "../../materialisation/checks/aggregates.ts";
import { flattened } from "../../materialisation/checks/flat.ts";
import { splitConjuncts, variablesIn } from "../../materialisation/checks/variable-uses.ts";

/** What every branch of an OR asks of a variable is asked once, beside the OR of what is left: `a AND x OR b AND x` is `x AND (a OR b)`. */
export const factored = (condition: Expr): readonly Expr[] => {
  const branches = splitBranches(condition).map((branch) => splitConjuncts(branch).map(turned));
  const [first = [], ...others] = branches;
  if (others.length === 0) return [condition];
  const isEverywhere = (item: Expr): boolean => others.every((branch) => branch.some((each) => sameTree(each, item)));
  const common = first.filter((item) => variablesIn(item).length > 0 && isEverywhere(item));
  if (common.length === 0) return [condition];
  const left = branches.map((branch) => branch.filter((item) => !common.some((each) => sameTree(each, item))));
  return left.some((branch) => branch.length === 0) ? common : [...common, some(left.map((branch) => every(branch)))];
};

const splitBranches = (node: Expr): readonly Expr[] => {
  if (node.kind === "or") return node.items.flatMap(splitBranches);
  return node.kind === "call" && node.name === "or" ? node.args.flatMap(splitBranches) : [node];
};

/** An equality with its column on the left, so that two ways to write it are one. */
export const turned = (item: Expr): Expr => {
  const [left, right] = comparisonSides(item);
  if (left === undefined || right === undefined) return item;
  return variablesIn(left).length > 0 ? compare("==", right, left) : compare("==", left, right);
};

const comparisonSides = (item: Expr): readonly Expr[] => {
  if (item.kind === "compare" && item.op === "==") return [item.left, item.right];
  return item.kind === "call" && item.name === "equals" ? item.args : [];
};

/** `IN` and `has` over a list that holds one value only, however often: an equality with that value. */
export const equality = (condition: Expr): readonly Expr[] => {
  const [item, list] = listedValues(condition);
  if (item === undefined || (list?.kind !== "tuple" && list?.kind !== "array")) return [condition];
  const [only, ...more] = list.items;
  return only !== undefined && more.every((each) => sameTree(each, only)) ? [compare("==", item, only)] : [condition];
};

/** What is sought, and the list in which. */
const listedValues = (node: Expr): readonly Expr[] => {
  if (node.kind === "compare" && node.op === "in") return [node.left, node.right];
  if (node.kind !== "call" || node.args.length !== 2) return [];
  if (node.name === "in") return node.args;
  return node.name === "has" ? node.args.toReversed() : [];
};

/**
 * Conditions on columns of the one query of WITH that is read here stand in that query's own WHERE, where other variables stand
 * already: it leaves the same rows out before anything is made of them.
 */
export const gathered = (node: Select): Select => {
  const source = singleSource(node);
  if (source === undefined || node.where === null) return node;
  const { cte, query, name } = source;
  const opened = flattened({ ...node, prewhere: null }).conditions;
  const items = splitConjuncts(node.where);
  const inner = items.map((item, index) => (variablesIn(item).length === 0 ? undefined : within(opened[index] ?? item, query, name)));
  const moved = inner.filter((item) => item !== undefined);
  if (moved.length === 0) return node;
  const stays = items.filter((_, index) => inner[index] === undefined);
  const where = every([...(query.where === null ? [] : [query.where]), ...moved]);
  const ctes = node.ctes.map((each): Cte => (each === cte ? { ...each, query: { ...query, where } } : each));
  return { ...node, ctes, where: stays.length === 0 ? null : every(stays) };
};

interface Source {
  readonly cte: Cte;
  readonly query: Select;
  readonly name: string;
}

/** The query of WITH with variables that this SELECT alone reads, and that gives each of its rows by itself or by its keys. */
const singleSource = (node: Select): Source | undefined => {
  const table = node.from?.table;
  if (table?.kind !== "name" || node.joins.length > 0 || node.from?.columnAliases) return undefined;
  const called = table.chain.join(".");
  const cte = node.ctes.find(({ name }) => name === called);
  const query = cte?.query;
  if (cte === undefined || cte.scalar || cte.columns !== null || query?.kind !== "select" || variablesIn(query).length === 0)
    return undefined;
  const { limit, offset, limitBy, windows, qualify, subtotals, columns } = query;
  const counts = limit !== null || offset !== null || limitBy !== null || qualify !== null || subtotals !== undefined;
  if (counts || Object.keys(windows).length > 0 || columns.some((column) => someNode(column, ({ kind }) => kind === "window")))
    return undefined;
  const readers = JSON.stringify(node).split(`"chain":${JSON.stringify([called])},"args"`).length - 1;
  return readers === 1 ? { cte, query, name: node.from?.alias ?? called } : undefined;
};

/** The condition in terms of what the inner query reads; undefined where it asks for more than its rows or its keys tell. */
const within = (condition: Expr, query: Select, name: string): Expr | undefined => {
  const { columns, keys, isGrouped } = flattened(query);
  let isKnown = true;
  const opened = (part: Expr): Expr => {
    if (part.kind !== "field") return mapChildren(part, opened);
    const [first, ...rest] = part.chain[0] === name && part.chain.length > 1 ? part.chain.slice(1) : part.chain;
    const known = columns.find((column) => column.name === first)?.item;
    const isStar = query.columns.some((column) => column.kind === "field" && columnName(column) === "*");
    if (known === undefined && isStar && !isGrouped) return { ...part, chain: [String(first), ...rest] };
    if (known === undefined || hasAggregate(known) || (isGrouped && !keys?.some((key) => sameTree(key, known)))) isKnown = false;
    if (rest.length === 0) return known ?? part;
    if (known?.kind !== "field") isKnown = false;
    return known?.kind === "field" ? { ...known, chain: [...known.chain, ...rest] } : part;
  };
  const inner = opened(condition);
  return isKnown ? inner : undefined;
};
