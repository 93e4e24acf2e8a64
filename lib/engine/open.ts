import { availableParallelism } from "node:os";
import { type CountUsage, writeSegment } from "../lake/segment.ts";
import type { Config } from "../world/config.ts";
import type { Objects } from "../world/objects.ts";
import { compareParquet } from "./compare-rows.ts";
import { type Databases, openDatabases } from "./databases.ts";
import { openDuplicateFinder } from "./duplicates.ts";
import type { Engine } from "./engine.ts";
import { type LocalFiles, openLocalFiles } from "./local-files.ts";
import { mergeFiles } from "./merge.ts";
import { runQuery } from "./run.ts";
import { segmentSightings } from "./segment-sightings.ts";
import { openOverlays } from "./state-overlays.ts";
import { openStateScans } from "./state-scan.ts";

export interface EngineParts {
  readonly objects: Objects;
  /** A directory that belongs to this engine alone; it is emptied. */
  readonly directory: string;
  readonly config: Pick<Config, "engineDiskBytes" | "engineMemoryMb">;
  readonly countUsage: CountUsage;
}

/** More threads than this do not help queries of this size. */
const MAX_THREADS = 4;

/** The platform's engine: DuckDB over Parquet files of the object store. Native code is loaded at the first query. */
export const openEngine = async (parts: EngineParts): Promise<Engine> => {
  const { objects, directory, config, countUsage } = parts;
  const local = await openLocalFiles(objects, directory, config.engineDiskBytes);
  const threads = Math.min(availableParallelism(), MAX_THREADS);
  return engineOver({ objects, local, databases: openDatabases(local, { memoryMb: config.engineMemoryMb, threads }), countUsage });
};

/** An engine over parts that are open already. */
export const engineOver = (parts: {
  readonly objects: Objects;
  readonly local: LocalFiles;
  readonly databases: Databases;
  readonly countUsage: CountUsage;
}): Engine => {
  const { objects, local, databases, countUsage } = parts;
  const duplicates = openDuplicateFinder(compareParquet({ local, databases }));
  return {
    run: runQuery({ local, databases, duplicates, state: openStateScans(local, openOverlays(objects, local, databases)) }),
    rowFiles: {
      write: (rows) => writeSegment(rows, countUsage),
      duplicates: duplicates.find,
      sightings: segmentSightings(objects),
      merge: mergeFiles({ objects, local, databases, countUsage }),
    },
    close: () => databases.close(),
  };
};
