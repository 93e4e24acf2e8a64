import { join } from "node:path";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { type Databases, openDatabases } from "../../../lib/engine/duckdb/databases.ts";
import { engineOver } from "../../../lib/engine/open.ts";
import { type LocalFiles, openLocalFiles } from "../../../lib/engine/storage/local-files.ts";
import { partitionAt } from "../../../lib/event/time-partitions.ts";
import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { swap } from "../../../lib/lake/catalogue/swap.ts";
import { CATALOGUE_FORMAT, type Commit, type FileFacts, type Manifest } from "../../../lib/lake/catalogue.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { withoutDownloads } from "../../support/no-downloads.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, aRequest, ask } from "../../support/worlds/api-world.ts";
import { type BenchQuery, benchQueries } from "./engine-queries.ts";
import { type BenchSet, SET_PROJECT } from "./engine-set.ts";

const SIZES = { memoryMb: 1_500, threads: 2, querySpillBytes: 2e9, compactionSpillBytes: 1e9 };
const DISK_BYTES = 4_000_000_000;

/** What the front door was asked for and what that called: names of table and object calls. */
export interface AskedRun {
  readonly ms: number;
  readonly calls: readonly string[];
}

/** A platform over the bench set: saved endpoints for all queries, and the instance they run on. */
export interface BenchWorld {
  readonly local: LocalFiles;
  readonly databases: Databases;
  readonly world: World;
  /** The key of whoever runs the endpoints, and the calls to the table. */
  readonly key: string;
  readonly calls: { readonly name: string }[];
  /** Runs a query's endpoint through the front door with `refresh: force` and the round's values. */
  run(query: BenchQuery, round: number): Promise<AskedRun>;
  /** Commits one more segment, as ingest does. */
  commit(segment: FileFacts): Promise<void>;
  close(): Promise<void>;
}

/** Each run comes this long after the one before, so that what a process remembers ages as it would. */
const STEP_MS = 1_000;

export const openBenchWorld = async (set: BenchSet, root: string): Promise<BenchWorld> => {
  const calls: string[] = [];
  const results = new Set<string>();
  const objects = noted(
    {
      ...set.objects,
      put: (key, bytes) => {
        if (key.startsWith("results/")) results.add(key);
        return set.objects.put(key, bytes);
      },
    },
    calls,
  );
  const local = await openLocalFiles(objects, join(root, "engine"), DISK_BYTES);
  const databases = openDatabases(local, SIZES);
  const engine = engineOver({ objects, local, databases, countUsage });
  const platform = apiWorld({ objects: withoutDownloads(objects), engine });
  const { world, time } = platform;
  const { key } = await aHousehold(world, SET_PROJECT);
  const path = `/api/projects/${SET_PROJECT}/endpoints/`;
  for (const query of benchQueries) {
    const saved = { name: slugOf(query), query: sqlQuery(query.text, query.variables(0)) };
    const { status, json } = await ask(endpoints, world, "POST", path, { key, body: saved });
    if (status !== 201) throw new Error(`${query.name} was not saved: ${JSON.stringify(json)}`);
  }
  for (const [partition, files] of byPartition(set.files)) {
    const id = `bench-${partition}`;
    const manifest: Manifest = { v: CATALOGUE_FORMAT, id, partition, files, loose: [], absorbed: [], absorbedAt: [], sealed: false };
    await swap(world, POLICIES.deployed, SET_PROJECT, partition, null, manifest, null, { retired: [] });
  }
  return {
    local,
    databases,
    world,
    key,
    calls: platform.calls,
    async run(query, round) {
      time.now += STEP_MS;
      const request = aRequest("POST", `${path}${slugOf(query)}/run/`, {
        key,
        body: { refresh: "force", variables: query.variables(round) },
      });
      calls.length = 0;
      platform.calls.length = 0;
      const started = performance.now();
      const reply = await endpointRuns.serve(request, world);
      const ms = performance.now() - started;
      if (reply.status !== 200) throw new Error(`${query.name} answered ${reply.status}: ${String(reply.body)}`);
      return { ms, calls: [...platform.calls.map(({ name }) => `table.${name}`), ...calls] };
    },
    async commit(segment) {
      const [[partition] = [""]] = byPartition([segment]);
      const segments = [{ ...segment, partition }];
      const commit: Commit = { v: CATALOGUE_FORMAT, id: world.ids.ulid(), at: time.now, lane: "live", segments, deltas: null };
      await world.table.put(commitItem(SET_PROJECT, commit));
    },
    async close() {
      await databases.close();
      // The set stays on this disk for the next time; results are new each time.
      await set.objects.remove([...results]);
    },
  };
};

const byPartition = (files: readonly FileFacts[]): ReadonlyMap<string, readonly FileFacts[]> =>
  Map.groupBy(files, ({ times }) => partitionAt(BigInt(times[0])));

const slugOf = ({ name }: BenchQuery): string => name.replaceAll(" ", "-");

/** The store with each of its calls noted by name. */
const noted = (objects: Objects, calls: string[]): Objects => {
  const note =
    <A extends readonly unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      calls.push(`objects.${name}`);
      return call(...args);
    };
  return {
    ...objects,
    put: note("put", objects.put),
    putFile: note("putFile", objects.putFile),
    get: note("get", objects.get),
    getRange: note("getRange", objects.getRange),
    list: note("list", objects.list),
    remove: note("remove", objects.remove),
  };
};
