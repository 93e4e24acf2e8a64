import { billingAccess } from "../../auth/billing-access.ts";
import { readRecipients } from "../../auth/letter-recipients.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import { Organizations } from "../../organizations/organizations.ts";
import type { Ports } from "../../ports/ports.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { get, remove } from "../../table/store.ts";
import { nextVersion } from "../commands.ts";
import { type Alert, Alerts } from "./alert.ts";
import { alertLetter } from "./alert-letter.ts";

type Parts = Pick<Ports, "table" | "clock" | "mail" | "config">;

/** How long after a try the next one is made, unless it went well meanwhile: for a day altogether. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 6 * HOUR_MS, 10 * HOUR_MS];

/**
 * Sends the letter of an alert to everybody who may see the organization's billing. The next try is written down before this one is made: of
 * many who come at once one sends, and where that one is killed the next try follows, so a letter comes twice rather than never.
 * Throws where the mail service does not take it.
 */
export const sendAlert = async (parts: Parts, due: Alert): Promise<void> => {
  const { table, mail, clock, config } = parts;
  const { organization_id, period_start, product, threshold } = due;
  const alert = await get(table, Alerts, { organization_id, period_start, product, threshold }, { consistent: true });
  const now = clock.now();
  if (alert === undefined || alert.due_at === null || alert.due_at > now) return;
  const wait = WAITS_MS[alert.attempts];
  const tried: Alert = { ...alert, attempts: alert.attempts + 1 };
  if (wait === undefined) {
    await written(parts, { ...alert, letter: "failed", due_at: null });
    throw new Error("the letter of an alert was tried for a day, and is given up");
  }
  if (!(await written(parts, { ...tried, due_at: now + wait }))) return;
  const organization = await get(table, Organizations, { id: organization_id }, { consistent: true });
  // It was removed while this was on its way.
  if (organization?.state !== "active") return remove(table, Alerts, alert);
  const to = await readRecipients(table, organization, (membership) => billingAccess(organization, membership) !== "none");
  if (to.length > 0) await mail.send(alertLetter(alert, organization, to, config.baseUrl));
  await written(parts, { ...tried, version: tried.version + 1, letter: "sent", due_at: null });
};

/** False where somebody else has written it meanwhile. */
const written = async ({ table }: Parts, alert: Alert): Promise<boolean> => {
  try {
    await table.transact([nextVersion(Alerts, alert)]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};
