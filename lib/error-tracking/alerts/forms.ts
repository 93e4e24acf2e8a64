import { isoSeconds } from "../../core/time.ts";
import { type Letter, oneLine } from "../../ports/mail.ts";
import type { Project } from "../../projects/projects.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { Alert } from "./alert.ts";
import { alertText, reasonText } from "./text.ts";

/** An alert with its rule and all else that its forms are made of. */
export interface SentAlert {
  /** The same for all channels, and however often it is sent; null for a test. */
  readonly id: string | null;
  readonly at: number;
  readonly alert: Alert;
  readonly rule: AlertRule;
  readonly project: Project;
  /** Where the platform is; may be empty. */
  readonly baseUrl: string;
}

/** Characters of a letter's subject. */
const MOST_SUBJECT = 150;

/** The letter of an alert. */
export const alertLetter = ({ id, alert, rule, project, baseUrl }: SentAlert, to: string): Letter => {
  const { title, issue, facts, link } = alertText(alert, project, baseUrl);
  const subject = `${id === null ? "Test: " : ""}${oneLine(project.name)}: ${title}`;
  const paragraphs = [...(issue === "" ? [] : [issue]), facts.join(" "), link ?? "", reasonText(rule, project)];
  return { to: [to], subject: subject.slice(0, MOST_SUBJECT).toWellFormed(), text: paragraphs.filter(Boolean).join("\n\n") };
};

/** The event of an alert, as JSON. */
export const alertEvent = ({ id, at, alert, rule, project, baseUrl }: SentAlert): string => {
  const { trigger, issue, others, ...numbers } = alert;
  return JSON.stringify({
    id: id === null ? "evt_test" : `evt_${id.replaceAll("-", "")}`,
    type: id === null ? "error_tracking.test" : `error_tracking.${trigger}`,
    created_at: isoSeconds(at),
    organization_id: project.organization_id,
    data: {
      project: { id: project.id, name: project.name },
      rule: { id: rule.id, name: rule.name, trigger: rule.trigger },
      issue: { ...issue, url: alertText(alert, project, baseUrl).link },
      other_issues: others,
      ...numbers,
    },
  });
};

/** The same as Slack reads messages. `text` says all of it, for those that take Slack's messages and know no blocks. */
export const slackMessage = ({ id, alert, rule, project, baseUrl }: SentAlert): string => {
  const { title, issue, facts, link } = alertText(alert, project, baseUrl);
  const head = escaped(`${id === null ? "Test: " : ""}${title}`);
  const lines = [link === null ? `*${head}*` : `*<${link}|${head}>*`, escaped(issue), ...facts.map(escaped)];
  const text = lines.filter(Boolean).join("\n");
  return JSON.stringify({
    text,
    blocks: [
      { type: "section", text: { type: "mrkdwn", text, verbatim: true } },
      { type: "context", elements: [{ type: "mrkdwn", text: escaped(reasonText(rule, project)), verbatim: true }] },
    ],
  });
};

/** No link, no mention: what an exception says may come from anybody. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
