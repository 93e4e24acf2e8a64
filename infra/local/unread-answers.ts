import type { ServerResponse } from "node:http";
import { openRoom } from "./room.ts";

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
  const room = openRoom(maxBytes);
  return (answer, bytes) => {
    const holding = room.enter(answer.socket?.remoteAddress ?? "", () => answer.destroy());
    answer.once("close", () => holding.leave());
    answer.setTimeout(idleMs, () => answer.destroy());
    if (!holding.grow(bytes)) answer.destroy();
  };
};
