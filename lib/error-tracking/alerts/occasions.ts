import type { Fields } from "../../event/fields.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { Issue } from "../issues.ts";
import type { IssueCounts } from "../spikes/buckets.ts";
import type { DeliveryCounts } from "../spikes/counts.ts";
import type { AlertNumbers } from "./alert.ts";
import type { Topic } from "./once.ts";
import type { AlertRuleInForce } from "./rule-in-force.ts";
import { countWithin } from "./threshold.ts";

/** An issue, and the properties of the exception by which something happened to it. */
export interface IssueEvent {
  readonly issue: Issue;
  readonly properties: Fields;
}

/** What the exceptions of one drain did to a project's issues; nothing of it comes from imports. */
export interface Happenings {
  /** Issues that were made, and opened again, by this drain, or so shortly before that it may be one that was broken off and came again. */
  readonly opened: readonly IssueEvent[];
  readonly reopened: readonly IssueEvent[];
  readonly spikes: readonly { readonly issue: Issue; readonly baseline: number; readonly current: number }[];
  readonly counts: DeliveryCounts;
}

/** Something that a rule might tell, if its filters are fulfilled. */
export interface Occasion extends Topic {
  readonly filters: AlertRuleInForce["filters"];
  /** Not read yet where all that is known is that its exceptions were counted. */
  readonly issue: Issue | undefined;
  /** The properties of the exception that the filters are asked of; none where it is about many. */
  readonly properties: Fields | undefined;
  readonly numbers: AlertNumbers;
}

type Happened = Pick<Occasion, "issueId" | "since" | "issue" | "properties" | "numbers">;

const NO_NUMBERS: AlertNumbers = { count: null, minutes: null, baseline: null };

/** What each of some rules might tell of a drain; `counts` begins with the current bucket. */
export const findOccasions = (
  rules: readonly AlertRuleInForce[],
  { opened, reopened, spikes, counts: drained }: Happenings,
  counts: readonly IssueCounts[],
  now: number,
): readonly Occasion[] => {
  const ofEvent = ({ issue, properties }: IssueEvent, at: string | undefined): Happened => ({
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
      ({ issue, baseline, current }): Happened => ({
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
    const happened = stored.trigger === "threshold" ? reached(stored, counted, counts, now) : found[stored.trigger];
    return happened.flatMap((each) => (isOlder(each, stored) ? [] : [{ ...each, rule: stored, filters }]));
  });
};

/** Whether what happened was before there was the rule. */
const isOlder = ({ since }: Happened, { created_at }: AlertRule): boolean => since !== null && since < Date.parse(created_at);

/** The issues of a drain whose exceptions have come to a rule's threshold. */
const reached = ({ threshold }: AlertRule, issues: Iterable<string>, counts: readonly IssueCounts[], now: number): readonly Happened[] => {
  if (threshold === null) return [];
  return [...issues].flatMap((issueId) => {
    const count = countWithin(counts, issueId, threshold.minutes, now);
    if (count < threshold.count) return [];
    return [
      { issueId, since: null, issue: undefined, properties: undefined, numbers: { count, minutes: threshold.minutes, baseline: null } },
    ];
  });
};
