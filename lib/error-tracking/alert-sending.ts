import { isoMicros } from "../core/time.ts";
import { type Due, LETTER_LANES, type OnFault, sendDue, WEBHOOK_LANES } from "../notices/send-due.ts";
import type { Budget } from "../ports/system.ts";
import type { Project } from "../projects/projects.ts";
import { pages } from "../table/store.ts";
import { type SendingParts, sendToChannel } from "./alert-channels.ts";
import type { AlertRule } from "./alert-rules.ts";
import type { Alert } from "./alerts/alert.ts";
import { deliverAlert } from "./alerts/deliver.ts";
import { type AlertNotice, AlertNotices } from "./alerts/notice.ts";

/** Sends the alerts that are due, of all projects. */
export const sendAlerts = async (parts: SendingParts, budget: Budget, onFault: OnFault): Promise<void> => {
  const sending = (way: AlertNotice["way"], lanes: number) => ({
    what: `alert ${way}`,
    lanes,
    due: (by: Due) => pages(parts.table, AlertNotices, "due", { way }, by),
    send: (notice: AlertNotice) => deliverAlert(parts, notice),
  });
  await Promise.all([
    sendDue(parts, budget, sending("letter", LETTER_LANES), onFault),
    sendDue(parts, budget, sending("webhook", WEBHOOK_LANES), onFault),
  ]);
};

const NO_ISSUE = "00000000-0000-0000-0000-000000000000";

/**
 * Sends a made-up alert to all channels of a rule at once, which takes no longer than a receiver may. Gives what went wrong with each, in
 * the order of the channels; null for those that it arrived at.
 */
export const sendTestAlert = async (parts: SendingParts, project: Project, rule: AlertRule): Promise<readonly (string | null)[]> => {
  const at = parts.clock.now();
  const { count, minutes } = rule.threshold ?? { count: null, minutes: null };
  const alert: Alert = {
    trigger: rule.trigger,
    issue: {
      id: NO_ISSUE,
      name: "TestError",
      description: "This is how an alert looks. Nothing happened.",
      status: "active",
      severity: null,
      first_seen: isoMicros(at),
    },
    others: 0,
    count: rule.trigger === "issue_spiking" ? 500 : count,
    minutes,
    baseline: rule.trigger === "issue_spiking" ? 10 : null,
  };
  // No link: there is no such issue to go to.
  const told = { id: null, at, alert, rule, project, baseUrl: "" };
  const sent = await Promise.all(rule.channels.map((channel) => sendToChannel(parts, channel, told)));
  return sent.map(({ error }) => error);
};
