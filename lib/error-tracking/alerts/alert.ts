import type { Trigger } from "../alert-rules.ts";
import type { Issue } from "../issues.ts";

/** As much of an issue as is told: nothing that its exceptions carry besides their type and message. */
export type ToldIssue = Pick<Issue, "id" | "name" | "description" | "status" | "severity" | "first_seen">;

/** The numbers that an alert is about; null where its trigger has none. */
export interface AlertNumbers {
  readonly count: number | null;
  readonly minutes: number | null;
  readonly baseline: number | null;
}

/** Something that a rule tells. */
export interface Alert extends AlertNumbers {
  readonly trigger: Trigger;
  readonly issue: ToldIssue;
  /** Issues of which the same is true at the same moment, and which are not told one by one. */
  readonly others: number;
}

/** Characters of a name or a message that are told. */
const MOST_CHARACTERS = 500;

/** What is told of an issue. */
export const toldIssue = ({ id, name, description, status, severity, first_seen }: Issue): ToldIssue => ({
  id,
  name: cut(name),
  description: cut(description),
  status,
  severity,
  first_seen,
});

const cut = (text: string | null): string | null =>
  text === null || text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`;
