import { BudgetExhausted } from "../../core/budget.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { transact } from "../../table/transact.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { Issue } from "../issues.ts";
import { readLiveIssues } from "../live-issues.ts";
import { subject } from "../matching/subject.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { ProjectRules } from "../rules/project-rules.ts";
import { readCounts } from "../spikes/counts.ts";
import { toldIssue } from "./alert.ts";
import { noticeWrites, triggeredItem } from "./notice-writes.ts";
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
  const fulfilled = open.flatMap((occasion) => {
    const issue = occasion.issue ?? read.get(occasion.issueId);
    return issue !== undefined && isFulfilled(parts, occasion, issue, now) ? [{ ...occasion, issue }] : [];
  });
  for (const [rule, occasions] of Map.groupBy(fulfilled, (each) => each.rule)) await tellRule(parts, rule, occasions, now);
};

/** A rule that fails tells nothing, and holds up nobody. */
const isFulfilled = ({ log }: TrackingParts, { rule, matches, subject: asked }: Occasion, issue: Issue, now: number): boolean => {
  try {
    return matches(asked ?? subject({}, issue, now));
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) log.line("warn", "exceptions.alert_rule_failed", { project: rule.project, rule: rule.id });
    return false;
  }
};

type ReadOccasion = Occasion & { readonly issue: Issue };

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
