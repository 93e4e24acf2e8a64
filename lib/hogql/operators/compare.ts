import { literal } from "../analysis/constants.ts";
import type { LoweringContext } from "../analysis/context.ts";
import { physical } from "../analysis/duckdb-types.ts";
import { derive, type Expression, flags, sqlTrees } from "../analysis/expression.ts";
import { parseTimestamp, startOfDay } from "../calendar.ts";
import { QueryError } from "../errors.ts";
import { rawText } from "../sql/form.ts";
import { FALSE, type Sql, separated, sql, TRUE } from "../sql/fragment.ts";
import { same } from "../sql/same.ts";
import { asTimestamp, readDate, readTimestamp, zoneFor } from "../time/time-sql.ts";
import { BOOLEAN, commonType, FLOAT, INT64, isNumeric, isOpen, isText, isTime, type Type, typeName, UUID } from "../types.ts";
import { exactTexts, longDigits } from "./exact.ts";
import { expressionFacts, type OrderOp, unionFacts } from "./facts.ts";
import { mayBeNan, unlessNan } from "./nan.ts";

/**
 * How a condition is used. As a `filter`, NULL counts as false, so that the plain operator can stand, which DuckDB pushes down
 * into the files; as a `value`, the language's own two-valued logic is written out.
 */
export type Mode = "filter" | "value";

/** `left op right` for `==` and the orders: false when a side is NULL, but two literal NULLs are equal. */
export const compareValues = (
  context: LoweringContext,
  op: "==" | OrderOp,
  left: Expression,
  right: Expression,
  mode: Mode,
): Expression => {
  if (left.known === null || right.known === null) return nullComparison(context, op, left, right);
  const [a, b] = comparable(context, left, right, op);
  const tree = compared(op, a, b);
  const nullable = a.nullable || b.nullable;
  const facts = [...expressionFacts(context, op, a, b), ...expressionFacts(context, MIRRORED[op], b, a)];
  const soft = nullable && mode === "value" ? sql`coalesce(${tree}, false)` : tree;
  const exact = facts.length === 1 && !nullable && (isTimestamp(a) || isTimestamp(b));
  return {
    ...derive(soft, BOOLEAN, [left, right], nullable && mode === "filter"),
    ...(facts.length > 0 ? { facts } : {}),
    ...(exact ? { exact } : {}),
  };
};

/** A side that is NaN would be the greatest of all numbers. */
const compared = (op: "==" | OrderOp, a: Expression, b: Expression): Sql => {
  const tree = sql`(${a.tree} ${SQL_OF[op]} ${b.tree})`;
  if (op === "==") return mayBeNan(a) && mayBeNan(b) ? unlessNan(tree, a) : tree;
  return unlessNan(tree, op === ">" || op === ">=" ? a : b);
};

const SQL_OF = { "==": sql`=`, "<": sql`<`, "<=": sql`<=`, ">": sql`>`, ">=": sql`>=` } as const;

/** The row's time itself, and not something that lies below it. */
const isTimestamp = ({ origin }: Expression): boolean => origin?.column === "timestamp" && origin.below === 0n;

/** `left != right`: true when exactly one side is NULL. */
export const notEqual = (context: LoweringContext, left: Expression, right: Expression): Expression => {
  if (right.known === null || left.known === null) {
    const other = right.known === null ? left : right;
    if (other.known === null) return context.known(false, BOOLEAN);
    return derive(sql`(${other.tree} IS NOT NULL)`, BOOLEAN, [other], false);
  }
  const [a, b] = comparable(context, left, right, "!=");
  const operator = a.nullable || b.nullable ? sql`IS DISTINCT FROM` : sql`<>`;
  const differs = sql`(${a.tree} ${operator} ${b.tree})`;
  // Nothing is equal to NaN, itself included.
  const tree = mayBeNan(a) && mayBeNan(b) ? sql`(${differs} OR coalesce(isnan(${a.tree}), false))` : differs;
  return derive(tree, BOOLEAN, [left, right], false);
};

const MIRRORED = { "==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

const nullComparison = (context: LoweringContext, op: string, left: Expression, right: Expression): Expression => {
  const other = left.known === null ? right : left;
  if (op !== "==") return context.known(false, BOOLEAN);
  if (other.known === null) return context.known(true, BOOLEAN);
  return derive(sql`(${other.tree} IS NULL)`, BOOLEAN, [other], false);
};

/** Both sides in one type, as ClickHouse would compare them; an error that names both types where it would not. */
export const comparable = (
  context: LoweringContext,
  left: Expression,
  right: Expression,
  op: string,
): readonly [Expression, Expression] => {
  if (left.type.kind === "tuple" && right.type.kind === "tuple" && left.items && right.items) return [left, right];
  const exact = exactTexts(context, left, right, op);
  if (exact !== undefined) return exact;
  const a = fitBeside(context, left, right, op);
  const b = fitBeside(context, right, a, op);
  return [cheaper(a, b), cheaper(b, a)];
};

/** `value`, changed to what it must be beside `other`. */
const fitBeside = (context: LoweringContext, value: Expression, other: Expression, op: string): Expression => {
  const from = value.type;
  const to = other.type;
  if (isOpen(from) || isOpen(to)) return value;
  if (isText(from) && to.kind === "datetime") return readTimestamp(context, value, zoneFor(context, to));
  if (isText(from) && to.kind === "date") return textBesideDate(context, value);
  if (from.kind === "date" && to.kind === "datetime") return asTimestamp(context, value);
  if (isText(from) && to.kind === "uuid") return derive(sql`TRY_CAST(${value.tree} AS UUID)`, UUID, [value], true);
  if (isText(from) && isNumeric(to)) return numberBesideNumber(context, value, other, op);
  if (from.kind === "boolean" && isNumeric(to) && to.kind !== "boolean") return derive(sql`CAST(${value.tree} AS BIGINT)`, INT64, [value]);
  if (commonType(from, to) !== null || from.kind === to.kind) return value;
  if (
    (isText(to) || to.kind === "datetime" || to.kind === "uuid") &&
    (isText(from) || isTime(from) || from.kind === "uuid" || isNumeric(from))
  ) {
    return value;
  }
  throw mismatch(value, other, op);
};

/** A constant time beside a date column is compared as a time, a constant date as a date. */
const textBesideDate = (context: LoweringContext, value: Expression): Expression => {
  if (typeof value.known !== "string") return readDate(context, value);
  const timestamp = parseTimestamp(value.known, context.zone);
  const day = readDate(context, value);
  if (timestamp === null || typeof day.known !== "bigint" || timestamp === startOfDay(day.known, context.zone)) return day;
  return context.known(timestamp, { kind: "datetime", digits: 6 });
};

/** A constant text beside a number is read as one; a text that depends on rows has to be converted by the author. */
const numberBesideNumber = (context: LoweringContext, value: Expression, other: Expression, op: string): Expression => {
  if (typeof value.known !== "string") throw mismatch(value, other, op);
  if (other.type.kind === "boolean") {
    const text = value.known.toLowerCase();
    if (text === "true" || text === "1") return literal(true);
    if (text === "false" || text === "0") return literal(false);
  }
  const number = Number(value.known);
  if (value.known.trim() === "" || Number.isNaN(number)) throw mismatch(value, other, op);
  return Number.isSafeInteger(number) ? literal(number) : context.known(number, FLOAT);
};

export const mismatch = (a: Expression, b: Expression, op: string): QueryError =>
  new QueryError(
    "no_common_type",
    `Cannot compare ${typeName(a.type, a.nullable)} with ${typeName(b.type, b.nullable)} by \`${op}\`: convert one side with toString, toInt, toFloat or toDateTime.`,
  );

/** Beside a constant that is not empty, a text need not have its empty strings turned into NULL first. */
const cheaper = (value: Expression, other: Expression): Expression => {
  if (typeof other.known !== "string" || other.known === "") return value;
  const raw = rawText(value.tree);
  return raw === undefined ? value : { ...value, tree: raw, nullable: true };
};

/** `item IN (…)`: false for NULL, and `NOT IN` true. NULL elements match nothing. */
export const among = (
  context: LoweringContext,
  item: Expression,
  items: readonly Expression[],
  negated: boolean,
  mode: Mode,
): Expression => {
  const given = items.filter((element) => element.known !== null);
  if (item.known === null || given.length === 0) return context.known(negated, BOOLEAN);
  const long = item.written === undefined ? [] : given.filter((element) => longDigits(element) !== undefined);
  if (long.length > 0 && long.length < given.length) {
    const short = given.filter((element) => !long.includes(element));
    const either = disjunction([among(context, item, long, false, "value"), among(context, item, short, false, "value")]);
    return negated ? derive(sql`(NOT ${either.tree})`, BOOLEAN, [either], false) : either;
  }
  const pairs = given.map((element) => comparable(context, item, element, "IN"));
  const [first] = pairs[0] ?? [item];
  const subject = pairs.every(([left]) => same(left.tree, first.tree)) ? first : undefined;
  const parts = [item, ...given];
  if (subject === undefined) return amongMixed(context, pairs, parts, negated);
  const tree = sql`(${subject.tree} ${negated ? sql`NOT IN` : sql`IN`} (${separated(pairs.map(([, right]) => right.tree))}))`;
  const nullable = subject.nullable || given.some((element) => element.nullable);
  const facts = negated ? [] : unionFacts(pairs.map(([left, right]) => expressionFacts(context, "==", left, right)));
  const soft = nullable && (negated || mode === "value") ? sql`coalesce(${tree}, ${negated ? TRUE : FALSE})` : tree;
  const isFew = soft === tree && !negated && subject.tree.kind === "column" && pairs.length <= MOST_FEW;
  return {
    ...derive(soft, BOOLEAN, parts, nullable && mode === "filter" && !negated),
    ...(facts.length > 0 ? { facts } : {}),
    ...(isFew ? { isFew } : {}),
  };
};

/** Of more values DuckDB makes a join, which costs less than to compare with each. */
const MOST_FEW = 5;

const amongMixed = (
  context: LoweringContext,
  pairs: readonly (readonly [Expression, Expression])[],
  parts: readonly Expression[],
  negated: boolean,
): Expression => {
  const any = separated(
    pairs.map(([left, right]) => compareValues(context, "==", left, right, "value").tree),
    sql` OR `,
  );
  return derive(negated ? sql`(NOT (${any}))` : sql`(${any})`, BOOLEAN, parts, false);
};

/** All of several conditions. */
export const conjunction = (context: LoweringContext, parts: readonly Expression[]): Expression => {
  if (parts.length === 0) return context.known(true, BOOLEAN);
  const facts = parts.flatMap((part) => part.facts ?? []);
  return {
    tree: parts.length === 1 ? (parts[0]?.tree ?? TRUE) : sql`(${separated(sqlTrees(parts), sql` AND `)})`,
    type: BOOLEAN,
    nullable: parts.some((part) => part.nullable),
    ...flags(parts),
    ...(facts.length > 0 ? { facts } : {}),
    conjuncts: parts,
  };
};

/** Any of several conditions. */
export const disjunction = (parts: readonly Expression[]): Expression => {
  const facts = unionFacts(parts.map((part) => part.facts ?? []));
  return {
    ...derive(sql`(${separated(sqlTrees(parts), sql` OR `)})`, BOOLEAN, parts),
    ...(facts.length > 0 ? { facts } : {}),
  };
};

/** The type check of a value that has to be one of several alternatives, such as the branches of a CASE. */
export const requireCommonType = (branches: readonly Expression[], what: string): Type => {
  let type: Type = branches[0]?.type ?? { kind: "null" };
  for (const branch of branches.slice(1)) {
    const both = commonType(type, branch.type);
    if (both === null) {
      throw new QueryError(
        "no_common_type",
        `The values of ${what} have no common type: ${typeName(type)} and ${typeName(branch.type)}. Convert them with toString or toFloat.`,
      );
    }
    type = both;
  }
  return type;
};

/**
 * A value in the type that it has in common with others, where DuckDB would else do something else beside these: it cuts off digits of
 * decimals that have more than the first, and has no list of truths and fractions. An array by its elements.
 */
export const inCommonNumber = (value: Expression, type: Type): Expression =>
  needsCast(value.type, type) ? derive(sql`CAST(${value.tree} AS ${physical(type)})`, type, [value]) : value;

const needsCast = (type: Type, common: Type): boolean => {
  if (type.kind === "array" && common.kind === "array") return needsCast(type.of, common.of);
  if (type.kind === "boolean") return common.kind === "float" || common.kind === "decimal";
  return type.kind === "decimal" && common.kind === "decimal" && type.scale !== common.scale;
};
