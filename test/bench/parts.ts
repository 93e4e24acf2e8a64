import { billingSeries } from "./billing-series.ts";
import { captureMemory } from "./capture-memory.ts";
import { captureRatio } from "./capture-ratio.ts";
import { clickhouse } from "./clickhouse.ts";
import { engineFetched, engineFresh, engineRatio } from "./engine.ts";
import { exceptionThroughput } from "./exceptions.ts";
import type { Part } from "./figures.ts";
import { ingestThroughput } from "./ingest.ts";
import { ingestFleet } from "./ingest-fleet.ts";
import { lakeAmplification } from "./lake-amplification.ts";
import { lakeWrites } from "./lake-writes.ts";
import { load } from "./load.ts";
import { materialised } from "./materialised.ts";
import { runRounds } from "./run-rounds.ts";
import { spend } from "./spend.ts";
import { personsWaiting } from "./waiting-persons.ts";
import { wideRows } from "./wide-rows.ts";

/** Every part, in the order of the table. */
export const parts: readonly Part[] = [
  captureRatio,
  captureMemory,
  ingestThroughput,
  ingestFleet,
  exceptionThroughput,
  engineRatio,
  engineFresh,
  engineFetched,
  lakeAmplification,
  wideRows,
  lakeWrites,
  runRounds,
  materialised,
  personsWaiting,
  spend,
  billingSeries,
  load,
  clickhouse,
];
