import type { CompareOp, Expr } from "../ast.ts";
import { QueryError } from "../errors.ts";

/** `{filters}` as a condition over the events: the date range and the property filters of the stored query. */
export const filtersOf = (filters: unknown): Expr | null => {
  if (!isRecord(filters)) return null;
  const range = isRecord(filters.dateRange) ? filters.dateRange : {};
  const properties = Array.isArray(filters.properties) ? filters.properties : [];
  const conditions = [
    ...bound(range.date_from, ">="),
    ...bound(range.date_to, "<="),
    ...properties.map((filter) => (isRecord(filter) ? propertyFilter(filter) : refuse("A property filter"))),
  ];
  return conditions.length === 0 ? null : { kind: "and", items: conditions };
};

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (what: string): never => {
  throw new QueryError("invalid_input", `${what} in \`filters\` is not supported.`);
};

const constant = (value: string | number | boolean | null): Expr => ({ kind: "constant", value });
const call = (name: string, ...args: readonly Expr[]): Expr => ({ kind: "call", name, args });
const field = (...chain: readonly string[]): Expr => ({ kind: "field", chain });
const compare = (op: CompareOp, left: Expr, right: Expr): Expr => ({ kind: "compare", op, left, right });

const INTERVALS: Readonly<Record<string, string>> = {
  h: "toIntervalHour",
  d: "toIntervalDay",
  w: "toIntervalWeek",
  m: "toIntervalMonth",
  q: "toIntervalQuarter",
  y: "toIntervalYear",
};
const STARTS: Readonly<Record<string, string>> = {
  h: "toStartOfHour",
  d: "toStartOfDay",
  w: "toStartOfWeek",
  m: "toStartOfMonth",
  q: "toStartOfQuarter",
  y: "toStartOfYear",
};

/** ISO dates and times, `all`, and relative ones such as `-7d`, `-24h`, `dStart` and `-1mStart`. */
const bound = (value: unknown, op: "<=" | ">="): readonly Expr[] => {
  if (value === null || value === undefined || value === "" || value === "all") return [];
  if (typeof value !== "string") return refuse("A date that is no text");
  return [compare(op, field("timestamp"), moment(value, op))];
};

const moment = (value: string, op: "<=" | ">="): Expr => {
  const relative = /^(-?)(\d*)([hdwmqy])(Start|End)?$/.exec(value);
  if (relative === null) {
    const day = /^\d{4}-\d\d-\d\d$/.test(value);
    return day && op === "<="
      ? {
          kind: "arithmetic",
          op: "-",
          left: call("plus", call("toDateTime", constant(value)), call("toIntervalDay", constant(1))),
          right: call("toIntervalSecond", constant(1)),
        }
      : call("toDateTime", constant(value));
  }
  const [, , amount = "", unit = "d", edge] = relative;
  const moved: Expr = {
    kind: "arithmetic",
    op: "-",
    left: call("now"),
    right: call(INTERVALS[unit] ?? "toIntervalDay", constant(Number(amount || "0"))),
  };
  if (edge !== undefined) return call("toDateTime", call(STARTS[unit] ?? "toStartOfDay", moved));
  return unit === "h" ? moved : call("toStartOfDay", moved);
};

const scalars = (value: unknown): readonly Expr[] =>
  (Array.isArray(value) ? value : [value]).map((item) =>
    typeof item === "string" || typeof item === "number" || typeof item === "boolean" ? constant(String(item)) : refuse("A filter value"),
  );

/** The property a filter is about, as a field. */
const subject = (filter: Json): Expr => {
  const key = typeof filter.key === "string" ? filter.key : refuse("A filter without a key");
  switch (filter.type ?? "event") {
    case "event":
      return field("properties", key);
    case "person":
      return field("person", "properties", key);
    case "session":
      return field("session", key);
    case "event_metadata":
      return field(key);
    case "group":
      return field(`group_${Number(filter.group_type_index ?? 0)}`, "properties", key);
    default:
      return refuse(`A filter of the type \`${String(filter.type)}\``);
  }
};

const any = (items: readonly Expr[]): Expr => (items.length === 1 && items[0] !== undefined ? items[0] : { kind: "or", items });
const not = (item: Expr): Expr => ({ kind: "not", item });
const like = (value: Expr): Expr => call("concat", constant("%"), value, constant("%"));

const propertyFilter = (filter: Json): Expr => {
  const item = subject(filter);
  const values = (): readonly Expr[] => scalars(filter.value);
  const text = call("toString", item);
  const number = (op: CompareOp): Expr => compare(op, call("toFloat", item), call("toFloat", values()[0] ?? constant(null)));
  switch (filter.operator ?? "exact") {
    case "exact":
      return compare("in", text, { kind: "tuple", items: values() });
    case "is_not":
      return compare("not in", text, { kind: "tuple", items: values() });
    case "icontains":
      return any(values().map((value) => compare("ilike", text, like(value))));
    case "not_icontains":
      return not(any(values().map((value) => compare("ilike", text, like(value)))));
    case "regex":
      return any(values().map((value) => compare("=~", text, value)));
    case "not_regex":
      return not(any(values().map((value) => compare("=~", text, value))));
    case "is_set":
      return compare("!=", item, constant(null));
    case "is_not_set":
      return compare("==", item, constant(null));
    case "gt":
      return number(">");
    case "gte":
      return number(">=");
    case "lt":
      return number("<");
    case "lte":
      return number("<=");
    default:
      return refuse(`The operator \`${String(filter.operator)}\``);
  }
};
