import { numberText } from "../../../parts/number/number.tsx";
import type { Assignees } from "../assignees.ts";
import type { AlertRule, Channel, Trigger } from "./alert-calls.ts";

/** What an alert waits for. */
export const TRIGGERS: readonly { readonly value: Trigger; readonly title: string }[] = [
  { value: "issue_created", title: "a new issue" },
  { value: "issue_reopened", title: "an issue that comes back" },
  { value: "issue_spiking", title: "an issue that spikes" },
  { value: "threshold", title: "many exceptions" },
];

export const CHANNELS: readonly { readonly value: Channel["type"]; readonly title: string }[] = [
  { value: "email", title: "letter" },
  { value: "webhook", title: "webhook" },
  { value: "slack", title: "Slack" },
];

/** When an alert is told, as `a new issue, at most every 30 minutes`. */
export const triggerText = ({ trigger, threshold, cooldown_minutes }: AlertRule): string => {
  const what =
    trigger === "threshold" && threshold
      ? `at least ${numberText(threshold.count)} exceptions of an issue in ${minutesText(threshold.minutes)}`
      : TRIGGERS.find(({ value }) => value === trigger)?.title;
  return `${what}, at most every ${minutesText(cooldown_minutes)}`;
};

const minutesText = (minutes: number): string => (minutes === 1 ? "minute" : `${numberText(minutes)} minutes`);

/** Where an alert goes, as `letter to Ana`. */
export const channelText = (channel: Channel, assignees: Assignees): string => {
  const kind = CHANNELS.find(({ value }) => value === channel.type)?.title ?? channel.type;
  return channel.type === "email"
    ? `${kind} to ${assignees.nameOf({ type: "user", id: channel.user_id })}`
    : `${kind} at ${URL.parse(channel.url)?.host ?? channel.url}`;
};
