import type { ServerResponse } from "node:http";
import { openByteBudget } from "./byte-budget.ts";

const MIB = 1024 * 1024;

/** What may wait for those who asked for it. */
export interface Unread {
  readonly maxBytes: number;
  /** How long nobody may read any of an answer, milliseconds. */
  readonly idleMs: number;
}

export const UNREAD: Unread = { maxBytes: 128 * MIB, idleMs: 30_000 };

/** Watches answers that are written: whoever asks and does not read is cut off, and whoever has most waiting is where it is too much. */
export const openUnreadAnswers = ({ maxBytes, idleMs }: Unread): ((answer: ServerResponse, bytes: number) => void) => {
  const budget = openByteBudget(maxBytes);
  return (answer, bytes) => {
    const reservation = budget.reserve(answer.socket?.remoteAddress ?? "", () => answer.destroy());
    answer.once("close", () => reservation.release());
    answer.setTimeout(idleMs, () => answer.destroy());
    if (!reservation.grow(bytes)) answer.destroy();
  };
};
