import { existsSync } from "node:fs";
import { openData } from "../local/stores/open-data.ts";
import { storeDirectory } from "../local/stores/queue-and-objects.ts";
import { UserError } from "../local/user-error.ts";
import type { Target } from "./target.ts";

/** The platform of a data directory on this machine, running or not. */
export const localTarget = async (dataDir: string, { makes }: { readonly makes: boolean }): Promise<Target> => {
  // Another directory is not made one, nor taken from others, by a command that looks at what is in it.
  if (!makes && !existsSync(storeDirectory(dataDir)))
    throw new UserError(`There is no data directory ${dataDir}: name one with --data-dir, or start the platform first.`);
  const { world, isAtRest, forgetKeys, close } = await openData(dataDir);
  return { world, isAtRest, forgetKeys, close };
};
