import { oneLine } from "../../ports/mail.ts";
import type { Project } from "../../projects/projects.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { Alert } from "./alert.ts";

/** What an alert says in every form that it is sent in. */
export interface AlertText {
  /** What happened, in one line. */
  readonly title: string;
  /** The type and message of the issue, in one line; empty for an issue without either. */
  readonly issue: string;
  /** What else there is to say of it; each is a sentence. */
  readonly facts: readonly string[];
  /** The issue's page; null where the deployment does not know its own address. */
  readonly link: string | null;
}

/** The text of an alert. `baseUrl` may be empty. */
export const alertText = (alert: Alert, project: Project, baseUrl: string): AlertText => {
  const { name, description } = alert.issue;
  const message = oneLine(description ?? "");
  return {
    title: oneLine(`${HEADS[alert.trigger](alert)}: ${name || "an issue without a name"}`),
    issue: oneLine([name, message].filter(Boolean).join(": ")),
    facts: [...facts(alert), ...others(alert)],
    link: baseUrl === "" ? null : `${baseUrl}/project/${project.id}/errors/${alert.issue.id}`,
  };
};

const HEADS: Readonly<Record<Alert["trigger"], (alert: Alert) => string>> = {
  issue_created: () => "New issue",
  issue_reopened: () => "Issue is back",
  issue_spiking: () => "Issue spikes",
  threshold: ({ count, minutes }) => `${count} exceptions in ${minutes} minutes`,
};

const facts = ({ trigger, count, baseline, issue }: Alert): readonly string[] => {
  switch (trigger) {
    case "issue_created":
      return [];
    case "issue_reopened":
      return ["It had been closed, and is active again with a new exception."];
    case "issue_spiking":
      return [`It has ${count} exceptions in five minutes, where there were ${Math.round((baseline ?? 0) * 10) / 10} before.`];
    case "threshold":
      return [`It was first seen on ${issue.first_seen.slice(0, "2026-07-09T00:00".length).replace("T", " ")} UTC.`];
  }
};

const others = ({ others: more }: Alert): readonly string[] =>
  more === 0 ? [] : [`The same is true of ${more} other ${more === 1 ? "issue" : "issues"} at this moment.`];

/** Why somebody is told, in one sentence. */
export const reasonText = (rule: AlertRule, project: Project): string =>
  `The alert rule "${oneLine(rule.name)}" of the project ${oneLine(project.name)} tells you this. It is silent about it for ${rule.cooldown_minutes} minutes.`;
