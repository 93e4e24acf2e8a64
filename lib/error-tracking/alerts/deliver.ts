import { waitAfter } from "../../notices/waits.ts";
import { Organizations } from "../../organizations/organizations.ts";
import { Projects } from "../../projects/projects.ts";
import { get, remove, update } from "../../table/store.ts";
import { unlessOvertaken } from "../../table/versions.ts";
import { type SendingParts, sendToChannel } from "../alert-channels.ts";
import { type AlertRule, AlertRules } from "../alert-rules.ts";
import type { Alert } from "./alert.ts";
import { channelId } from "./channel.ts";
import { type AlertNotice, AlertNotices } from "./notice.ts";

/**
 * Makes one try of an alert on its way to a channel. The next try is written down before this one is made, so that of many who come at
 * once one sends, and where that one is killed another follows: an alert comes twice rather than never. Throws where it is the
 * platform's own fault that it does not arrive.
 */
export const deliverAlert = async (parts: SendingParts, due: AlertNotice): Promise<void> => {
  const { table, clock, config } = parts;
  const notice = await get(table, AlertNotices, due, { consistent: true });
  const now = clock.now();
  if (notice === undefined || notice.due_at > now) return;
  const tries = notice.tries + 1;
  const wait = waitAfter(tries);
  const next = { tries, due_at: now + (wait ?? waitAfter(1) ?? 0), way: notice.way };
  const unchanged = { kind: "equals", attribute: "due_at", value: notice.due_at } as const;
  if (!(await unlessOvertaken(() => update(table, AlertNotices, notice, { set: next }, unchanged)))) return;
  const place = await readPlace(parts, notice);
  const channel = place?.rule.channels.find((each) => channelId(each) === notice.channel_id);
  // The rule was changed or switched off, or all of it removed, while this was on its way.
  if (place === undefined || channel === undefined) return remove(table, AlertNotices, notice);
  // Guarantee of the cast: it is the text of one.
  const alert = JSON.parse(notice.alert) as Alert;
  const told = { id: notice.alert_id, at: notice.created_at, alert, baseUrl: config.baseUrl || place.rule.platform_url, ...place };
  const { error, fault } = await sendToChannel(parts, channel, told);
  if (error === null || wait === undefined) await remove(table, AlertNotices, notice);
  if (fault !== undefined) throw fault;
};

/** The rule of an alert and its project; undefined where nobody is to be told any more. */
const readPlace = async ({ table }: SendingParts, { project: id, rule_id }: AlertNotice) => {
  const rule: AlertRule | undefined = await get(table, AlertRules, { project: id, id: rule_id }, { consistent: true });
  const project = rule?.enabled === true ? await get(table, Projects, { id }, { consistent: true }) : undefined;
  if (rule === undefined || project?.state !== "active") return undefined;
  const organization = await get(table, Organizations, { id: project.organization_id }, { consistent: true });
  return organization?.state === "active" ? { rule, project } : undefined;
};
