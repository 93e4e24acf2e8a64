import { hash } from "node:crypto";

/** Where an alert goes: to a member of the organization, or to an address, as events are or as Slack reads messages. */
export type AlertChannel =
  | { readonly type: "email"; readonly user_id: number }
  | { readonly type: "webhook" | "slack"; readonly url: string };

const CHARACTERS = 16;

/** What a channel of a rule is known by: one with another address is another channel. */
export const channelId = (channel: AlertChannel): string => {
  const to = channel.type === "email" ? channel.user_id : channel.url;
  return hash("sha256", JSON.stringify([channel.type, to])).slice(0, CHARACTERS);
};
