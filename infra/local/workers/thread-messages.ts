import * as z from "zod";
import type { InvocableName } from "../../../lib/ports/invocations.ts";
import { QUEUES } from "../../../lib/ports/queues.ts";
import type { Log } from "../../../lib/ports/system.ts";
import { LocalStores } from "../world.ts";
import type { InstanceEvents } from "./instance-pool.ts";

/** What a worker thread is started with: the queues that it drains, and whether schedules and invoked functions run in it. */
export const ThreadSettings = z.object({
  name: z.string(),
  place: LocalStores,
  queues: z.array(z.enum(QUEUES)),
  isBackground: z.boolean(),
});
export type ThreadSettings = z.output<typeof ThreadSettings>;

/** From a worker thread: that its queues fill faster than it drains them, an event of one of its instances, or a line for the terminal's log. */
export type ThreadMessage = "behind" | InstanceMessage | ThreadLine;

/** An event of the instance with this name. */
export interface InstanceMessage {
  readonly event: keyof InstanceEvents;
  readonly instance: string;
}

export interface ThreadLine {
  readonly level: Parameters<Log["line"]>[0];
  readonly event: string;
  readonly fields: Parameters<Log["line"]>[2];
}

/** To a worker thread: that an instance is to run a function, that an instance is to end, or that the thread is to end. */
export type ThreadCommand = "stop" | RunCommand | { readonly command: "end"; readonly instance: string };

export interface RunCommand {
  readonly command: "run";
  readonly of: InvocableName;
  readonly instance: string;
}
