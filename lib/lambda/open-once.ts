import type { World } from "../app/world.ts";

/**
 * The world of a process, kept for all its requests. Opening begins at once, because a function has most processor time while it
 * starts; where that fails, the next request tries again and is told.
 */
export const openOnce = (open: () => World | Promise<World>): (() => Promise<World>) => {
  let opening: Promise<World> | undefined;
  const opened = async (): Promise<World> => {
    const current = opening ?? (async () => open())();
    opening = current;
    try {
      return await current;
    } catch (fault) {
      opening = undefined;
      throw fault;
    }
  };
  opened().catch(() => undefined);
  return opened;
};
