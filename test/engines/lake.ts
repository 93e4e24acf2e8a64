import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groups } from "../../functions/index.ts";
import { ingest } from "../../functions/ingest/ingest.ts";
import { sweeping } from "../../functions/sweep/schedule.ts";
import { applyDocument } from "../../infra/cli/apply/apply.ts";
import { startServer } from "../../infra/local/server.ts";
import { startDynamodb } from "../../infra/local/stores/dynamodb.ts";
import { startStore, storeDirectory } from "../../infra/local/stores/queue-and-objects.ts";
import { openLocal, prepare } from "../../infra/local/world.ts";
import { systemIds } from "../../lib/app/system.ts";
import type { World } from "../../lib/app/world.ts";
import type { EarnedProperty } from "../../lib/event/earned-properties.ts";
import { publishProject } from "../../lib/iceberg/publish.ts";
import { readCommits } from "../../lib/lake/catalogue/commits.ts";
import type { Commit } from "../../lib/lake/catalogue.ts";
import { compact } from "../../lib/lake/compact.ts";
import { openEarned } from "../../lib/lake/earned-properties.ts";
import { fold } from "../../lib/lake/fold-persons.ts";
import { type Policy, policyOf } from "../../lib/lake/policy.ts";
import { runSchedule } from "../../lib/lambda/schedule.ts";
import type { Delivery } from "../../lib/ports/queues.ts";
import { keptLog } from "../support/kept-log.ts";
import { tenantDocument, tenantOf } from "../support/processes/platform.ts";
import { earlierRowFiles, withoutEarned } from "./earlier.ts";

/** Small files and early merges, so that few rows make every kind of swap; one swap a job. */
const SETTINGS = { compaction: "deployed", publish: "iceberg" } as const;
const POLICY: Policy = { ...policyOf(SETTINGS), tierFiles: 3, rewriteMinRows: 20, fileRows: 400, stepsWithinMs: 0 };

/** Few persons change a large share of them with each fold, which would write all of them anew: here most folds leave a layer. */
const FOLDING: Policy = { ...POLICY, rewriteShare: 1 };

/** When it begins: 2026-03-20T12:00:00Z. */
const BEGIN = Date.UTC(2026, 2, 20, 12);
const ENOUGH = { remainingMs: () => 600_000 };

/** Who writes: an earlier release left its files, and may be there again for a while. */
export type Release = "this release" | "an earlier one";

export type Lake = Awaited<ReturnType<typeof startLake>>;

/**
 * A platform's stores, its API over HTTP and the code of its lake, with a clock that a test holds in its hands: nothing is ingested,
 * gathered or swept before the test says so.
 */
export const startLake = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "engines-"));
  const server = await startServer(groups, "127.0.0.1", 0);
  const store = await startStore(storeDirectory(dataDir));
  const dynamodb = await startDynamodb(join(dataDir, "table.db"));
  const { origin } = server;
  const place = { dynamodb: dynamodb.endpoint, store: store.endpoint, dataDir, baseUrl: origin, ingestUrl: origin };
  await prepare(place);
  let now = BEGIN;
  const clock = { now: () => now };
  const log = keptLog();
  const opened = openLocal(place, "requests", log).world;
  const world: World = { ...opened, clock, ids: systemIds(clock), config: { ...opened.config, ...SETTINGS } };
  server.open(world);
  const tenant = tenantOf(await applyDocument(world, tenantDocument("readers")));
  const project = tenant.projectId;
  const parts = { ...world, rowFiles: world.engine.rowFiles };
  const earlier = { ...world, rowFiles: earlierRowFiles(world.engine.rowFiles, world.objects), table: withoutEarned(world.table) };
  return {
    ...tenant,
    ...{ world, project, origin, dataDir, log, storeEndpoint: store.endpoint, storeDirectory: storeDirectory(dataDir) },
    now: () => now,
    pass(ms: number): void {
      now += ms;
    },
    /** Stores what capture would have put into the queue. Throws where something of it is not stored. */
    async ingest(deliveries: readonly Delivery[], lane: Commit["lane"]): Promise<void> {
      const { failed } = await ingest(deliveries, world, ENOUGH, lane);
      if (failed.length > 0) throw new Error(`not stored: ${JSON.stringify(log.lines.at(-1))}`);
    },
    /** A query names a property, so that files have a column for it from then on. */
    async earn(property: EarnedProperty): Promise<void> {
      const earned = await openEarned(world.table, project, now);
      earned.hasEarned()(property);
      await earned.note("a query");
    },
    /** One step of a partition's compaction, as this release does it or an earlier one; whether there was one to take. */
    async compact(partition: string, by: Release = "this release"): Promise<boolean> {
      const upTo = (await readCommits(world.table, project)).at(-1)?.id ?? "";
      const { swaps, outcome } = await compact(by === "this release" ? parts : earlier, POLICY, { project, partition, upTo, seal: true });
      if (outcome !== "done" && outcome !== "more") throw new Error(`a swap without a rival ended as ${outcome}`);
      return swaps > 0;
    },
    /** Folds what gathered rows say of persons; whether there was anything. */
    async fold(by: Release = "this release"): Promise<boolean> {
      return (await fold(by === "this release" ? parts : earlier, FOLDING, project)).commits > 0;
    },
    publish: () => publishProject(world, POLICY, project),
    sweep: () => runSchedule(sweeping, { ...world }, ENOUGH),
    async stop(): Promise<void> {
      await server.stop();
      await world.engine.close();
      await Promise.all([store.stop(), dynamodb.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
