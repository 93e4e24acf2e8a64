import { ConditionFailed } from "../../ports/table.ts";
import { transact } from "../../table/transact.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { Issue } from "../issues.ts";
import { readLiveIssues } from "../live-issues.ts";
import { eventMatcher, type MatchOptions } from "../matching/event-matcher.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { ProjectRules } from "../rules/project-rules.ts";
import { readCounts } from "../spikes/counts.ts";
import { toldIssue } from "./alert.ts";
import { noticeWrites, triggeredItem, unaskedItem } from "./notice-writes.ts";
import { findOccasions, type Happenings, type Occasion } from "./occasions.ts";
import { onceWrites, untold } from "./once.ts";

/**
 * Writes down what a project's alert rules tell of a drain, for the schedule that sends it. Each thing is told once, however many drains
 * see it at once or again. Does nothing to the table where no rule is in force.
 */
export const tell = async (parts: TrackingParts, project: number, rules: ProjectRules, happenings: Happenings): Promise<void> => {
  const { alerts } = rules;
  if (alerts.length === 0) return;
  const now = parts.clock.now();
  const asksCounts = happenings.counts.size > 0 && alerts.some(({ stored }) => stored.trigger === "threshold");
  const counts = asksCounts ? await readCounts(parts, project) : [];
  const open = await untold(parts, findOccasions(alerts, happenings, counts, now));
  const unread = new Set(open.flatMap(({ issue, issueId }) => (issue === undefined ? issueId : [])));
  const read = await readLiveIssues(parts.table, project, unread);
  const asked = open.flatMap((occasion) => {
    const issue = occasion.issue ?? read.get(occasion.issueId);
    return issue === undefined ? [] : [{ ...occasion, issue }];
  });
  const budget = { steps: MOST_STEPS };
  for (const [rule, occasions] of Map.groupBy(asked, (each) => each.rule)) {
    const fulfilled = await fulfilledOccasions(parts, rule, occasions, { project, now, budget });
    if (fulfilled.length > 0) await tellRule(parts, rule, fulfilled, now);
  }
};

/** Steps that the alert rules of a project may take in a drain. */
const MOST_STEPS = 10_000_000;

const TOO_MUCH =
  "The filters take too much work for an exception, or together with those of other alert rules. Look for less, in shorter texts, or with less repetition in a regular expression.";

type ReadOccasion = Occasion & { readonly issue: Issue };

/** A rule that fails, or takes too much work, tells nothing, and holds up nobody. */
const fulfilledOccasions = async (
  { table, log }: TrackingParts,
  rule: AlertRule,
  occasions: readonly ReadOccasion[],
  options: MatchOptions,
): Promise<readonly ReadOccasion[]> => {
  const filters = occasions[0]?.filters ?? null;
  if (filters === null) return occasions;
  const events = occasions.map(({ issue, properties = {} }) => ({ properties: () => properties, issue }));
  const { verdicts } = await eventMatcher.match(filters, events, options);
  const failed = verdicts.find(({ failures, isOver }) => isOver || failures.length > 0);
  if (failed !== undefined) {
    log.line("warn", "exceptions.alert_rule_failed", { project: rule.project, rule: rule.id });
    await table.put(unaskedItem(rule, options.now, failed.failures[0]?.message ?? TOO_MUCH));
  }
  return occasions.filter((_, at) => verdicts[at]?.matched === 0);
};

/** New issues that one alert tells of, as far as a transaction has room for their markers. */
const MOST_TOGETHER = 80;

/** Alerts of one drain and rule: the last one says how many more there would be. */
const MOST_ONE_BY_ONE = 10;

const tellRule = async (parts: TrackingParts, rule: AlertRule, occasions: readonly ReadOccasion[], now: number): Promise<void> => {
  const groups =
    rule.trigger === "issue_created" ? [occasions.slice(0, MOST_TOGETHER)] : occasions.slice(0, MOST_ONE_BY_ONE).map((each) => [each]);
  const shown = groups.length;
  let isTold = false;
  for (const [at, [first, ...more]] of groups.entries()) {
    if (first === undefined) continue;
    const others = at === shown - 1 ? occasions.length - shown : 0;
    const alert = { trigger: rule.trigger, issue: toldIssue(first.issue), others, ...first.numbers };
    try {
      await transact(parts.table, [...onceWrites([first, ...more], now), ...noticeWrites(rule, alert, parts.ids.uuid(), now)]);
      isTold = true;
    } catch (error) {
      // Another drain told it, or the rule has told as much as it may.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  if (isTold) await parts.table.put(triggeredItem(rule, now));
};
