import { BudgetExhausted } from "../core/budget.ts";
import { type Fields, isFields } from "../event/fields.ts";
import { compileFilters } from "./filters.ts";
import { MOST_NAME_BYTES } from "./linking/create.ts";
import { type MatchedIssue, STEPS, subject } from "./matching/subject.ts";
import { cutToBytes } from "./parsing/fields.ts";
import type { RuleKind } from "./rules.ts";
import { SEVERITIES } from "./severities.ts";

/** What rules of a kind would have been asked about a stored exception. */
interface Asked {
  readonly properties: Fields;
  readonly issue: MatchedIssue | null;
}

/** What came of a rule for one exception: `unasked` where no rule of the kind decides of it. */
export type Tried = "matched" | "passed" | "unasked";

/** Steps that a trial may take in all: as many as the rules of ten events may. */
const STEPS_OF_TRIAL = 10 * STEPS;

/**
 * A rule for exceptions that are stored, asked by the matcher of those that come, about what was known when the rule would have been
 * asked: how each fares, by its properties. Undefined once the trial has taken all the work that it may. Dates without an offset are
 * read in `timezone`, relative ones at `now` in milliseconds. Throws `FilterError`.
 */
export const ruleTrial = (kind: RuleKind, filters: Fields, timezone: string, now: number): ((stored: Fields) => Tried | undefined) => {
  const matches = compileFilters(filters, timezone);
  let left = STEPS_OF_TRIAL;
  return (stored) => {
    if (left <= 0) return undefined;
    const asked = ASKED[kind](stored);
    if (asked === null) return "unasked";
    const event = subject(asked.properties, asked.issue, now);
    try {
      return matches(event) ? "matched" : "passed";
    } catch (error) {
      // As when it comes: a rule that takes too long for an event is passed over.
      if (error instanceof BudgetExhausted) return "passed";
      throw error;
    } finally {
      left -= STEPS - event.budget.steps;
    }
  };
};

/** What is known when rules of each kind are asked; null where they are not. */
const ASKED: Readonly<Record<RuleKind, (stored: Fields) => Asked | null>> = {
  grouping(stored) {
    const { $exception_fingerprint_record: record, $exception_fingerprint_version, $exception_release, ...properties } = stored;
    // A fingerprint of the client's own comes before all rules.
    if (!Array.isArray(record) || record[0]?.type === "manual") return null;
    return { properties: { ...properties, $exception_fingerprint: null, $exception_issue_id: null }, issue: null };
  },
  assignment: (stored) => (Array.isArray(stored.$exception_fingerprint_record) ? { properties: stored, issue: newIssue(stored) } : null),
  severity(stored) {
    const own = SEVERITIES.find((severity) => severity === stored.$issue_severity);
    if (own !== undefined || !Array.isArray(stored.$exception_fingerprint_record)) return null;
    return { properties: stored, issue: newIssue(stored) };
  },
};

/** The issue that a stored exception would make as the first of its fingerprint. */
const newIssue = ({ $issue_name, $issue_description, $exception_list }: Fields): MatchedIssue => {
  const first: unknown = Array.isArray($exception_list) ? $exception_list[0] : undefined;
  const { type, value } = isFields(first) ? first : {};
  const text = (own: unknown, otherwise: unknown): string => cutToBytes(String(own ?? otherwise ?? ""), MOST_NAME_BYTES);
  return { name: text($issue_name, type), description: text($issue_description, value), status: "active" };
};
