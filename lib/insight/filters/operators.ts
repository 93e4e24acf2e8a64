import { unreachable } from "../../core/unreachable.ts";
import type { CompareOp, Expr } from "../../hogql/ast.ts";
import { call, compare, constant, every, field, moment, not, some, tuple } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import { type Clock, endOf, startOf } from "../dates.ts";
import type { FILTER_OPERATORS, PropertyFilter } from "./property-filter.ts";
import { inVersionRange, versionCondition } from "./semver.ts";

export type Operator = (typeof FILTER_OPERATORS)[number];
export type FilterValue = PropertyFilter["value"];

/** The property that a filter compares: a text unless its type is known, NULL when missing. */
export interface Subject {
  readonly item: Expr;
  /** It is a column of times, and no property. */
  readonly isTime?: boolean;
}

/**
 * `subject operator value` as a condition that is never NULL. A property's type may be known when the query is lowered and not
 * here, so every comparison converts it first. A missing property fulfils the operators that begin with a negation, and no others.
 * One switch with a case for each operator, so that none can be forgotten.
 */
export const condition = (subject: Subject, operator: Operator, value: FilterValue, clock: Clock): Expr => {
  if (asksNothing(operator, value)) return constant(true);
  const { item } = subject;
  const text = call("toString", item);
  const values = (): readonly string[] => valueTexts(operator, value);
  switch (operator) {
    case "exact":
    case "in":
    case "is_cleaned_path_exact":
      return some(equalities(subject, text, values(), clock));
    case "is_not":
    case "not_in":
      return not(some(equalities(subject, text, values(), clock)));
    case "icontains":
    case "icontains_multi":
      return some(values().map((part) => contains(text, part)));
    case "not_icontains":
    case "not_icontains_multi":
      return not(some(values().map((part) => contains(text, part))));
    case "regex":
      return some(values().map((pattern) => compare("=~", text, constant(pattern))));
    case "not_regex":
      return not(some(values().map((pattern) => compare("=~", text, constant(pattern)))));
    case "is_set":
      return compare("!=", item, constant(null));
    case "is_not_set":
      return compare("==", item, constant(null));
    case "gt":
      return orderCondition(subject, ">", first(operator, values()), clock);
    case "gte":
    case "min":
      return orderCondition(subject, ">=", first(operator, values()), clock);
    case "lt":
      return orderCondition(subject, "<", first(operator, values()), clock);
    case "lte":
    case "max":
      return orderCondition(subject, "<=", first(operator, values()), clock);
    case "between":
      return between(subject, values(), clock);
    case "not_between":
      return not(between(subject, values(), clock));
    case "is_date_exact":
      return some(values().map((date) => onDate(subject, date, clock)));
    case "is_date_before":
      return compare("<", timeExpr(subject), moment(startOf(first(operator, values()), clock, null)));
    case "is_date_after":
      return compare(">=", timeExpr(subject), moment(afterDate(first(operator, values()), clock)));
    case "semver_eq":
    case "semver_neq":
    case "semver_gt":
    case "semver_gte":
    case "semver_lt":
    case "semver_lte":
      return bound(text, (known) => versionCondition(known, operator, first(operator, values())));
    case "semver_tilde":
    case "semver_caret":
    case "semver_wildcard":
      return bound(text, (known) => inVersionRange(known, operator, first(operator, values())));
    case "flag_evaluates_to":
      throw new QueryError("unsupported", "Feature flags do not exist here: filter on the event's property, such as `$feature/my-flag`.");
    default:
      return unreachable(operator);
  }
};

/** A list without values asks for nothing, as of a filter that nobody filled in yet; rules have it so too. */
export const asksNothing = (operator: Operator, value: FilterValue): boolean =>
  Array.isArray(value) && value.length === 0 && !FIXED_VALUES.has(operator);

/** Operators that take no value, or two. */
const FIXED_VALUES: ReadonlySet<Operator> = new Set(["is_set", "is_not_set", "between", "not_between", "flag_evaluates_to"]);

/** A condition that uses its text many times, over a name for it: how a number is written takes long to say. */
const bound = (text: Expr, holds: (known: Expr) => Expr): Expr =>
  call("arrayExists", { kind: "lambda", args: ["version"], body: holds(field("version")) }, { kind: "array", items: [text] });

/** The values of a filter as texts; a JSON true is the text that it is stored as. */
export const valueTexts = (operator: Operator, value: FilterValue): readonly string[] => {
  if (value === null) throw new QueryError("invalid_input", `The operator \`${operator}\` needs a value.`);
  return (Array.isArray(value) ? value : [value]).map(String);
};

const first = (operator: Operator, values: readonly string[]): string => {
  const [value] = values;
  if (value === undefined) throw new QueryError("invalid_input", `The operator \`${operator}\` needs a value.`);
  return value;
};

/** Equal as texts; a date also equals a time that is written otherwise, as a property known to be a time is. */
const equalities = (subject: Subject, text: Expr, values: readonly string[], clock: Clock): readonly Expr[] => {
  const [only, ...more] = values;
  const equal =
    more.length === 0 && only !== undefined
      ? compare("==", text, constant(only))
      : compare("in", text, tuple(values.map((value) => constant(value))));
  const dates = values.filter((value) => ABSOLUTE.test(value));
  return [equal, ...dates.map((date) => compare("==", timeExpr(subject), moment(startOf(date, clock, null))))];
};

/** A date, with or without a time, and nothing else. */
const ABSOLUTE = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const RELATIVE_DATE = /^(?:[+-]\d{1,5}[sMhdwmqy]|[+-]?\d{0,5}[sMhdwmqy](?:Start|End))$/;

const contains = (text: Expr, part: string): Expr => compare("ilike", text, constant(`%${part.replaceAll(/[\\%_]/g, "\\$&")}%`));

/** As numbers when the value is one, as times when it is a date, else as texts. */
const orderCondition = (subject: Subject, op: Extract<CompareOp, "<" | "<=" | ">" | ">=">, value: string, clock: Clock): Expr => {
  const number = Number(value);
  if (value.trim() !== "" && Number.isFinite(number)) return compare(op, call("toFloat", subject.item), constant(number));
  if (!ABSOLUTE.test(value) && !RELATIVE_DATE.test(value) && subject.isTime !== true) {
    return compare(op, call("toString", subject.item), constant(value));
  }
  const time = timeExpr(subject);
  switch (op) {
    case ">":
      return compare(">=", time, moment(afterDate(value, clock)));
    case ">=":
      return compare(">=", time, moment(startOf(value, clock, null)));
    case "<":
      return compare("<", time, moment(startOf(value, clock, null)));
    case "<=":
      return compare("<", time, moment(afterDate(value, clock)));
    default:
      return unreachable(op);
  }
};

const between = (subject: Subject, values: readonly string[], clock: Clock): Expr => {
  const [low, high, ...more] = values;
  if (low === undefined || high === undefined || more.length > 0) {
    throw new QueryError("invalid_input", "The operators `between` and `not_between` need a list of two values.");
  }
  return every([orderCondition(subject, ">=", low, clock), orderCondition(subject, "<=", high, clock)]);
};

/** Within the day, hour or second that the date names. */
const onDate = (subject: Subject, date: string, clock: Clock): Expr => {
  const time = timeExpr(subject);
  return every([compare(">=", time, moment(startOf(date, clock, "second"))), compare("<", time, moment(endOf(date, clock, "second")))]);
};

/** The first moment that is after a date: a day that is named is over, a moment has passed. */
const afterDate = (date: string, clock: Clock): bigint => endOf(date, clock, DAY.test(date) ? "second" : null);
const DAY = /^\s*\d{4}-\d{1,2}-\d{1,2}\s*$/;

/** The subject as a time, a number as seconds since 1970; NULL when it is none. */
const timeExpr = ({ item, isTime }: Subject): Expr => (isTime === true ? item : call("toDateTime64", item, constant(6)));
