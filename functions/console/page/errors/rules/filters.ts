/** What a rule asks of an exception, as the API takes it. */
export interface RuleFilters {
  readonly type: "AND" | "OR";
  readonly values: readonly unknown[];
}

/** What a value is asked for, in the API's words and in a reader's. */
export const OPERATORS = [
  { operator: "icontains", words: "contains", takes: "one" },
  { operator: "not_icontains", words: "does not contain", takes: "one" },
  { operator: "exact", words: "is", takes: "one" },
  { operator: "is_not", words: "is not", takes: "one" },
  { operator: "in", words: "is one of", takes: "several" },
  { operator: "not_in", words: "is none of", takes: "several" },
  { operator: "regex", words: "matches", takes: "one" },
  { operator: "not_regex", words: "does not match", takes: "one" },
  { operator: "is_set", words: "is set", takes: "none" },
  { operator: "is_not_set", words: "is not set", takes: "none" },
  { operator: "gt", words: "is more than", takes: "one" },
  { operator: "gte", words: "is at least", takes: "one" },
  { operator: "lt", words: "is less than", takes: "one" },
  { operator: "lte", words: "is at most", takes: "one" },
  { operator: "between", words: "is between", takes: "several" },
  { operator: "not_between", words: "is not between", takes: "several" },
  { operator: "is_date_exact", words: "is on the day", takes: "one" },
  { operator: "is_date_before", words: "is before", takes: "one" },
  { operator: "is_date_after", words: "is after", takes: "one" },
] as const satisfies readonly { readonly operator: string; readonly words: string; readonly takes: "none" | "one" | "several" }[];

/** Properties that rules ask for most. */
export const COMMON_KEYS = [
  "$exception_types",
  "$exception_values",
  "$exception_sources",
  "$exception_functions",
  "$exception_handled",
  "$lib",
  "$current_url",
] as const;

/** One condition as a form holds it; several values are separated by commas. */
export interface Condition {
  readonly type: string;
  readonly key: string;
  readonly operator: string;
  readonly value: string;
}

/** The conditions of a rule, all of which or one of which has to hold. */
export interface FlatFilters {
  readonly type: "AND" | "OR";
  readonly conditions: readonly Condition[];
}

export const NEW_CONDITION: Condition = { type: "event", key: "$exception_types", operator: "icontains", value: "" };

/** What a new rule asks, until it is said. */
export const NEW_FILTERS = { type: "AND", values: [NEW_CONDITION] };

const takes = (operator: string): "none" | "one" | "several" => OPERATORS.find((each) => each.operator === operator)?.takes ?? "one";

export const takesValue = (operator: string): boolean => takes(operator) !== "none";

/** A condition without its property, as `contains “Timeout”`. */
export const conditionText = ({ operator, value }: Condition): string => {
  const words = OPERATORS.find((each) => each.operator === operator)?.words ?? operator;
  return takesValue(operator) ? `${words} “${value}”` : words;
};

type Fields = Readonly<Record<string, unknown>>;

/** Filters as conditions beside each other; undefined where there are groups within, or values that a line of text does not hold. */
export const readFilters = (filters: Fields): FlatFilters | undefined => {
  const { type, values } = filters;
  if ((type !== "AND" && type !== "OR") || !Array.isArray(values)) return undefined;
  const conditions = values.map(readCondition);
  return conditions.every((each) => each !== undefined) ? { type, conditions } : undefined;
};

const readCondition = (leaf: Fields): Condition | undefined => {
  const { type, key, operator, value = null } = leaf;
  if ("values" in leaf || typeof key !== "string" || typeof operator !== "string" || typeof type !== "string") return undefined;
  const values = value === null ? [] : Array.isArray(value) ? value : [value];
  const isText =
    values.length < 2 ? takes(operator) !== "several" || !String(values[0] ?? "").includes(",") : takes(operator) === "several";
  return isText ? { type, key, operator, value: values.join(", ") } : undefined;
};

/** The conditions as the API takes them. */
export const writeFilters = ({ type, conditions }: FlatFilters): RuleFilters => ({
  type,
  values: conditions.map(({ value, ...leaf }) => {
    switch (takes(leaf.operator)) {
      case "none":
        return leaf;
      case "several":
        return { ...leaf, value: value.split(",").flatMap((part) => part.trim() || []) };
      default:
        return { ...leaf, value };
    }
  }),
});

/** Filters as a body holds them: the description of the API says no more than that they are an object. */
export const sentFilters = (filters: RuleFilters): Record<string, never> => filters as unknown as Record<string, never>;
