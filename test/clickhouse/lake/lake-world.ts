import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { startStore, storeDirectory } from "../../../infra/local/stores/queue-and-objects.ts";
import { BUCKET, objectFile } from "../../../infra/local/stores/store-names.ts";
import { embedded } from "../../../infra/local/world.ts";
import { systemIds } from "../../../lib/app/system.ts";
import { s3Objects } from "../../../lib/aws/aws-objects.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import type { EmbeddedEngine } from "../../../lib/engine/engine.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import type { EarnedProperty } from "../../../lib/event/earned-properties.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import type { PinnedState } from "../../../lib/lake/catalogue.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { compact } from "../../../lib/lake/compact.ts";
import { openEarned } from "../../../lib/lake/earned-properties.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { POLICIES, type Policy } from "../../../lib/lake/policy.ts";
import type { RowChanges } from "../../../lib/lake/rows.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import type { Clock, Ids } from "../../../lib/ports/system.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { memoryTable } from "../../simulation/ports/table.ts";

/** A project whose rows the lake's own code commits, gathers and folds, in the embedded object store, which answers as S3 does. */
export interface LakeWorld {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly engine: EmbeddedEngine;
  /** The address of the bucket. */
  readonly lakeUrl: string;
  /** A directory of its own. */
  readonly directory: string;
  commit(rows: readonly EventRow[], changes?: RowChanges): Promise<void>;
  /** Gives columns to properties, in files that are written from then on. */
  earn(properties: readonly EarnedProperty[]): Promise<void>;
  /** Gathers what waits, and rewrites what is to be. */
  compact(): Promise<void>;
  /** Folds what waits of persons and groups. */
  fold(): Promise<void>;
  pinned(): Promise<PinnedState>;
  close(): Promise<void>;
}

const SIZES = { engineDiskBytes: 4_000_000_000, engineMemoryMb: 1_500 };
const STEP_MS = 3_600_000;

/** Deltas of more entries than hardly any lie in files. */
const COMMIT_SIZES = { itemBytes: 300_000, inlineBytes: 2_000 };

export const openLakeWorld = async (project: number, now: number, policy: Policy = POLICIES.local): Promise<LakeWorld> => {
  const directory = await mkdtemp(join(tmpdir(), "clickhouse-lake-"));
  const store = await startStore(storeDirectory(directory));
  const s3 = new S3Client({
    ...embedded(store.endpoint),
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const objects = s3Objects(s3, BUCKET, { localPath: objectFile(storeDirectory(directory)) });
  const table = memoryTable();
  await table.put(initialHead(project, now));
  const engine = await openEngine({ objects, directory: join(directory, "engine"), config: SIZES, countUsage });
  let time = now;
  const clock = { now: () => time };
  const parts = { table, objects, clock, ids: systemIds(clock) };
  return {
    ...parts,
    engine,
    lakeUrl: `${store.endpoint}/${BUCKET}/`,
    directory,
    async commit(rows, changes = new Map()) {
      await commitDrain({ ...parts, segments: openSegments }, { project, lane: "live", rows, changes }, COMMIT_SIZES);
      time += 1_000;
    },
    async earn(properties) {
      const earned = await openEarned(table, project, time);
      const hasEarned = earned.hasEarned();
      for (const property of properties) hasEarned(property);
      await earned.note("a test");
    },
    async compact() {
      time += STEP_MS;
      const commits = await readCommits(table, project);
      const upTo = commits.at(-1)?.id ?? "";
      for (const partition of new Set(commits.flatMap(({ segments }) => segments.map((segment) => segment.partition))))
        await compact({ ...parts, rowFiles: engine.rowFiles }, policy, { project, partition, upTo, seal: false });
    },
    async fold() {
      for (;;) {
        const { left, outcome } = await fold(parts, policy, project);
        if (outcome !== "done" || left === 0) return;
      }
    },
    pinned: () => pin(parts, project, null, { events: true, state: true }),
    async close() {
      await engine.close();
      s3.destroy();
      await store.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
