import type { World } from "../../lib/app/world.ts";

/** The platform that a command works on. */
export interface Target {
  readonly world: World;
  /** Functions or threads work off the queues: what is sent is stored soon. False for a data directory on which no platform runs. */
  readonly isRunning: boolean;
  /** Makes a platform that runs there read keys afresh. Deployed functions do so by themselves within half a minute. */
  forgetKeys(): void;
  close(): Promise<void>;
}
