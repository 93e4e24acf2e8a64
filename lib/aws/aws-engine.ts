import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BothEnginesParts } from "../clickhouse/both-engines.ts";
import type { Engine } from "../engine/engine.ts";
import { openEngine as open } from "../engine/open.ts";
import { countUsage } from "../usage/day-counts.ts";

/** What an engine works with; the directory is its own and is emptied. A function has its own disk below the system's. */
export type EngineParts = Omit<BothEnginesParts, "embedded" | "directory"> & { readonly directory?: string; readonly lanes?: number };

/** The engine over an object store; where the settings name a ClickHouse, both as one. */
export const openEngine = async ({ directory = join(tmpdir(), "engine"), lanes = 1, ...parts }: EngineParts): Promise<Engine> => {
  const { objects, config } = parts;
  const embedded = await open({ objects, directory, config, countUsage, lanes });
  if (config.clickhouseUrl === "") return embedded;
  const { openBothEngines } = await import("../clickhouse/both-engines.ts");
  return openBothEngines({ ...parts, embedded, directory: `${directory}-tables` });
};
