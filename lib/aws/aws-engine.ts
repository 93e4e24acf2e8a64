import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../engine/engine.ts";
import { openEngine as open } from "../engine/open.ts";
import type { Config } from "../ports/config.ts";
import type { Objects } from "../ports/objects.ts";
import { countUsage } from "../usage/day-counts.ts";

/** The engine over an object store, with `directory` to itself: it is emptied. A function has its own disk below the system's. */
export const openEngine = (objects: Objects, config: Config, directory = join(tmpdir(), "engine")): Promise<Engine> =>
  open({ objects, directory, config, countUsage });
