import type { Budget } from "../core/budget.ts";
import { Busy } from "../core/concurrency.ts";
import { type Fields, isFields } from "../event/fields.ts";
import { MOST_NAME_BYTES } from "./linking/create.ts";
import { eventMatcher, type RuleSubject } from "./matching/event-matcher.ts";
import { ruleList } from "./matching/rule-list.ts";
import { type MatchedIssue, STEPS } from "./matching/subject.ts";
import { cutToBytes } from "./parsing/fields.ts";
import type { RuleKind } from "./rules.ts";
import { SEVERITIES } from "./severities.ts";

/** What came of a rule for one exception: `unasked` where no rule of the kind decides of it. */
export type Tried = "matched" | "passed" | "unasked";

/** Steps that the trials of a project may take that are made at once: as many as the rules of two exceptions may. */
const STEPS_OF_TRIALS = 2 * STEPS;

/** A rule that is tried: its filters, which can be compiled, for a project whose dates without an offset are read in `timezone`. */
export interface TriedRule {
  readonly project: number;
  readonly kind: RuleKind;
  readonly filters: Fields;
  readonly timezone: string;
}

/**
 * A rule for exceptions that are stored, by their properties, asked by the matcher of those that come, about what was known when the rule
 * would have been asked, at `now` in milliseconds: how each fares, up to those that all the work that it may take was enough for. Throws
 * `Busy` where other trials of the project leave nothing of that.
 */
export const tryStored = async (
  { project, kind, filters, timezone }: TriedRule,
  exceptions: readonly Fields[],
  now: number,
): Promise<readonly Tried[]> => {
  const list = ruleList([JSON.stringify(filters)], timezone);
  const asked = exceptions.map(ASKED[kind]);
  const events = asked.filter((each) => each !== null);
  const { verdicts, count } = await withinBudget(project, (budget) => {
    if (budget.steps <= 0) throw new Busy("the project's other trials are still at work");
    return eventMatcher.match(list, events, { project, now, budget });
  });
  const tried: Tried[] = [];
  let at = 0;
  for (const each of asked) {
    if (each === null) tried.push("unasked");
    else if (at === count) break;
    // As when it comes: a rule that takes too long for an event is passed over.
    else tried.push(verdicts[at++]?.matched === 0 ? "matched" : "passed");
  }
  return tried;
};

/** What is left for the trials of a project that are made now. */
interface SharedBudget {
  readonly budget: Budget;
  trials: number;
}

const budgets = new Map<number, SharedBudget>();

const withinBudget = async <T>(project: number, ask: (budget: Budget) => Promise<T>): Promise<T> => {
  const shared = budgets.get(project) ?? { budget: { steps: STEPS_OF_TRIALS }, trials: 0 };
  budgets.set(project, shared);
  shared.trials += 1;
  try {
    return await ask(shared.budget);
  } finally {
    shared.trials -= 1;
    if (shared.trials === 0) budgets.delete(project);
  }
};

/** What is known when rules of each kind are asked about a stored exception; null where they are not. */
const ASKED: Readonly<Record<RuleKind, (stored: Fields) => RuleSubject | null>> = {
  grouping(stored) {
    const { $exception_fingerprint_record: record, $exception_fingerprint_version, $exception_release, ...properties } = stored;
    // A fingerprint of the client's own comes before all rules.
    if (!Array.isArray(record) || record[0]?.type === "manual") return null;
    return { properties: () => ({ ...properties, $exception_fingerprint: null, $exception_issue_id: null }), issue: null };
  },
  assignment: (stored) => (Array.isArray(stored.$exception_fingerprint_record) ? asStored(stored) : null),
  severity(stored) {
    const own = SEVERITIES.find((severity) => severity === stored.$issue_severity);
    return own !== undefined || !Array.isArray(stored.$exception_fingerprint_record) ? null : asStored(stored);
  },
};

const asStored = (stored: Fields): RuleSubject => ({ properties: () => stored, issue: newIssue(stored) });

/** The issue that a stored exception would make as the first of its fingerprint. */
const newIssue = ({ $issue_name, $issue_description, $exception_list }: Fields): MatchedIssue => {
  const first: unknown = Array.isArray($exception_list) ? $exception_list[0] : undefined;
  const { type, value } = isFields(first) ? first : {};
  const text = (own: unknown, otherwise: unknown): string => cutToBytes(String(own ?? otherwise ?? ""), MOST_NAME_BYTES);
  return { name: text($issue_name, type), description: text($issue_description, value), status: "active" };
};
