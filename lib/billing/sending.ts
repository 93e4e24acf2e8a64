import { forEachConcurrent } from "../core/concurrency.ts";
import type { Ports } from "../ports/ports.ts";
import type { Budget } from "../ports/system.ts";
import { pages } from "../table/store.ts";
import { Alerts } from "./alerts/alert.ts";
import { sendAlert } from "./alerts/send-letter.ts";
import { deliver, spreadNotice } from "./notices/deliver.ts";
import { Deliveries } from "./notices/delivery.ts";
import { PendingNotices } from "./notices/notice.ts";

type Parts = Pick<Ports, "table" | "clock" | "mail" | "config">;

/** So many are found at once. */
const BATCH = 100;

/** So many are sent at once: a slow receiver holds up only a few others, and those not for long; a mail service takes a few letters a second. */
const LANES = { event: 25, delivery: 25, letter: 5 } as const;

/** Left for what is under way to end in, milliseconds: a receiver has five seconds, a letter as long. */
const RESERVE_MS = 15_000;

/** Something that was due and could not be done. */
export type OnFault = (what: keyof typeof LANES, fault: unknown) => void;

/**
 * Sends what is due, the longest due first: events to endpoints, and letters of alerts. What fails is told to `onFault`, holds up nothing
 * else and is due again by itself; a receiver that refuses is no fault. Ends when all was tried once, or too little time is left.
 */
export const sendDue = async (parts: Parts, budget: Budget, onFault: OnFault): Promise<void> => {
  const { table } = parts;
  const due = { to: parts.clock.now(), limit: BATCH };
  const mayBegin = (): boolean => budget.remainingMs() > RESERVE_MS;
  const each = async <T>(
    found: AsyncIterable<readonly T[]>,
    what: keyof typeof LANES,
    work: (parts: Parts, one: T) => Promise<void>,
  ): Promise<void> => {
    for await (const some of found) {
      await forEachConcurrent(some, LANES[what], (one) => work(parts, one).catch((fault: unknown) => onFault(what, fault)), mayBegin);
      if (!mayBegin()) return;
    }
  };
  await each(pages(table, PendingNotices, "due", {}, due), "event", spreadNotice);
  await Promise.all([
    each(pages(table, Alerts, "due", {}, due), "letter", sendAlert),
    each(pages(table, Deliveries, "due", {}, due), "delivery", deliver),
  ]);
};
