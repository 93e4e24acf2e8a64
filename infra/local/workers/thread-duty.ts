import * as z from "zod";
import type { InvocableName } from "../../../lib/ports/invocations.ts";
import { QUEUES } from "../../../lib/ports/queues.ts";
import type { Log } from "../../../lib/ports/system.ts";
import { LocalStores } from "../world.ts";

/** The duty of one worker thread: the queues that it drains, and whether the schedules run in it, and the functions that calls start. */
export const ThreadDuty = z.object({
  name: z.string(),
  place: LocalStores,
  queues: z.array(z.enum(QUEUES)),
  isBackground: z.boolean(),
});
export type ThreadDuty = z.output<typeof ThreadDuty>;

/**
 * A message of a worker thread: that its queues fill faster than it drains them, that a hand begins to run its function or is through with it, or
 * a line of its log, on its way to the terminal.
 */
export type ThreadMessage = "behind" | HandSign | ThreadLine;

/** What a hand, known by its name, says of itself. */
export interface HandSign {
  readonly sign: "begun" | "through";
  readonly hand: string;
}

export interface RunOrder {
  readonly order: "run";
  readonly of: InvocableName;
  readonly hand: string;
}

/** What a worker thread is told: to have a hand run a function, to let a hand go, or to end. */
export type ThreadOrder = "stop" | RunOrder | { readonly order: "end"; readonly hand: string };

export interface ThreadLine {
  readonly level: Parameters<Log["line"]>[0];
  readonly event: string;
  readonly fields: Parameters<Log["line"]>[2];
}
