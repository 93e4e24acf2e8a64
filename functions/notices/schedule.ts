import type { World } from "../../lib/app/world.ts";
import { sendBillingNotices } from "../../lib/billing/sending.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { sendAlerts } from "../../lib/error-tracking/alert-sending.ts";
import { faultFields } from "../../lib/http/request-log.ts";
import { schedule } from "../../lib/lambda/schedule.ts";
import type { OnFault } from "../../lib/notices/send-due.ts";
import type { Budget } from "../../lib/ports/system.ts";

/**
 * Sends letters, events of billing and alerts of error tracking to where customers want them. A function of its own: a receiver that is slow holds
 * up no other work, and what calls addresses that customers give may write nothing but what it has sent.
 */
export const notices = schedule({
  name: "notices",
  every: "1 minute",
  uses: {
    table: {
      read: ["alerts", "notices", "issueAlerts", "webhooks", "errorTracking", "organization", "project", "users"],
      lists: ["billing-alerts", "billing-notices", "billing-deliveries", "issue-alerts#{way}"],
      write: ["alerts", "notices", "issueAlerts"],
      removes: true,
    },
    mail: true,
  },
  settings: ["webhooks"],
  memoryMb: 256,
  timeoutSeconds: 60,
  run: (world: World, budget: Budget): Promise<void> => sendNotices(world, budget),
});

/** One that fails holds up nobody: its line is in the log, and it is tried again later; this run fails then. */
export const sendNotices = async (world: Pick<World, "table" | "clock" | "mail" | "config" | "log">, budget: Budget): Promise<void> => {
  let failed = 0;
  const onFault: OnFault = (what, fault) => {
    failed += 1;
    world.log.line("error", "notice_not_sent", { what, ...faultFields(fault) });
  };
  await Promise.all([sendBillingNotices(world, budget, onFault), sendAlerts(world, budget, onFault)]);
  if (failed > 0) throw new Defect(`${failed} letters or events that were due could not be sent`);
};
