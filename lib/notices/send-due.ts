import { forEachConcurrent } from "../core/concurrency.ts";
import type { Ports } from "../ports/ports.ts";
import type { Budget } from "../ports/system.ts";

/** Things of one kind that are sent when they are due. */
export interface Sending<T> {
  /** What one of them is, for the log. */
  readonly what: string;
  /** So many are sent at once: a slow receiver holds up only a few others, and those not for long. */
  readonly lanes: number;
  /** Those that are due, the longest due first. */
  due(by: Due): AsyncIterable<readonly T[]>;
  /** Sends one. Where that fails it is due again by itself. */
  send(one: T): Promise<void>;
}

/** Due by the moment `to`, `limit` in a page. */
export interface Due {
  readonly to: number;
  readonly limit: number;
}

/** Something that was due and could not be done. */
export type OnFault = (what: string, fault: unknown) => void;

/** So many webhooks, and so many letters, are sent at once: a mail service takes a few letters a second. */
export const WEBHOOK_LANES = 25;
export const LETTER_LANES = 5;

/** So many are found at once. */
const BATCH = 100;

/** Left for what is under way to end in, milliseconds: a receiver has five seconds, a letter as long. */
const RESERVE_MS = 15_000;

/**
 * Sends what is due now. What fails is told to `onFault` and holds up nothing else; a receiver that refuses is no fault. Ends when all was
 * tried once, or too little time is left.
 */
export const sendDue = async <T>(
  { clock }: Pick<Ports, "clock">,
  budget: Budget,
  { what, lanes, due, send }: Sending<T>,
  onFault: OnFault,
): Promise<void> => {
  const mayBegin = (): boolean => budget.remainingMs() > RESERVE_MS;
  for await (const some of due({ to: clock.now(), limit: BATCH })) {
    await forEachConcurrent(some, lanes, (one) => send(one).catch((fault: unknown) => onFault(what, fault)), mayBegin);
    if (!mayBegin()) return;
  }
};
