import * as z from "zod";
import { INVOCABLES } from "../../../lib/ports/invocations.ts";
import { QUEUES } from "../../../lib/ports/queues.ts";
import type { Log } from "../../../lib/ports/system.ts";
import { LocalStores } from "../world.ts";

/** The duty of one worker thread: the queues that it drains, whether the schedules run in it, and the function that it runs when it is told to. */
export const ThreadDuty = z.object({
  name: z.string(),
  place: LocalStores,
  queues: z.array(z.enum(QUEUES)),
  withSchedules: z.boolean(),
  invocable: z.enum(INVOCABLES).optional(),
});
export type ThreadDuty = z.output<typeof ThreadDuty>;

/**
 * A message of a worker thread: that its queues fill faster than it drains them, that it begins to run its function or is through with it, or a
 * line of its log, on its way to the terminal.
 */
export type ThreadMessage = "behind" | "begun" | "through" | ThreadLine;

/** What a worker thread is told: to run its function, or to end. */
export type ThreadOrder = "run" | "stop";

export interface ThreadLine {
  readonly level: Parameters<Log["line"]>[0];
  readonly event: string;
  readonly fields: Parameters<Log["line"]>[2];
}
