import { availableParallelism } from "node:os";
import { POLICIES } from "../lake/policy.ts";
import { type CountUsage, writeSegment } from "../lake/row-files.ts";
import type { Config } from "../ports/config.ts";
import type { Objects } from "../ports/objects.ts";
import { type Databases, openDatabases } from "./duckdb/databases.ts";
import type { EmbeddedEngine } from "./engine.ts";
import { openNeededBytes } from "./query/needed-bytes.ts";
import { runQuery, writeQuery } from "./query/run.ts";
import { openOverlays } from "./query/scans/state-overlays.ts";
import { openStateScans } from "./query/scans/state-scan.ts";
import { openColumnBytes } from "./storage/column-bytes.ts";
import { compareParquet } from "./storage/compare-rows.ts";
import { openDuplicateFinder } from "./storage/duplicates.ts";
import { openFooters } from "./storage/footers.ts";
import { type LocalFiles, openLocalFiles } from "./storage/local-files.ts";
import { openMatchingRows } from "./storage/matching-rows.ts";
import { mergeFiles } from "./storage/merge.ts";
import { MERGE_SIZES, type MergeSizes } from "./storage/merge-pieces.ts";
import { segmentSightings } from "./storage/segment-sightings.ts";
import { recountFile, usageLeft } from "./storage/source-usage.ts";

export interface EngineParts {
  readonly objects: Objects;
  /** A directory that belongs to this engine alone; it is emptied. */
  readonly directory: string;
  /** Merges are as large as the policy of compaction says, as deployed where it is left out; and their files, as standard, unless rows are given. */
  readonly config: Pick<Config, "engineDiskBytes" | "engineMemoryMb"> & Partial<Pick<Config, "compaction" | "fileRows">>;
  readonly countUsage: CountUsage;
  /** Queries of different projects that run at once; one where it is left out, as in a function, which has one request at a time. */
  readonly lanes?: number;
}

/** More threads than this do not help queries of this size. */
const MAX_THREADS = 4;

/** How the disk is shared: files that are kept, what queries spill, what compaction spills; the rest is for files being written. */
const CACHE_SHARE = 0.5;
const QUERY_SPILL_SHARE = 0.3;
const COMPACTION_SPILL_SHARE = 0.15;

/** The platform's engine: DuckDB over Parquet files of the object store. Native code is loaded at the first query. */
export const openEngine = async (parts: EngineParts): Promise<EmbeddedEngine> => {
  const { objects, directory, config, countUsage, lanes = 1 } = parts;
  const share = (part: number): number => Math.floor(config.engineDiskBytes * part);
  const local = await openLocalFiles(objects, directory, share(CACHE_SHARE));
  const databases = openDatabases(local, {
    memoryMb: config.engineMemoryMb,
    threads: Math.min(availableParallelism(), MAX_THREADS),
    querySpillBytes: share(QUERY_SPILL_SHARE),
    compactionSpillBytes: share(COMPACTION_SPILL_SHARE),
    lanes,
  });
  const { fileBytes } = POLICIES[config.compaction ?? "deployed"];
  const sizes = { ...MERGE_SIZES, fileBytes, fileRows: config.fileRows ?? MERGE_SIZES.fileRows };
  return engineOver({ objects, local, databases, countUsage, sizes });
};

/** An engine over parts that are open already. */
export const engineOver = (parts: {
  readonly objects: Objects;
  readonly local: LocalFiles;
  readonly databases: Databases;
  readonly countUsage: CountUsage;
  readonly sizes?: MergeSizes;
}): EmbeddedEngine => {
  const { objects, local, databases, countUsage, sizes } = parts;
  const duplicates = openDuplicateFinder(compareParquet({ local, databases }));
  const overlay = openOverlays(objects, local, databases);
  const matching = openMatchingRows({ local, databases });
  const seen = { duplicates: duplicates.find, matching: matching.matching };
  const queries = { objects, local, databases, seen, state: openStateScans(local, overlay) };
  return {
    run: runQuery(queries),
    write: writeQuery(queries),
    overlay,
    neededBytes: openNeededBytes(openColumnBytes(objects, openFooters(objects))),
    rowFiles: {
      write: (rows) => writeSegment(rows, countUsage),
      ...seen,
      readMatching: matching.readMatching,
      countMatching: matching.countMatching,
      usageLeft: usageLeft({ local, databases, countUsage }),
      sightings: segmentSightings(objects),
      recount: recountFile({ local, databases, countUsage }),
      merge: mergeFiles({ objects, local, databases, countUsage }, sizes),
    },
    close: () => databases.close(),
  };
};
