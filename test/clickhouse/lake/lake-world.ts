import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { type LocalStore, startStore, storeDirectory } from "../../../infra/local/stores/queue-and-objects.ts";
import { BUCKET, objectFile } from "../../../infra/local/stores/store-names.ts";
import { embedded } from "../../../infra/local/world.ts";
import { systemIds } from "../../../lib/app/system.ts";
import type { World } from "../../../lib/app/world.ts";
import { s3Objects } from "../../../lib/aws/aws-objects.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import type { EmbeddedEngine } from "../../../lib/engine/engine.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import type { CaptureMessage } from "../../../lib/event/message.ts";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import { initialHead, type PinnedState } from "../../../lib/lake/catalogue.ts";
import { compact } from "../../../lib/lake/compact.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { keptLog } from "../../support/kept-log.ts";
import { deliveryOf } from "../../support/samples/capture-messages.ts";

/** A project whose events come through ingest and lie in the embedded object store, which answers as S3 does. */
export interface LakeWorld {
  readonly project: number;
  readonly objects: World["objects"];
  readonly clock: World["clock"];
  readonly engine: EmbeddedEngine;
  /** The address of the bucket. */
  readonly lakeUrl: string;
  /** A drain of one request each. */
  receive(...requests: readonly { readonly events: readonly object[]; readonly facts?: Partial<CaptureMessage> }[]): Promise<void>;
  /** Gathers what waits of all partitions, rewrites and seals what is due. */
  compact(): Promise<void>;
  fold(rewriteShare?: number): Promise<void>;
  pinned(): Promise<PinnedState>;
  pass(ms: number): void;
  close(): Promise<void>;
}

/** 2026-01-12T12:00:00Z. */
export const NOW = Date.UTC(2026, 0, 12, 12);

export const PROJECT = 1;

const SIZES = { engineDiskBytes: 2_000_000_000, engineMemoryMb: 1_000 };
const LONG_MS = 900_000;

export const openLakeWorld = async (): Promise<LakeWorld> => {
  const directory = await mkdtemp(join(tmpdir(), "clickhouse-lake-"));
  const store: LocalStore = await startStore(storeDirectory(directory));
  const s3 = new S3Client({
    ...embedded(store.endpoint),
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const objects = s3Objects(s3, BUCKET, { localPath: objectFile(storeDirectory(directory)) });
  const table = memoryTable();
  await table.put(initialHead(PROJECT, NOW));
  const engine = await openEngine({ objects, directory: join(directory, "engine"), config: SIZES, countUsage });
  let now = NOW;
  const clock = { now: () => now };
  const parts = { table, objects, clock, ids: systemIds(clock), log: keptLog() };
  /** Guarantee of the cast: ingest uses no other part. */
  const world = { ...parts, queues: { send: async () => [] }, segments: openSegments } as Partial<World> as World;
  return {
    project: PROJECT,
    objects,
    clock,
    engine,
    lakeUrl: `${store.endpoint}/${BUCKET}/`,
    async receive(...requests) {
      const deliveries = requests.map(({ events, facts }) => deliveryOf(events, { project: PROJECT, received: String(now * 1_000), ...facts }));
      const { failed } = await ingest(deliveries, world, { remainingMs: () => LONG_MS }, "live");
      if (failed.length > 0) throw new Error(`${failed.length} messages were not taken`);
      now += 1_000;
    },
    async compact() {
      now += LONG_MS;
      const commits = await readCommits(table, PROJECT);
      const partitions = new Set(commits.flatMap(({ segments }) => segments.map(({ partition }) => partition)));
      const upTo = commits.at(-1)?.id ?? "";
      for (const partition of partitions)
        await compact({ ...parts, rowFiles: engine.rowFiles }, POLICIES.local, { project: PROJECT, partition, upTo, seal: false });
    },
    async fold(rewriteShare = POLICIES.local.rewriteShare) {
      await fold(parts, { ...POLICIES.local, rewriteShare }, PROJECT);
    },
    pinned: () => pin(parts, PROJECT, null, { events: true, state: true }),
    pass: (ms) => {
      now += ms;
    },
    async close() {
      await engine.close();
      s3.destroy();
      await store.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
