import { type Due, LETTER_LANES, type OnFault, sendDue, WEBHOOK_LANES } from "../notices/send-due.ts";
import type { Ports } from "../ports/ports.ts";
import type { Budget } from "../ports/system.ts";
import { pages } from "../table/store.ts";
import { type Alert, Alerts } from "./alerts/alert.ts";
import { sendAlert } from "./alerts/send-letter.ts";
import { deliver, spreadNotice } from "./notices/deliver.ts";
import { Deliveries, type Delivery } from "./notices/delivery.ts";
import { type Notice, PendingNotices } from "./notices/notice.ts";

type Parts = Pick<Ports, "table" | "clock" | "mail" | "config">;

/** Sends what is due of billing: events to endpoints, and letters of alerts. */
export const sendBillingNotices = async (parts: Parts, budget: Budget, onFault: OnFault): Promise<void> => {
  const { table } = parts;
  const events = {
    what: "event",
    lanes: WEBHOOK_LANES,
    due: (by: Due) => pages(table, PendingNotices, "due", {}, by),
    send: (notice: Notice) => spreadNotice(parts, notice),
  };
  const letters = {
    what: "letter",
    lanes: LETTER_LANES,
    due: (by: Due) => pages(table, Alerts, "due", {}, by),
    send: (alert: Alert) => sendAlert(parts, alert),
  };
  const deliveries = {
    what: "delivery",
    lanes: WEBHOOK_LANES,
    due: (by: Due) => pages(table, Deliveries, "due", {}, by),
    send: (delivery: Delivery) => deliver(parts, delivery),
  };
  await sendDue(parts, budget, events, onFault);
  await Promise.all([sendDue(parts, budget, letters, onFault), sendDue(parts, budget, deliveries, onFault)]);
};
