import { billingSeries } from "./billing/billing-series.ts";
import { closingNightPart } from "./billing/closing.ts";
import { spend } from "./billing/spend.ts";
import { captureMemory } from "./capture/capture-memory.ts";
import { captureRatio } from "./capture/capture-ratio.ts";
import { consolePage } from "./console/console.ts";
import { clickhouse } from "./engine/clickhouse.ts";
import { clickhouseAdapter } from "./engine/clickhouse-adapter.ts";
import { earnedColumns } from "./engine/earned.ts";
import { engineFetched, engineFresh, engineRatio } from "./engine/engine.ts";
import { lowering } from "./engine/lowering.ts";
import { materialised } from "./engine/materialised.ts";
import { runCold } from "./engine/run-cold.ts";
import { runCpu } from "./engine/run-cpu.ts";
import { erasing } from "./erasing.ts";
import { exceptionThroughput } from "./exceptions.ts";
import { exceptionCost } from "./exceptions-cost.ts";
import type { Part } from "./figures.ts";
import { growth } from "./growth/growth.ts";
import { hostile } from "./hostile.ts";
import { importedForms } from "./import/forms.ts";
import { importing } from "./import/import.ts";
import { ingestThroughput } from "./ingest/ingest.ts";
import { ingestFleet } from "./ingest/ingest-fleet.ts";
import { issueLists } from "./issues.ts";
import { keylessRequests } from "./keyless.ts";
import { lakeAmplification } from "./lake/lake-amplification.ts";
import { lakeWrites } from "./lake/lake-writes.ts";
import { wideRows } from "./lake/wide-rows.ts";
import { load } from "./load.ts";
import { mergingPart } from "./merging.ts";
import { earnedPersons } from "./persons/earned-persons.ts";
import { personsWaiting } from "./persons/waiting-persons.ts";
import { runRounds } from "./run-rounds.ts";

/** Every part, in the order of the table. */
export const parts: readonly Part[] = [
  captureRatio,
  captureMemory,
  ingestThroughput,
  ingestFleet,
  importing,
  importedForms,
  exceptionThroughput,
  exceptionCost,
  mergingPart,
  issueLists,
  engineRatio,
  engineFresh,
  engineFetched,
  earnedColumns,
  lowering,
  lakeAmplification,
  wideRows,
  lakeWrites,
  runRounds,
  erasing,
  materialised,
  runCpu,
  runCold,
  personsWaiting,
  earnedPersons,
  spend,
  billingSeries,
  closingNightPart,
  consolePage,
  hostile,
  keylessRequests,
  load,
  growth,
  clickhouse,
  clickhouseAdapter,
];
