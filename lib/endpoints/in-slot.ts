import { Busy } from "../core/concurrency.ts";
import type { Ports } from "../ports/ports.ts";
import { holdSlot, type Repeat, takeSlot } from "./run/run-slots.ts";

/** Whose slot a computation takes, and its own id. */
export interface SlotRequest {
  readonly project: { readonly id: number };
  readonly id: string;
}

/**
 * Computes in one of the project's slots, which is taken while files are fetched, and given back while what was made is kept: `admitted`
 * settles when the slot is there, and is waited for before the engine is asked. Throws `Busy` where none came free.
 */
export const inSlot = async <T>(
  world: Pick<Ports, "table" | "clock" | "config">,
  { project, id }: SlotRequest,
  make: (admitted: Promise<void>) => Promise<T>,
  keep: (made: T) => Promise<unknown> = async () => undefined,
): Promise<T> => {
  const waiting = { now: () => world.clock.now(), wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)) };
  const taking = takeSlot(world.table, project.id, id, world.config.concurrentRuns, waiting);
  const holding = taking.then((slot) => {
    if (slot === undefined) throw new Busy("all of the project's slots are taken");
    return holdSlot(world.table, project.id, slot, id, waiting.now, repeat);
  });
  const admitted = holding.then(() => undefined);
  // Where fetching fails first, nobody asks any more.
  admitted.catch(() => undefined);
  const release = async (): Promise<void> => {
    const held = await holding.catch(() => undefined);
    await held?.release();
  };
  const made = await make(admitted).catch(async (thrown: unknown) => {
    await release();
    throw thrown;
  });
  await Promise.all([release(), keep(made)]);
  return made;
};

const repeat: Repeat = (everyMs, task) => {
  const timer = setInterval(task, everyMs);
  return () => clearInterval(timer);
};
