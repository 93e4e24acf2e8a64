import { isoOfMicros } from "../core/time.ts";
import type { Alias, ArithmeticOp, Ast, CompareOp, Expr, Field, Literal, Select, SetQuery } from "./ast.ts";

/** Nodes of a query that is made by code instead of parsed. Values become parameters of the engine, never text. */

export const constant = (value: Literal): Expr => ({ kind: "constant", value });
export const field = (...chain: readonly (string | number)[]): Field => ({ kind: "field", chain });
export const call = (name: string, ...args: readonly Expr[]): Expr => ({ kind: "call", name, args });
export const compare = (op: CompareOp, left: Expr, right: Expr): Expr => ({ kind: "compare", op, left, right });
export const arithmetic = (op: ArithmeticOp, left: Expr, right: Expr): Expr => ({ kind: "arithmetic", op, left, right });
export const not = (item: Expr): Expr => ({ kind: "not", item });
export const tuple = (items: readonly Expr[]): Expr => ({ kind: "tuple", items });
export const array = (items: readonly Expr[]): Expr => ({ kind: "array", items });
export const countDistinct = (...args: readonly Expr[]): Expr => ({ kind: "call", name: "count", args, distinct: true });
export const alias = (name: string, item: Expr): Alias => ({ kind: "alias", name, item });

/** A whole number, also one that JSON's numbers cannot hold. */
export const wholeNumber = (value: bigint): Expr => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? constant(number) : { kind: "numeric-literal", text: String(value) };
};

/** All of the conditions; true when there are none. */
export const every = (items: readonly Expr[]): Expr => join("and", items, true);
/** Any of the conditions; false when there are none. */
export const some = (items: readonly Expr[]): Expr => join("or", items, false);

const join = (kind: "and" | "or", items: readonly Expr[], none: boolean): Expr => {
  const [first, ...rest] = items;
  if (first === undefined) return constant(none);
  return rest.length === 0 ? first : { kind, items };
};

/** A moment, in microseconds since 1970. */
export const moment = (micros: bigint): Expr =>
  call("toDateTime64", constant(isoOfMicros(micros).slice(0, -1).replace("T", " ")), constant(6), constant("UTC"));

/** A SELECT of these columns with the given parts; the others are absent. */
export const select = (columns: readonly Expr[], parts: Partial<Omit<Select, "kind" | "columns">> = {}): Select => ({
  kind: "select",
  ctes: [],
  distinct: false,
  from: null,
  joins: [],
  arrayJoin: null,
  prewhere: null,
  where: null,
  groupBy: null,
  having: null,
  qualify: null,
  windows: {},
  orderBy: [],
  limitBy: null,
  limit: null,
  offset: null,
  ...parts,
  columns,
});

/** All rows of these queries. */
export const unionAll = (first: Select, rest: readonly Select[]): SetQuery => ({
  kind: "set",
  first,
  rest: rest.map((query) => ({ operator: "UNION ALL", query })),
  limit: null,
  offset: null,
});

/** FROM a table by name, or a query. */
export const from = (table: string | Ast, name: string | null = null): NonNullable<Select["from"]> => ({
  table: typeof table === "string" ? { kind: "name", chain: [table], args: null } : table,
  alias: name,
  columnAliases: null,
  sample: null,
});
