import * as z from "zod";
import { INVOCABLES } from "../../../lib/ports/invocations.ts";
import { QUEUES } from "../../../lib/ports/queues.ts";
import type { Log } from "../../../lib/ports/system.ts";
import { LocalStores } from "../world.ts";

/** The duty of one worker thread: the queues that it drains, whether the schedules run in it, and the function that its hands run when they are told to. */
export const ThreadDuty = z.object({
  name: z.string(),
  place: LocalStores,
  queues: z.array(z.enum(QUEUES)),
  withSchedules: z.boolean(),
  invocable: z.enum(INVOCABLES).optional(),
});
export type ThreadDuty = z.output<typeof ThreadDuty>;

/**
 * A message of a worker thread: that its queues fill faster than it drains them, that one of its hands begins to run its function or is through
 * with it, or a line of its log, on its way to the terminal.
 */
export type ThreadMessage = "behind" | HandSign | ThreadLine;

export interface HandSign {
  readonly sign: "begun" | "through";
  readonly hand: number;
}

/** What a worker thread is told: to have a hand run its function, to let a hand go, or to end. */
export type ThreadOrder = "stop" | { readonly order: "run" | "end"; readonly hand: number };

export interface ThreadLine {
  readonly level: Parameters<Log["line"]>[0];
  readonly event: string;
  readonly fields: Parameters<Log["line"]>[2];
}
