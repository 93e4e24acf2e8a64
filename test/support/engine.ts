import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { EmbeddedEngine } from "../../lib/engine/engine.ts";
import { openEngine } from "../../lib/engine/open.ts";
import type { Objects } from "../../lib/ports/objects.ts";
import { countUsage } from "../../lib/usage/day-counts.ts";

const SIZES = { engineDiskBytes: 500_000_000, engineMemoryMb: 300 };

/** The platform's engine over these objects for the tests of one file, in a directory of its own. */
export const anEngine = (objects: Objects): (() => EmbeddedEngine) => {
  let directory = "";
  let engine: EmbeddedEngine | undefined;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "engine-"));
    engine = await openEngine({ objects, directory, config: SIZES, countUsage });
  });
  afterAll(async () => {
    await engine?.close();
    await rm(directory, { recursive: true, force: true });
  });
  return () => {
    if (!engine) throw new Error("the engine is not open");
    return engine;
  };
};
