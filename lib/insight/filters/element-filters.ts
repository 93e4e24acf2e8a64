import type { Expr } from "../../hogql/ast.ts";
import { call, compare, constant, field, not, some } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import type { Clock } from "../dates.ts";
import { asksNothing, condition, type FilterValue, type Operator, valueTexts } from "./operators.ts";
import { selectorPattern } from "./selector.ts";

/**
 * A filter on the elements that autocapture saw, innermost first: it holds when one of them fulfils it, its negation when none
 * does. Keys: `tag_name`, `text`, `href`, `selector`.
 */
export const elementCondition = (key: string, operator: Operator, value: FilterValue, clock: Clock): Expr => {
  if (asksNothing(operator, value)) return constant(true);
  if (key === "selector") return selectorCondition(operator, value);
  const found = elementValues(key);
  const positive = POSITIVE[operator];
  if (operator === "is_set") return call("notEmpty", found);
  if (operator === "is_not_set") return call("empty", found);
  const item = field("found");
  const holds = condition({ item }, positive ?? operator, escapeQuotes(value), clock);
  const any = call("arrayExists", { kind: "lambda", args: ["found"], body: holds }, found);
  return positive === undefined ? any : not(any);
};

/** The operator that each negated one negates. */
const POSITIVE: Partial<Record<Operator, Operator>> = {
  is_not: "exact",
  not_in: "in",
  not_icontains: "icontains",
  not_icontains_multi: "icontains_multi",
  not_regex: "regex",
  not_between: "between",
  semver_neq: "semver_eq",
};

const CHAIN = field("elements_chain");
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';

const elementValues = (key: string): Expr => {
  switch (key) {
    case "tag_name": {
      const bare = call("replaceRegexpAll", CHAIN, constant(QUOTED), constant(""));
      return call("extractAll", bare, constant("(?:^|;)([a-zA-Z][-a-zA-Z0-9_]*)"));
    }
    case "text":
    case "href":
      return call("extractAll", CHAIN, constant(`(?::|")${key === "href" ? "(?:attr__)?" : ""}${key}=${QUOTED}`));
    default:
      throw new QueryError("invalid_input", `Elements have no \`${key}\`: filter on \`tag_name\`, \`text\`, \`href\` or \`selector\`.`);
  }
};

/** As the chain writes quotes within a value. */
const escapeQuotes = (value: FilterValue): FilterValue => {
  const one = <T>(item: T): T | string => (typeof item === "string" ? item.replaceAll('"', '\\"') : item);
  return Array.isArray(value) ? value.map(one) : value === null ? null : one(value);
};

const selectorCondition = (operator: Operator, value: FilterValue): Expr => {
  const matches = (): Expr =>
    some(valueTexts(operator, value).map((selector) => compare("=~", CHAIN, constant(selectorPattern(selector)))));
  switch (operator) {
    case "exact":
    case "in":
      return matches();
    case "is_not":
    case "not_in":
      return not(matches());
    default:
      throw new QueryError("invalid_input", "A selector is compared with `exact` or `is_not`.");
  }
};
