import { projectRecipient } from "../auth/project-recipient.ts";
import { urlProblem } from "../notices/allowed-url.ts";
import { SIGNATURE_HEADER, signature } from "../notices/signature.ts";
import { sendWebhook } from "../notices/webhook.ts";
import type { Ports } from "../ports/ports.ts";
import type { Project } from "../projects/projects.ts";
import { put, remove } from "../table/store.ts";
import { AlertStates } from "./alert-states.ts";
import { type AlertChannel, channelId } from "./alerts/channel.ts";
import { alertEvent, alertLetter, type SentAlert, slackMessage } from "./alerts/forms.ts";

export type SendingParts = Pick<Ports, "table" | "clock" | "mail" | "config">;

const NO_LETTERS = "This platform sends no letters: ask its operator to give it a sender with the setting mailFrom.";
const NO_RECIPIENT = "No member who may see the project has this id.";
const NO_MAIL = "The mail service did not take the letter.";

/** Why nothing can be sent to a channel as things stand, in a sentence to whoever made it; undefined where something can. */
export const channelProblem = async (
  { table, config }: Pick<Ports, "table" | "config">,
  project: Project,
  channel: AlertChannel,
): Promise<string | undefined> => {
  if (channel.type !== "email") return urlProblem(channel.url, config.webhookHosts);
  if (config.mailFrom === "") return NO_LETTERS;
  return (await projectRecipient(table, project, channel.user_id)) === undefined ? NO_RECIPIENT : undefined;
};

/** How an alert fared: `error` is for the rule's owner, null where it arrived; `fault` what the operator has to see, if there is anything. */
export interface Sent {
  readonly error: string | null;
  readonly fault?: unknown;
}

/** Makes one try to send an alert to a channel of its rule, and keeps with the rule how that went. */
export const sendToChannel = async (parts: SendingParts, channel: AlertChannel, told: SentAlert): Promise<Sent> => {
  const { table, clock } = parts;
  const sent = await send(parts, channel, told);
  const state = { project: told.project.id, rule_id: told.rule.id, part: channelId(channel), at: clock.now(), error: sent.error };
  if (sent.error === null) await remove(table, AlertStates, state);
  else await put(table, AlertStates, state);
  return sent;
};

const send = async (parts: SendingParts, channel: AlertChannel, told: SentAlert): Promise<Sent> => {
  if (channel.type === "email") return sendLetter(parts, channel.user_id, told);
  const isSlack = channel.type === "slack";
  const body = isSlack ? slackMessage(told) : alertEvent(told);
  const signed = isSlack ? {} : { [SIGNATURE_HEADER]: signature(body, told.rule.secret, parts.clock.now()) };
  const { error } = await sendWebhook(parts, channel.url, body, { "user-agent": "error-tracking-alerts", ...signed });
  return { error };
};

const sendLetter = async ({ table, mail, config }: SendingParts, user_id: number, told: SentAlert): Promise<Sent> => {
  if (config.mailFrom === "") return { error: NO_LETTERS };
  const to = await projectRecipient(table, told.project, user_id);
  if (to === undefined) return { error: NO_RECIPIENT };
  try {
    await mail.send(alertLetter(told, to));
    return { error: null };
  } catch (fault) {
    return { error: NO_MAIL, fault };
  }
};
