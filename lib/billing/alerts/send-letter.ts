import { billingAccess } from "../../auth/billing-access.ts";
import { readRecipients } from "../../auth/letter-recipients.ts";
import { waitAfter } from "../../notices/waits.ts";
import { Organizations } from "../../organizations/organizations.ts";
import type { Ports } from "../../ports/ports.ts";
import { get, remove } from "../../table/store.ts";
import { nextVersion, unlessOvertaken } from "../../table/versions.ts";
import { type Alert, Alerts } from "./alert.ts";
import { alertLetter } from "./alert-letter.ts";

type Parts = Pick<Ports, "table" | "clock" | "mail" | "config">;

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
  const wait = waitAfter(alert.attempts + 1);
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
const written = ({ table }: Parts, alert: Alert): Promise<boolean> => unlessOvertaken(() => table.transact([nextVersion(Alerts, alert)]));
