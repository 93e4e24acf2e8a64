import type { World } from "../../lib/app/world.ts";

/** The platform that a command works on. */
export interface Target {
  readonly world: World;
  /** No platform runs on the data directory: what is sent to its queues waits until one does. */
  readonly isAtRest?: boolean;
  /** Makes a platform that runs there read keys afresh. Deployed functions do so by themselves within half a minute. */
  forgetKeys(): void;
  close(): Promise<void>;
}
