import type { Expr, OrderItem, Select } from "../../../hogql/ast.ts";
import { columnName } from "../../../hogql/text.ts";
import { isPosition, mapChildren, mapOrder, sameTree, selectAliases } from "../../../hogql/walk.ts";
import { hasAggregate } from "./aggregates.ts";
import { NotMaterialisable } from "./reason.ts";
import { splitConjuncts } from "./variable-uses.ts";

/** A SELECT in which no name means anything but a column of its tables: aliases and positions are written out. */
export interface FlatSelect {
  readonly columns: readonly { readonly name: string; readonly item: Expr }[];
  readonly conditions: readonly Expr[];
  /** Null without GROUP BY. */
  readonly keys: readonly Expr[] | null;
  readonly having: Expr | null;
  readonly orderBy: readonly OrderItem[];
  readonly limitBy: Select["limitBy"];
  /** Rows are of groups, or one row stands for all. */
  readonly isGrouped: boolean;
}

/** Written out, a query of aliases of aliases may become much longer than its text. */
const MAX_NODES = 20_000;

export const flattened = (node: Select): FlatSelect => {
  const aliases = selectAliases(node);
  const budget = { nodes: 0 };
  const open = (item: Expr, place: Level): Expr => writtenOut(item, { aliases, budget, place, closed: [], bound: [] });
  const columns = node.columns.map((column) => ({ name: columnName(column), item: open(column, "groups") }));
  const at = (item: Expr, place: Level): Expr => (isPosition(item) ? (columns[Number(item.value) - 1]?.item ?? item) : open(item, place));
  const groupKeys = (): FlatSelect["keys"] => {
    if (node.groupBy === null) return null;
    if (node.groupBy === "all") return columns.map(({ item }) => item).filter((item) => !hasAggregate(item));
    return unique(node.groupBy.map((item) => at(item, "rows")));
  };
  const conditions = [node.prewhere, node.where].filter((part) => part !== null).flatMap(splitConjuncts);
  const having = node.having === null ? null : open(node.having, "groups");
  const orderBy = mapOrder(node.orderBy, (item) => at(item, "groups"));
  const keys = groupKeys();
  const isGrouped = keys !== null || [...columns.map(({ item }) => item), having, ...orderBy.map(({ expr }) => expr)].some(aggregates);
  return {
    columns,
    conditions: conditions.map((condition) => open(condition, "rows")),
    keys,
    having,
    orderBy,
    limitBy: node.limitBy === null ? null : { ...node.limitBy, by: node.limitBy.by.map((item) => at(item, "groups")) },
    isGrouped,
  };
};

const aggregates = (node: Expr | null): boolean => node !== null && hasAggregate(node);

const unique = (items: readonly Expr[]): readonly Expr[] =>
  items.filter((item, index) => items.findIndex((other) => sameTree(other, item)) === index);

/** Whether an expression sees single rows, where an alias of an aggregate means the column of that name, or groups. */
type Level = "rows" | "groups";

interface Reading {
  readonly aliases: ReadonlyMap<string, Expr>;
  readonly budget: { nodes: number };
  readonly place: Level;
  /** Aliases being written out: inside its own definition a name means the column. */
  readonly closed: readonly string[];
  /** Arguments of lambdas. */
  readonly bound: readonly string[];
}

const writtenOut = (node: Expr, reading: Reading): Expr => {
  reading.budget.nodes += 1;
  if (reading.budget.nodes > MAX_NODES)
    throw new NotMaterialisable("downstream_shape", "its aliases stand for more than can be written out. Put parts of it in WITH.");
  if (node.kind === "alias") return writtenOut(node.item, { ...reading, closed: [...reading.closed, node.name] });
  if (node.kind === "lambda") return mapChildren(node, (part) => writtenOut(part, { ...reading, bound: [...reading.bound, ...node.args] }));
  if (node.kind !== "field") return mapChildren(node, (part) => writtenOut(part, reading));
  const [name, ...rest] = node.chain;
  if (typeof name !== "string" || rest.length > 0 || reading.bound.includes(name) || reading.closed.includes(name)) return node;
  const meant = reading.aliases.get(name);
  if (meant === undefined || (reading.place === "rows" && hasAggregate(meant))) return node;
  return writtenOut(meant, { ...reading, closed: [...reading.closed, name], bound: [] });
};
