import { rm } from "node:fs/promises";
import { join } from "node:path";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { type Databases, openDatabases } from "../../../lib/engine/duckdb/databases.ts";
import { engineOver } from "../../../lib/engine/open.ts";
import { openLocalFiles } from "../../../lib/engine/storage/local-files.ts";
import { partitionAt } from "../../../lib/event/time-partitions.ts";
import type { Parameter } from "../../../lib/hogql/lowered-query.ts";
import { swap } from "../../../lib/lake/catalogue/swap.ts";
import { CATALOGUE_FORMAT, type Manifest, STATE_ENTRY, type StateManifest } from "../../../lib/lake/catalogue.ts";
import { assignGroupTypes } from "../../../lib/lake/group-types.ts";
import { learnPropertyTypes } from "../../../lib/lake/learn-types.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { TypesByName } from "../../../lib/lake/property-types.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { withoutDownloads } from "../../support/no-downloads.ts";
import { evidenceFor } from "../../support/samples/property-evidence.ts";
import { aHousehold, apiWorld, aRequest, ask } from "../../support/worlds/api-world.ts";
import type { YearSet } from "./year-set.ts";

const SIZES = { memoryMb: 1_500, threads: 2, querySpillBytes: 2e9, compactionSpillBytes: 1e9 };
const DISK_BYTES = 8_000_000_000;

/** Each run comes this long after the one before, so that what a process remembers ages as it would. */
const STEP_MS = 1_000;

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/** What a run answered, and how long the front door took. */
export interface Run {
  readonly ms: number;
  readonly status: number;
  readonly rows: readonly (readonly unknown[])[];
  /** The body's text. */
  readonly body: string;
}

/** A platform with projects that have days of the year, by the number that each is called by. */
export interface YearWorld {
  readonly world: World;
  /** The statement that the engine ran last. */
  last(): Statement;
  /** Saves an endpoint in a project. */
  save(project: number, name: string, query: unknown): Promise<void>;
  /** Runs it through the front door with `refresh: force`. */
  run(project: number, name: string, body?: Readonly<Record<string, unknown>>): Promise<Run>;
  close(): Promise<void>;
}

/** `store` is where the files of all the sets are. */
export const openYearWorld = async (
  store: YearSet["objects"],
  root: string,
  projects: ReadonlyMap<number, YearSet>,
): Promise<YearWorld> => {
  const results = new Set<string>();
  const objects: YearSet["objects"] = {
    ...store,
    put: (key, bytes) => {
      if (!key.startsWith("events/")) results.add(key);
      return store.put(key, bytes);
    },
  };
  // Every process has its own, which is emptied when it opens.
  const directory = join(root, `engine-${process.pid}`);
  const local = await openLocalFiles(objects, directory, DISK_BYTES);
  const { databases, last } = remembering(openDatabases(local, SIZES));
  const engine = engineOver({ objects, local, databases, countUsage });
  const { world, time } = apiWorld({ objects: withoutDownloads(objects), engine });
  const keys = new Map<number, string>();
  for (const [project, set] of projects) {
    const { key } = await aHousehold(world, project);
    keys.set(project, key);
    await publish(world, project, set);
  }
  const keyOf = (project: number): { readonly key: string } => ({ key: keys.get(project) ?? "" });
  const path = (project: number): string => `/api/projects/${project}/endpoints/`;
  return {
    world,
    last,
    async save(project, name, query) {
      const { status, json } = await ask(endpoints, world, "POST", path(project), {
        ...keyOf(project),
        body: { name: slugOf(name), query },
      });
      if (status !== 201) throw new Error(`${name} was not saved: ${JSON.stringify(json)}`);
    },
    async run(project, name, body = {}) {
      time.now += STEP_MS;
      const request = aRequest("POST", `${path(project)}${slugOf(name)}/run/`, { ...keyOf(project), body: { refresh: "force", ...body } });
      const started = performance.now();
      const reply = await endpointRuns.serve(request, world);
      const ms = performance.now() - started;
      const text = String(reply.body);
      const { results: rows = [] }: { results?: unknown[][] } = reply.status === 200 ? JSON.parse(text) : {};
      return { ms, status: reply.status, rows, body: text };
    },
    async close() {
      await databases.close();
      // The set stays on this disk for the next time; results and catalogues are new each time.
      await store.remove([...results]);
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** What ingest would have learnt of the set's properties. */
const EVENT_TYPES: TypesByName = new Map([
  ["duration_ms", "Numeric"],
  ["amount", "Numeric"],
  ["$browser_version", "Numeric"],
  ["$screen_width", "Numeric"],
  ["feature_flag", "Boolean"],
  ["plan", "String"],
  ["search_term", "String"],
]);
const PERSON_TYPES: TypesByName = new Map([
  ["seats", "Numeric"],
  ["signed_up_at", "DateTime"],
]);

/** The project's catalogue: files by partition, and its persons and groups. */
const publish = async (world: World, project: number, set: YearSet): Promise<void> => {
  const common = { v: CATALOGUE_FORMAT, absorbed: [], absorbedAt: [] };
  for (const [partition, files] of Map.groupBy(set.files, ({ times }) => partitionAt(BigInt(times[0])))) {
    const manifest: Manifest = { ...common, id: `year-${project}-${partition}`, partition, files, loose: [], sealed: false };
    await swap(world, POLICIES.deployed, project, partition, null, manifest, null, { retired: [] });
  }
  const { persons, groups } = set;
  const state: StateManifest = { ...common, id: `year-${project}-state`, persons, distinctIds: [], groups, history: [] };
  await swap(world, POLICIES.deployed, project, STATE_ENTRY, null, state, null, { retired: [] });
  await assignGroupTypes(world.table, project, ["company"], Date.now());
  await learnPropertyTypes(world.table, project, evidenceFor({ event: EVENT_TYPES, person: PERSON_TYPES }), world.clock.now());
};

/** The databases, and the statement that ran last on any of them. */
const remembering = (databases: Databases): { readonly databases: Databases; last(): Statement } => {
  let last: Statement = { sql: "", parameters: [] };
  const noted: Databases = {
    ...databases,
    use: (project, task) =>
      databases.use(project, (database) =>
        task({
          ...database,
          select(sql, parameters, timeMs, take) {
            last = { sql, parameters };
            return database.select(sql, parameters, timeMs, take);
          },
        }),
      ),
  };
  return { databases: noted, last: () => last };
};

const slugOf = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]+/g, "-");
