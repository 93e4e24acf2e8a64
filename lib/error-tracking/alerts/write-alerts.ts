import { forEachConcurrent } from "../../core/concurrency.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { transact } from "../../table/transact.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { Issue } from "../issues.ts";
import { readLiveIssues } from "../live-issues.ts";
import { eventMatcher, type MatchOptions } from "../matching/event-matcher.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { ProjectRules } from "../rules/project-rules.ts";
import { readCounts } from "../spikes/counts.ts";
import { alertedIssue } from "./alert.ts";
import { type AlertCandidate, type DrainChanges, findAlertCandidates } from "./alert-candidates.ts";
import { coolDownWrites, outsideCoolDown } from "./cool-down.ts";
import { failedFiltersItem, noticeWrites, triggeredItem } from "./notice-writes.ts";

/**
 * Writes the alerts that a project's rules raise for a drain; a schedule sends them. Each is written once, however many drains find the same.
 * Does not touch the table where no rule is in force.
 */
export const writeAlerts = async (parts: TrackingParts, project: number, rules: ProjectRules, changes: DrainChanges): Promise<void> => {
  const { alerts } = rules;
  if (alerts.length === 0) return;
  const now = parts.clock.now();
  const asksCounts = changes.counts.size > 0 && alerts.some(({ stored }) => stored.trigger === "threshold");
  const counts = asksCounts ? await readCounts(parts, project) : [];
  const open = await outsideCoolDown(parts, findAlertCandidates(alerts, changes, counts, now));
  const unread = new Set(open.flatMap(({ issue, issueId }) => (issue === undefined ? issueId : [])));
  const read = await readLiveIssues(parts.table, project, unread);
  const withIssues = open.flatMap((candidate) => {
    const issue = candidate.issue ?? read.get(candidate.issueId);
    return issue === undefined ? [] : [{ ...candidate, issue }];
  });
  const budget = { steps: MOST_STEPS };
  const matching = new Map<AlertRule, readonly CandidateWithIssue[]>();
  for (const [rule, candidates] of Map.groupBy(withIssues, (each) => each.rule)) {
    const some = await matchingCandidates(parts, rule, candidates, { project, now, budget });
    if (some.length > 0) matching.set(rule, some);
  }
  await forEachConcurrent(matching, LANES, ([rule, candidates]) => writeAlertsOfRule(parts, rule, candidates, now));
};

/** Rules whose alerts are written side by side: what was ingested with them waits for all. Alerts of one rule are counted together, and would meet. */
const LANES = 16;

/** Steps that the alert rules of a project may take in a drain. */
const MOST_STEPS = 10_000_000;

const TOO_MUCH =
  "The filters take too much work for an exception, or together with those of other alert rules. Look for less, in shorter texts, or with less repetition in a regular expression.";

type CandidateWithIssue = AlertCandidate & { readonly issue: Issue };

/** The candidates that pass a rule's filters. None where the filters fail or take too much work, which stands in the rule's state then. */
const matchingCandidates = async (
  { table, log }: TrackingParts,
  rule: AlertRule,
  candidates: readonly CandidateWithIssue[],
  options: MatchOptions,
): Promise<readonly CandidateWithIssue[]> => {
  const filters = candidates[0]?.filters ?? null;
  if (filters === null) return candidates;
  const events = candidates.map(({ issue, properties = {} }) => ({ properties: () => properties, issue }));
  const { verdicts } = await eventMatcher.match(filters, events, options);
  const failed = verdicts.find(({ failures, isOver }) => isOver || failures.length > 0);
  if (failed !== undefined) {
    log.line("warn", "exceptions.alert_rule_failed", { project: rule.project, rule: rule.id });
    await table.put(failedFiltersItem(rule, options.now, failed.failures[0]?.message ?? TOO_MUCH));
  }
  return candidates.filter((_, at) => verdicts[at]?.matched === 0);
};

/** New issues in one alert: a transaction has room for the markers of so many. */
const MOST_TOGETHER = 80;

/** Alerts of one drain and rule; the last one says how many more there would be. */
const MOST_ONE_BY_ONE = 10;

const writeAlertsOfRule = async (
  parts: TrackingParts,
  rule: AlertRule,
  candidates: readonly CandidateWithIssue[],
  now: number,
): Promise<void> => {
  const groups =
    rule.trigger === "issue_created" ? [candidates.slice(0, MOST_TOGETHER)] : candidates.slice(0, MOST_ONE_BY_ONE).map((each) => [each]);
  const shown = groups.length;
  let isWritten = false;
  for (const [at, [first, ...more]] of groups.entries()) {
    if (first === undefined) continue;
    const others = at === shown - 1 ? candidates.length - shown : 0;
    const alert = { trigger: rule.trigger, issue: alertedIssue(first.issue), others, ...first.numbers };
    try {
      await transact(parts.table, [...coolDownWrites([first, ...more], now), ...noticeWrites(rule, alert, parts.ids.uuid(), now)]);
      isWritten = true;
    } catch (error) {
      // Another drain has written it, or the rule has its limit of alerts an hour.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  if (isWritten) await parts.table.put(triggeredItem(rule, now));
};
