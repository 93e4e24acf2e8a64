import { dispatch } from "../../../functions/jobs/dispatch.ts";
import type { World } from "../../../lib/app/world.ts";
import { settings } from "../../../lib/aws/environment.ts";
import { commitItem, readCommits } from "../../../lib/lake/catalogue/commits.ts";
import { getManifest } from "../../../lib/lake/catalogue/manifests.ts";
import { CATALOGUE_FORMAT, type Commit, type FileFacts, type Manifest, totalRows } from "../../../lib/lake/catalogue.ts";
import { initialHead, readHead } from "../../../lib/lake/head.ts";
import { segmentKey } from "../../../lib/lake/paths.ts";
import { waitingSegments } from "../../../lib/lake/pin.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { RowFiles } from "../../../lib/lake/row-files.ts";
import { sweep, sweepMemory } from "../../../lib/lake/sweep.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { organizationOfProject } from "../../../lib/projects/projects.ts";
import { memoryObjects } from "../../simulation/ports/objects.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { randomOf } from "../../simulation/random.ts";
import { Scheduler } from "../../simulation/scheduler.ts";
import { projectWrite } from "../../simulation/usage.ts";
import { memoryTokenKeys } from "../../support/memory-token-keys.ts";
import { withoutDownloads } from "../../support/no-downloads.ts";
import { noInvocations } from "../../support/no-invocations.ts";
import { noModel } from "../../support/no-model.ts";
import { noReaders } from "../../support/no-readers.ts";
import { unwatchedQueues } from "../../support/unwatched-queues.ts";
import { EVENT_NAMES } from "../corpus.ts";
import type { CompactionCosts } from "./compaction.ts";

const PROJECT = 7;
const PARTITION = "2026-03";
const START = Date.UTC(2026, 2, 12);
const DAY = START / 86_400_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Rows of ordinary events that a drain of 64 MB decoded has. */
const DRAIN_ROWS = 64_000;
const CALM = { latencyMs: 5, slow: 0, slowMs: 0, death: 0, freezeMs: 0, betweenSwaps: 0 };
const MOST_STEPS = 5_000_000;

/** One project that sends so many events a second, all of one day, and so many workers of one core each. */
export interface Busy {
  readonly perSecond: number;
  readonly workers: number;
  readonly minutes: number;
  /** What a worker's core is busy with. */
  readonly speeds: Pick<CompactionCosts, "gather" | "compare" | "merge">;
}

export interface BusyOutcome {
  readonly rows: number;
  /** Since when the oldest row that is not gathered waits, and how many do, at the end. */
  readonly waitingMinutes: number;
  readonly waitingRows: number;
  /** Of the gathered rows, those in loose files. */
  readonly looseShare: number;
  /** Of the time of all workers, what they worked. */
  readonly busyShare: number;
  /** Rows written by compaction for each that was gathered. */
  readonly amplification: number;
  /** For each million rows that came. */
  readonly tableWriteUnits: number;
  readonly tableReadUnits: number;
  readonly puts: number;
  readonly gets: number;
}

/** The lake's own commits, sweeps and jobs in a time of their own; of the files only their rows, which take their time to be written. */
export const runBusyProject = async ({ perSecond, workers, minutes, speeds }: Busy): Promise<BusyOutcome> => {
  const scheduler = new Scheduler(randomOf(1), START, CALM, false);
  const units = { write: 0, read: 0 };
  const calls = { puts: 0, gets: 0 };
  const table = memoryTable({
    step: scheduler.step,
    meter: {
      record({ readUnits, writeUnits, indexWriteUnits }) {
        units.read += readUnits;
        units.write += writeUnits + indexWriteUnits;
      },
    },
  });
  const stored = memoryObjects({ step: scheduler.step, now: scheduler.now });
  const objects: typeof stored = {
    ...stored,
    put: (key, bytes) => {
      calls.puts += 1;
      return stored.put(key, bytes);
    },
    get: (key) => {
      calls.gets += 1;
      return stored.get(key);
    },
  };
  const work = { ms: 0, written: 0 };
  const takes = (seconds: number): Promise<void> => {
    work.ms += seconds * SECOND_MS;
    return scheduler.sleep(seconds * SECOND_MS);
  };
  const rowFiles = timedRowFiles(speeds, takes, (file) => {
    calls.puts += 1;
    calls.gets += 1;
    work.written += file.rows;
  });
  const jobs: string[] = [];
  let ids = 0;
  const ulid = (): string => scheduler.now().toString(36).padStart(10, "0") + (ids++).toString(36).padStart(16, "0");
  const world: World = {
    ...{ table, objects: withoutDownloads(objects), clock: { now: scheduler.now }, config: settings({}), segments: rowFiles },
    queues: {
      async send(_, messages) {
        jobs.push(...messages.map(({ body }) => body));
        return [];
      },
    },
    ids: { ulid, uuid: ulid, secret: (bytes) => new Uint8Array(bytes) },
    log: {
      line(level, event, fields) {
        if (level === "error") throw new Error(`${event} ${JSON.stringify(fields)}`);
      },
    },
    engine: { rowFiles, run: nothing, write: nothing, close: () => Promise.resolve() },
    counts: { add: nothing },
    mail: { send: nothing },
    dns: { texts: async () => [] },
    model: noModel,
    tokenKeys: memoryTokenKeys(),
    ...noReaders,
    ...unwatchedQueues,
    ...noInvocations,
  };
  const end = START + minutes * MINUTE_MS;
  let rows = 0;
  scheduler.spawn("feeder", async () => {
    await table.transact([{ kind: "put", item: initialHead(PROJECT, START) }, projectWrite(PROJECT)]);
    const everyMs = Math.max(SECOND_MS, (DRAIN_ROWS / perSecond) * SECOND_MS);
    for (let at = START; at < end; at += everyMs) {
      let left = Math.round((perSecond * everyMs) / SECOND_MS);
      rows += left;
      for (; left > 0; left -= DRAIN_ROWS) {
        calls.puts += 1;
        const segment = { key: segmentKey(PROJECT, PARTITION, ulid()), partition: PARTITION, ...factsOf(Math.min(left, DRAIN_ROWS)) };
        await table.put(
          commitItem(PROJECT, { v: CATALOGUE_FORMAT, id: ulid(), at: scheduler.now(), lane: "live", segments: [segment], deltas: null }),
        );
      }
      await scheduler.sleep(Math.max(0, at + everyMs - scheduler.now()));
    }
  });
  scheduler.spawn("sweeper", async () => {
    for (const memory = sweepMemory(); ; ) {
      await scheduler.sleep(MINUTE_MS);
      await sweep({ ...world, organizationOf: organizationOfProject(table) }, POLICIES.deployed, memory);
    }
  });
  for (let worker = 0; worker < workers; worker += 1) {
    scheduler.spawn(`worker ${worker}`, async () => {
      for (;;) {
        const body = jobs.shift();
        if (body === undefined) await scheduler.sleep(SECOND_MS);
        else if (!(await dispatch(world, POLICIES.deployed, { id: "1", body, attempts: 1 }, { remainingMs: () => 900 * SECOND_MS })))
          throw new Error(`a job failed: ${body}`);
      }
    });
  }
  await scheduler.run(() => scheduler.now() >= end, MOST_STEPS);
  const { manifest, waiting } = await atTheEnd(scheduler, table, stored);
  const gathered = totalRows([...manifest.files, ...manifest.loose]);
  const perMillion = (count: number): number => count / (rows / 1_000_000);
  return {
    rows,
    waitingMinutes: waiting.length === 0 ? 0 : (scheduler.now() - Math.min(...waiting.map(({ at }) => at))) / MINUTE_MS,
    waitingRows: totalRows(waiting.flatMap(({ segments }) => segments)),
    looseShare: totalRows(manifest.loose) / Math.max(1, gathered),
    busyShare: work.ms / (workers * minutes * MINUTE_MS),
    amplification: work.written / Math.max(1, gathered),
    tableWriteUnits: perMillion(units.write),
    tableReadUnits: perMillion(units.read),
    puts: perMillion(calls.puts),
    gets: perMillion(calls.gets),
  };
};

/** What is gathered, and what waits, as a reader would find it. */
const atTheEnd = async (
  scheduler: Scheduler,
  table: World["table"],
  objects: Objects,
): Promise<{ readonly manifest: Manifest; readonly waiting: readonly Commit[] }> => {
  let found: { readonly manifest: Manifest; readonly waiting: readonly Commit[] } | undefined;
  scheduler.spawn("reader", async () => {
    const head = await readHead(table, PROJECT);
    const manifest = await getManifest(objects, PROJECT, PARTITION, head.manifests[PARTITION] ?? "");
    if (manifest === undefined) throw new Error("nothing was gathered");
    found = { manifest, waiting: waitingSegments(await readCommits(table, PROJECT), new Map([[PARTITION, manifest]])) };
  });
  await scheduler.run(() => found !== undefined, MOST_STEPS);
  if (found === undefined) throw new Error("nothing was read");
  return found;
};

const nothing = (): Promise<never> => Promise.reject(new Error("nothing of that happens here"));

/** Row files that are nothing but their numbers of rows, all of one day, and take their time. */
const timedRowFiles = (
  { gather, compare, merge }: Busy["speeds"],
  takes: (seconds: number) => Promise<void>,
  written: (file: FileFacts) => void,
): RowFiles => ({
  write: nothing,
  async duplicates(_, _segments, files) {
    await takes((totalRows(files) / 1_000_000) * compare);
    return new Map();
  },
  sightings: async () => ({ skipped: [], staying: [] }),
  matching: async () => new Map(),
  readMatching: nothing,
  countMatching: nothing,
  usageLeft: nothing,
  recount: async (_, { usage }) => usage,
  async merge(_, sources, shape, name) {
    const rows = totalRows(sources.map(({ file }) => file));
    const isGathered = sources.some(({ file }) => file.key.startsWith("fresh/"));
    await takes((rows / 1_000_000) * (isGathered ? gather : merge));
    const most = shape === "one" && rows * ROW_BYTES <= POLICIES.deployed.fileBytes ? rows : POLICIES.deployed.fileBytes / ROW_BYTES;
    const count = Math.ceil(rows / most);
    return Array.from({ length: count }, (_, at) => {
      const file = { key: name(), ...factsOf(Math.floor((rows * (at + 1)) / count) - Math.floor((rows * at) / count)) };
      written(file);
      return file;
    });
  },
});

/** What an ordinary row takes as it is sorted. */
const ROW_BYTES = 1_000;

const factsOf = (rows: number): Omit<FileFacts, "key"> => ({
  ...{ bytes: 83 * rows, rows, plainBytes: ROW_BYTES * rows, days: [DAY, DAY], times: ["0", "1"], ids: ["user-0", "user-f"] },
  ...{ events: EVENT_NAMES.toSorted(), usage: { [DAY]: { event_count_in_period: rows } }, rare: false, footerBytes: 14_000 },
});
