import type { Budget } from "../../core/budget.ts";
import type { Fields } from "../../event/fields.ts";
import { propertyText } from "../../event/hot-properties.ts";

/** The part of an issue that a rule may ask about. */
export interface MatchedIssue {
  readonly name: string | null;
  readonly description: string | null;
  readonly status: string;
}

/** The texts of a property: one, or one for each element of a list of exceptions' parts; null where it is missing. */
export type Texts = readonly string[] | null;

/** Where the texts of an event's properties, or of its issue's fields, are found. */
export type FindTexts = (type: string, key: string) => Texts;

/** An event that rules are asked about, and how much work they may be. */
export interface Subject {
  readonly now: number;
  readonly budget: Budget;
  texts(type: string, key: string): Texts;
  /** The same in lower case. */
  folded(type: string, key: string): Texts;
}

/** Properties that gather parts of all exceptions of a chain: each element counts by itself. */
const GATHERED: ReadonlySet<string> = new Set(["$exception_types", "$exception_values", "$exception_sources", "$exception_functions"]);

/** Steps that the rules of one event may take together: a twentieth of a second. */
export const STEPS = 5_000_000;

/** An event, and its issue where there is one; `now` in milliseconds. */
export const subject = (properties: Fields, issue: MatchedIssue | null, now: number, budget: Budget = { steps: STEPS }): Subject =>
  foundSubject(findTexts(properties, issue), now, budget);

/** An event by the texts of its properties, which are looked for once each: two hundred rules ask for the same few. */
export const foundSubject = (find: FindTexts, now: number, budget: Budget): Subject => {
  const texts = remembered(find);
  return {
    now,
    budget,
    texts,
    folded: remembered((type, key) => texts(type, key)?.map((text) => text.toLowerCase()) ?? null),
  };
};

const remembered = <T>(find: (type: string, key: string) => T): ((type: string, key: string) => T) => {
  const known = new Map<string, T>();
  return (type, key) => {
    const name = `${type}:${key}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = find(type, key);
    known.set(name, found);
    return found;
  };
};

/** The texts of an event's properties and of its issue's fields. Of persons and all else an exception knows nothing: that is missing. */
export const findTexts =
  (properties: Fields, issue: MatchedIssue | null): FindTexts =>
  (type, key) => {
    if (type === "error_tracking_issue") return one(issueValue(issue, key));
    if (type !== "event") return null;
    const value = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (Array.isArray(value) && GATHERED.has(key)) return value.map((element: unknown) => propertyText(element) ?? "");
    return one(value === "" ? "" : propertyText(value));
  };

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
