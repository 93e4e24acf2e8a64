import type { Item, Write } from "../../ports/table.ts";
import { plainItem } from "../../table/entity.ts";
import { TTL_ATTRIBUTE } from "../../table/layout.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { AlertState } from "../alert-states.ts";
import { ALERT_NOTICE_LAYOUT, ALERT_STATE_LAYOUT, FILTERS_PART, RULE_PART } from "../stored/layouts.ts";
import type { Alert } from "./alert.ts";
import { channelId } from "./channel.ts";
import { NOTICE_KEPT_MS, STATE_KEPT_MS } from "./kept.ts";
import type { AlertNotice } from "./notice.ts";

/** The writes that have an alert sent to all channels of its rule. */
export const noticeWrites = (rule: AlertRule, alert: Alert, alert_id: string, now: number): readonly Write[] =>
  rule.channels.map((channel) => {
    const notice: AlertNotice = {
      project: rule.project,
      alert_id,
      channel_id: channelId(channel),
      rule_id: rule.id,
      way: channel.type === "email" ? "letter" : "webhook",
      alert: JSON.stringify(alert),
      created_at: now,
      tries: 0,
      due_at: now,
    };
    return { kind: "put", item: { ...plainItem(ALERT_NOTICE_LAYOUT, notice), ...until(now + NOTICE_KEPT_MS) } };
  });

/** The item that says when a rule last raised an alert. */
export const triggeredItem = (rule: AlertRule, at: number): Item => stateItem(rule, RULE_PART, at, null);

/** The item that says why the filters of a rule could not be matched. */
export const failedFiltersItem = (rule: AlertRule, at: number, error: string): Item => stateItem(rule, FILTERS_PART, at, error);

const stateItem = ({ project, id }: AlertRule, part: string, at: number, error: string | null): Item => {
  const state: AlertState = { project, rule_id: id, part, at, error };
  return { ...plainItem(ALERT_STATE_LAYOUT, state), ...until(at + STATE_KEPT_MS) };
};

const until = (ms: number) => ({ [TTL_ATTRIBUTE]: Math.ceil(ms / 1_000) });
