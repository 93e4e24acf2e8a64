import type { Budget } from "../../core/budget.ts";
import type { Fields } from "../../event/fields.ts";
import { propertyText } from "../../event/hot-properties.ts";

/** The part of an issue that a rule may ask about. */
export interface MatchedIssue {
  readonly name: string | null;
  readonly description: string | null;
  readonly status: string;
}

/** An event that rules are asked about, and how much work they may be. */
export interface Subject {
  readonly now: number;
  readonly budget: Budget;
  /** Whether there is an issue to be asked about. */
  readonly hasIssue: boolean;
  /** The texts of a property: one, or one for each element of a list of exceptions' parts; null where it is missing. */
  texts(type: string, key: string): readonly string[] | null;
  /** The same with an empty text, which otherwise is as good as missing: queries order it before all others. */
  written(type: string, key: string): readonly string[] | null;
  /** The same in lower case. */
  folded(type: string, key: string): readonly string[] | null;
}

/** Properties that gather parts of all exceptions of a chain: each element counts by itself. */
const GATHERED: ReadonlySet<string> = new Set(["$exception_types", "$exception_values", "$exception_sources", "$exception_functions"]);

/** Steps that the rules of one event may take together. */
export const STEPS = 20_000_000;

/** The texts of a property are worked out once: two hundred rules ask for the same few. */
export const subject = (properties: Fields, issue: MatchedIssue | null, now: number): Subject => {
  const written = remembered((type, key) => propertyTexts(properties, issue, type, key));
  const texts = (type: string, key: string): readonly string[] | null => {
    const found = written(type, key);
    return found === NOTHING_WRITTEN ? null : found;
  };
  return {
    now,
    budget: { steps: STEPS },
    hasIssue: issue !== null,
    texts,
    written,
    folded: remembered((type, key) => texts(type, key)?.map((text) => text.toLowerCase()) ?? null),
  };
};

const remembered = (find: Subject["texts"]): Subject["texts"] => {
  const known = new Map<string, readonly string[] | null>();
  return (type, key) => {
    const name = `${type}:${key}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = find(type, key);
    known.set(name, found);
    return found;
  };
};

const propertyTexts = (properties: Fields, issue: MatchedIssue | null, type: string, key: string): readonly string[] | null => {
  if (type === "error_tracking_issue") return one(issueValue(issue, key));
  if (type !== "event") return null;
  const value = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (Array.isArray(value) && GATHERED.has(key)) return value.map((element: unknown) => propertyText(element) ?? "");
  return value === "" ? NOTHING_WRITTEN : one(propertyText(value));
};

const NOTHING_WRITTEN: readonly string[] = [""];

const one = (text: string | null): readonly string[] | null => (text === null ? null : [text]);

const issueValue = (issue: MatchedIssue | null, key: string): string | null => {
  switch (key) {
    case "name":
      return issue?.name ?? null;
    case "description":
    case "issue_description":
      return issue?.description ?? null;
    case "status":
      return issue?.status ?? null;
    default:
      return null;
  }
};
