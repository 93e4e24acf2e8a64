import type { Trigger } from "../alert-rules.ts";
import type { Issue } from "../issues.ts";

/** What an alert says of its issue: nothing that its exceptions carry besides their type and message. */
export type AlertedIssue = Pick<Issue, "id" | "name" | "description" | "status" | "severity" | "first_seen">;

/** The numbers that an alert is about; null where its trigger has none. */
export interface AlertNumbers {
  readonly count: number | null;
  readonly minutes: number | null;
  readonly baseline: number | null;
}

/** What a rule raises, and its channels are sent. */
export interface Alert extends AlertNumbers {
  readonly trigger: Trigger;
  readonly issue: AlertedIssue;
  /** How many more issues it is true of at the same moment, without an alert of their own. */
  readonly others: number;
}

/** Characters of a name or a message in an alert. */
const MOST_CHARACTERS = 500;

export const alertedIssue = ({ id, name, description, status, severity, first_seen }: Issue): AlertedIssue => ({
  id,
  name: cut(name),
  description: cut(description),
  status,
  severity,
  first_seen,
});

const cut = (text: string | null): string | null =>
  text === null || text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`;
