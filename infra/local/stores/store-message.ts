import * as z from "zod";
import { QUEUES } from "../../../lib/ports/queues.ts";

/**
 * A message of the store's thread: that it answers, and how many messages a platform that was killed had in work, or why it does not; how
 * many dead letters there are of a queue; or, once, that a queue has had a message.
 */
export const StoreMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), port: z.number(), inWork: z.number() }),
  z.object({ kind: z.literal("failed"), error: z.string() }),
  z.object({ kind: z.literal("dead letters"), queue: z.enum(QUEUES), messages: z.number() }),
  z.object({ kind: z.literal("used"), queue: z.enum(QUEUES) }),
]);
export type StoreMessage = z.output<typeof StoreMessage>;
