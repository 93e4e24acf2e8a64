import type { Fields } from "../../event/fields.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { Issue } from "../issues.ts";
import type { IssueCounts } from "../spikes/buckets.ts";
import type { DeliveryCounts } from "../spikes/counts.ts";
import type { AlertNumbers } from "./alert.ts";
import type { AlertSubject } from "./cool-down.ts";
import type { AlertRuleInForce } from "./rule-in-force.ts";
import { countWithin } from "./threshold.ts";

/** An issue, and the properties of the exception by which something happened to it. */
export interface IssueEvent {
  readonly issue: Issue;
  readonly properties: Fields;
}

/** What the exceptions of one drain did to a project's issues; those of imports are left out. */
export interface DrainChanges {
  /** Issues that were created, and reopened, by this drain or shortly before: its messages may be delivered for the second time. */
  readonly opened: readonly IssueEvent[];
  readonly reopened: readonly IssueEvent[];
  readonly spikes: readonly { readonly issue: Issue; readonly baseline: number; readonly current: number }[];
  readonly counts: DeliveryCounts;
}

/** An alert that a rule raises if its filters match. */
export interface AlertCandidate extends AlertSubject {
  readonly filters: AlertRuleInForce["filters"];
  /** Undefined where it was not read yet, because only its exceptions were counted. */
  readonly issue: Issue | undefined;
  /** Of the exception that the filters are matched with; undefined where the alert is about many. */
  readonly properties: Fields | undefined;
  readonly numbers: AlertNumbers;
}

type CandidateFacts = Pick<AlertCandidate, "issueId" | "since" | "issue" | "properties" | "numbers">;

const NO_NUMBERS: AlertNumbers = { count: null, minutes: null, baseline: null };

/** The alerts that rules may raise for a drain; `counts` begins with the current bucket. */
export const findAlertCandidates = (
  rules: readonly AlertRuleInForce[],
  { opened, reopened, spikes, counts: drained }: DrainChanges,
  counts: readonly IssueCounts[],
  now: number,
): readonly AlertCandidate[] => {
  const ofEvent = ({ issue, properties }: IssueEvent, at: string | undefined): CandidateFacts => ({
    issueId: issue.id,
    since: at === undefined ? null : Date.parse(at),
    issue,
    properties,
    numbers: NO_NUMBERS,
  });
  const found = {
    issue_created: opened.map((event) => ofEvent(event, event.issue.opened_at)),
    issue_reopened: reopened.map((event) => ofEvent(event, event.issue.reopened_at)),
    issue_spiking: spikes.map(
      ({ issue, baseline, current }): CandidateFacts => ({
        issueId: issue.id,
        since: null,
        issue,
        properties: undefined,
        numbers: { count: current, minutes: null, baseline },
      }),
    ),
  };
  const counted = new Set([...drained.values()].flatMap((issues) => [...issues.keys()]));
  return rules.flatMap(({ stored, filters }) => {
    const facts = stored.trigger === "threshold" ? reached(stored, counted, counts, now) : found[stored.trigger];
    return facts.flatMap((each) => (isOlder(each, stored) ? [] : [{ ...each, rule: stored, filters }]));
  });
};

/** Whether it happened before the rule was made. */
const isOlder = ({ since }: CandidateFacts, { created_at }: AlertRule): boolean => since !== null && since < Date.parse(created_at);

/** The issues of a drain whose exceptions have come to a rule's threshold. */
const reached = (
  { threshold }: AlertRule,
  issues: Iterable<string>,
  counts: readonly IssueCounts[],
  now: number,
): readonly CandidateFacts[] => {
  if (threshold === null) return [];
  return [...issues].flatMap((issueId) => {
    const count = countWithin(counts, issueId, threshold.minutes, now);
    if (count < threshold.count) return [];
    return [
      { issueId, since: null, issue: undefined, properties: undefined, numbers: { count, minutes: threshold.minutes, baseline: null } },
    ];
  });
};
