/** A condition on a property, in the API's own terms. */
export interface Condition {
  readonly key: string;
  readonly type?: string | null;
  readonly operator?: string | null;
  readonly value?: unknown;
}

interface Operator {
  readonly value: (typeof NAMES)[number];
  readonly title: string;
  /** What its value is. */
  readonly takes: "text" | "number" | "nothing";
}

const NAMES = ["exact", "is_not", "icontains", "not_icontains", "regex", "gt", "gte", "lt", "lte", "is_set", "is_not_set"] as const;

/** The operators that a person chooses from; others that the API has are shown by their names. */
export const OPERATORS: readonly Operator[] = [
  { value: "exact", title: "is", takes: "text" },
  { value: "is_not", title: "is not", takes: "text" },
  { value: "icontains", title: "contains", takes: "text" },
  { value: "not_icontains", title: "does not contain", takes: "text" },
  { value: "regex", title: "matches", takes: "text" },
  { value: "gt", title: "is above", takes: "number" },
  { value: "gte", title: "is at least", takes: "number" },
  { value: "lt", title: "is below", takes: "number" },
  { value: "lte", title: "is at most", takes: "number" },
  { value: "is_set", title: "is set", takes: "nothing" },
  { value: "is_not_set", title: "is not set", takes: "nothing" },
];

/** A condition as people say it: “$browser is Chrome”. */
export const conditionWords = ({ key, type, operator, value }: Condition): string => {
  const known = OPERATORS.find((each) => each.value === (operator ?? "exact"));
  const values =
    known?.takes === "nothing" ? [] : [value].flat().map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each)));
  const owner = type && type !== "event" ? `${type} ` : "";
  return [`${owner}${key}`, known?.title ?? operator, values.join(" or ")].filter(Boolean).join(" ");
};
