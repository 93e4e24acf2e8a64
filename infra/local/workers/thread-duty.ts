import * as z from "zod";
import { QUEUES } from "../../../lib/ports/queues.ts";
import type { Log } from "../../../lib/ports/system.ts";
import { LocalStores } from "../world.ts";

/** The duty of one worker thread: the queues that it drains, and whether the schedules run in it. */
export const ThreadDuty = z.object({ name: z.string(), place: LocalStores, queues: z.array(z.enum(QUEUES)), withSchedules: z.boolean() });
export type ThreadDuty = z.output<typeof ThreadDuty>;

/** A message of a worker thread: that its queues fill faster than it drains them, or a line of its log, on its way to the terminal. */
export type ThreadMessage = "behind" | ThreadLine;

export interface ThreadLine {
  readonly level: Parameters<Log["line"]>[0];
  readonly event: string;
  readonly fields: Parameters<Log["line"]>[2];
}
