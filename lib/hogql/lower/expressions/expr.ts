import { unreachable } from "../../../core/unreachable.ts";
import { known as constant, literal } from "../../analysis/constants.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import { defaultSql } from "../../analysis/duckdb-types.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { AT, type Expr, type Field } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { arithmetic } from "../../operators/arithmetic.ts";
import { array, dict, element, tuple, tupleElement } from "../../operators/collections.ts";
import { conjunction, disjunction, type Mode } from "../../operators/compare.ts";
import { parameter, sql } from "../../sql/fragment.ts";
import { BOOLEAN, FLOAT, isNumeric, isOpen, typeName } from "../../types.ts";
import { isStar, propertyChain } from "../../walk.ts";
import { type Ctes, findCte, type Scope } from "../scope.ts";
import { windowCall } from "./aggregates.ts";
import { call, cast } from "./calls.ts";
import { between, comparison } from "./comparison.ts";
import { fieldIn, follow, unknownField } from "./fields.ts";
import { placeholder } from "./placeholders.ts";

/** An expression, lowered in the scope of its SELECT. */
export const expr = (scope: Scope, node: Expr, mode: Mode = "value"): Expression => {
  const lowered = scope.context.within(() => placed(scope, node, mode));
  scope.context.countPart(lowered.tree);
  if (scope.groupKeys === null || lowered.ungroupedColumn === undefined) return lowered;
  const key = scope.groupKeys.get(lowered.tree);
  if (key === undefined) return lowered;
  const { ungroupedColumn: _, ...rest } = lowered;
  return scope.subtotals ? ofTotals({ ...rest, tree: key }) : { ...rest, tree: key };
};

/** A key of GROUP BY where some rows are totals: there it has the type's default. */
const ofTotals = ({ tree, type, nullable }: Expression): Expression => {
  const fallback = nullable ? null : defaultSql(type);
  if (fallback === null) return { tree, type, nullable: true };
  return { tree: sql`(CASE WHEN grouping(${tree}) = 0 THEN ${tree} ELSE ${fallback} END)`, type, nullable: false };
};

/** An expression as a condition, in which NULL counts as false. */
export const condition = (scope: Scope, node: Expr): Expression => {
  const value = truth(scope.context, expr(scope, node, "filter"));
  return value.known === null ? scope.context.known(false, BOOLEAN) : value;
};

/** Numbers are true unless 0, as in ClickHouse. */
export const truth = (context: LoweringContext, value: Expression): Expression => {
  if (value.type.kind === "boolean") return value;
  if (value.known === null) return context.known(null, BOOLEAN);
  if (isOpen(value.type)) return derive(sql`CAST(${value.tree} AS BOOLEAN)`, BOOLEAN, [value]);
  if (isNumeric(value.type)) return derive(sql`(${value.tree} <> 0)`, BOOLEAN, [value]);
  throw new QueryError(
    "illegal_type_of_argument",
    `A condition must be true or false, not ${typeName(value.type, value.nullable)}: compare it with something.`,
  );
};

/** Gives an error from inside a node the node's own place, when it has none. */
const placed = (scope: Scope, node: Expr, mode: Mode): Expression => {
  try {
    return lowerNode(scope, node, mode);
  } catch (error) {
    if (!(error instanceof QueryError) || error.position !== undefined || node[AT] === undefined) throw error;
    throw new QueryError(error.code, error.message, node[AT]);
  }
};

const lowerNode = (scope: Scope, node: Expr, mode: Mode): Expression => {
  const { context } = scope;
  switch (node.kind) {
    case "constant":
      return literal(node.value);
    case "numeric-literal":
      return numericLiteral(node.text);
    case "field":
      return field(scope, node, mode);
    case "call":
      return call(scope, node, mode);
    case "window":
      return windowCall(scope, node);
    case "and":
    case "or": {
      const items = node.items.map((item) => truth(context, expr(scope, item, mode)));
      return node.kind === "and" ? conjunction(context, items) : disjunction(items);
    }
    case "not": {
      const item = truth(context, expr(scope, node.item, "value"));
      return typeof item.known === "boolean" ? context.known(!item.known, BOOLEAN) : derive(sql`(NOT ${item.tree})`, BOOLEAN, [item]);
    }
    case "compare":
    case "distinct-from":
      return comparison(scope, node, mode);
    case "between":
      return between(scope, node, mode);
    case "arithmetic":
      return arithmetic(context, node.op, expr(scope, node.left), expr(scope, node.right));
    case "array":
      return array(node.items.map((item) => expr(scope, item)));
    case "tuple":
      return tuple(node.items.map((item) => expr(scope, item)));
    case "dict":
      return dict(
        node.items.map(([key]) => expr(scope, key)),
        node.items.map(([, value]) => expr(scope, value)),
      );
    case "element":
    case "tuple-element":
      return lowerElement(scope, node);
    case "cast":
      return cast(scope, node);
    case "alias":
      return expr(scope, node.item, mode);
    case "placeholder":
      return placeholder(scope, node, (filter) => expr(scope, filter, mode));
    case "positional":
      return atPosition(scope, node.index, node);
    case "select":
    case "set":
      return scalarSubquery(scope, node);
    case "lambda":
      throw new QueryError("invalid_input", "A lambda can only stand as an argument of a function such as arrayMap.", node[AT]);
    case "columns":
      throw new QueryError("invalid_input", "`*` can only stand in the list of a SELECT or in count(*).", node[AT]);
    default:
      return unreachable(node);
  }
};

const numericLiteral = (text: string): Expression => {
  const isWhole = /^-?\d+$/.test(text);
  if (isWhole) {
    const value = BigInt(text);
    if (value >= -9223372036854775808n && value <= 18446744073709551615n) {
      const wide = value > 9223372036854775807n;
      const name = value < 0n ? "Int64" : "UInt64";
      return constant(value, wide ? { kind: "integer", name, wide } : { kind: "integer", name });
    }
  }
  const tree = sql`CAST(${parameter(text)}::VARCHAR AS DOUBLE)`;
  return { tree, type: FLOAT, nullable: false, ...(isWhole ? { digits: text } : {}) };
};

/** Lambda arguments first, then aliases, then columns, then values named by WITH. */
const field = (scope: Scope, node: Field, mode: Mode): Expression => {
  const [first, ...rest] = node.chain;
  const name = String(first);
  const bound = scope.lambdas.findLast((names) => names.has(name))?.get(name);
  if (bound !== undefined) return follow({ kind: "value", expression: bound }, rest, node.chain, node[AT]);
  const aliased = lowerAlias(scope, name, rest.length === 0 ? mode : "value");
  if (aliased !== undefined && rest.length === 0) return aliased;
  const merged = scope.merged.get(name);
  if (merged !== undefined) return follow({ kind: "value", expression: merged }, rest, node.chain, node[AT]);
  const found = fieldIn(scope.relations, node);
  if (found !== undefined) return found;
  if (aliased !== undefined) return follow({ kind: "value", expression: aliased }, rest, node.chain, node[AT]);
  const named = findCte(scope.ctes, name);
  if (named?.cte.scalar) return follow({ kind: "value", expression: namedValue(scope, named) }, rest, node.chain, node[AT]);
  if (name === "*") throw new QueryError("invalid_input", "`*` can only stand in the list of a SELECT or in count(*).", node[AT]);
  if (scope.open.has(name)) {
    const sentence = `The alias \`${name}\` is defined in terms of itself, and there is no field of this name. Give one of the two another name.`;
    throw new QueryError("unknown_field", sentence, node[AT]);
  }
  const known = scope.relations.flatMap((relation) => [...relation.names()]);
  throw unknownField(node.chain, name, [...known, ...scope.aliases.keys()], node[AT]);
};

/** A value named by WITH: written in terms of what was named before it, and of the columns here. */
const namedValue = (scope: Scope, { cte, before }: Ctes): Expression => {
  const known = scope.named.get(cte);
  if (known !== undefined) return known;
  const lowered = expr({ ...scope, ctes: before, lambdas: [] }, cte.query);
  scope.named.set(cte, lowered);
  return lowered;
};

const lowerAlias = (scope: Scope, name: string, mode: Mode): Expression | undefined => {
  const definition = scope.aliases.get(name);
  if (definition === undefined) return undefined;
  if (scope.open.has(name)) {
    scope.shadowed.count += 1;
    return undefined;
  }
  const key = `${mode} ${name}`;
  const known = scope.lowered.get(key);
  if (known !== undefined) return known;
  scope.open.add(name);
  try {
    const { count } = scope.shadowed;
    const lowered = expr({ ...scope, lambdas: [] }, definition, mode);
    if (scope.shadowed.count === count) scope.lowered.set(key, lowered);
    return lowered;
  } catch (error) {
    if (isAggregation(error) && scope.relations.some((relation) => relation.member(name) !== undefined)) return undefined;
    throw error;
  } finally {
    scope.open.delete(name);
  }
};

/** An aggregate where none can stand: there its alias means the column of that name, as in `SELECT max(x) AS x … WHERE x > 0`. */
const isAggregation = (error: unknown): boolean => error instanceof QueryError && error.code === "illegal_aggregation";

/** The select item at a position, from 1, where the list is not written out yet. */
export const atPosition = (scope: Scope, index: number, node: Expr): Expression => {
  if (scope.columns.slice(0, index).some(isStar))
    throw new QueryError("unsupported", "A position does not count the columns of a `*` here: name the column.", node[AT]);
  const item = scope.columns[index - 1];
  if (item === undefined) throw noColumnAt(index, node);
  return expr(scope, item);
};

export const noColumnAt = (index: number, node: Expr): QueryError =>
  new QueryError("unknown_field", `There is no column at position ${index}.`, node[AT]);

const lowerElement = (scope: Scope, node: Extract<Expr, { kind: "element" | "tuple-element" }>): Expression => {
  const chain = propertyChain(node);
  if (chain !== null) return expr(scope, { kind: "field", chain });
  const of = expr(scope, node.of);
  if (node.kind === "tuple-element") return tupleElement(of, node.index);
  const index = expr(scope, node.index);
  if (of.type.kind === "json" && typeof index.known === "string") {
    return follow({ kind: "value", expression: of }, [index.known], [index.known], node[AT]);
  }
  return element(of, index);
};

const scalarSubquery = (scope: Scope, node: Extract<Expr, { kind: "select" | "set" }>): Expression => {
  const { tree, columns } = scope.subquery(node);
  const [column] = columns;
  if (column === undefined || columns.length !== 1) {
    throw new QueryError("invalid_input", `A subquery used as a value must have one column, not ${columns.length}.`, node[AT]);
  }
  return { tree: sql`(${tree})`, type: column.expression.type, nullable: true };
};
