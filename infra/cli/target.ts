import type { World } from "../../lib/app/world.ts";
import type { QueueSource } from "../../lib/ports/queues.ts";

/** The platform that a command works on. */
export interface Target {
  readonly world: World;
  /** Dead letters, by the queue they came from. */
  readonly deadLetters: QueueSource;
  /** Makes a platform that runs there read keys afresh. Deployed functions do so by themselves within half a minute. */
  forgetKeys(): void;
  close(): Promise<void>;
}
