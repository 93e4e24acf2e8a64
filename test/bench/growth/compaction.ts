import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jobs } from "../../../functions/jobs/consumer.ts";
import { engineLimits, functionSizing } from "../../../infra/sizing.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { hotValues } from "../../../lib/event/hot-properties.ts";
import { derivePersonId, identityHash } from "../../../lib/event/identity.ts";
import { utcDay } from "../../../lib/event/time-partitions.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../../../lib/lake/paths.ts";
import { writeSegment } from "../../../lib/lake/row-files.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { directoryObjects } from "../../support/samples/wide-lake.ts";
import { corpus } from "../corpus.ts";
import { cpuMs } from "../cpu.ts";

const PROJECT = 7;
const PARTITION = "2026-03";
const START = Date.UTC(2026, 2, 12);
const DAY_SPAN_MS = 80_000_000;

/** What a step has: the rows of so many drains. */
const SEGMENTS = 64;
const SEGMENT_ROWS = 2_200;
const STEP_ROWS = SEGMENTS * SEGMENT_ROWS;
const STEPS = 4;
/** Files beside which rows are compared: a few, then many, so that what each of them takes is told from what comparing takes at all. */
const FEW_FILES = 4;
const MANY_FILES = 60;

/** Processor seconds of each million rows, and what it reads of the store. */
export interface CompactionCosts {
  readonly writeSegments: number;
  readonly gather: number;
  /** For each million rows of the files of the same days. */
  readonly compare: number;
  readonly merge: number;
  /** Bytes of a row of ordinary events, as stored and as they are sorted. */
  readonly rowBytes: number;
  readonly plainRowBytes: number;
  readonly footerBytes: number;
  /** Of a file that rows are compared with: bytes a row and requests that are fetched of it. */
  readonly comparedRowBytes: number;
  readonly comparedRequests: number;
}

/** Runs each lane of compaction once with the engine as it is deployed, over a directory that answers as a remote store does. */
export const measureCompaction = async (): Promise<CompactionCosts> => {
  const root = await mkdtemp(join(tmpdir(), "growth-"));
  const fetched = { requests: 0, bytes: 0 };
  const objects = counting(directoryObjects(join(root, "objects")), fetched);
  const engine = await openEngine({
    ...{ objects, directory: join(root, "engine"), config: engineLimits(functionSizing(jobs)), countUsage },
  });
  const { rowFiles } = engine;
  let names = 0;
  const name = (): string => eventFileKey(PROJECT, PARTITION, `f${names++}`);
  const secondsPerMillion = (ms: number, rows: number): number => ms / 1_000 / (rows / 1_000_000);
  try {
    const segments: FileFacts[] = [];
    const writing = await cpuMs(async () => {
      for (let at = 0; at < (STEPS + 2) * SEGMENTS; at += 1) segments.push(await aSegment(objects, at));
    });
    const [fresh = [], newer = [], ...others] = Array.from({ length: STEPS + 2 }, (_, at) =>
      segments.slice(at * SEGMENTS, (at + 1) * SEGMENTS),
    );
    const loose: FileFacts[] = [];
    const gathering = await cpuMs(async () => {
      for (const step of others) {
        await rowFiles.duplicates(PROJECT, step, []);
        loose.push(...(await rowFiles.merge(PROJECT, step.map(unskipped), "one", name)));
      }
    });
    const near: FileFacts[] = [];
    for (let at = 0; at < FEW_FILES + MANY_FILES; at += 1) {
      const file = loose[at % loose.length];
      const content = file && (await objects.get(file.key));
      if (file === undefined || content === undefined) throw new Error("nothing was gathered");
      const key = name();
      await objects.put(key, content);
      near.push({ ...file, key });
    }
    const few = await cpuMs(() => rowFiles.duplicates(PROJECT, fresh, near.slice(0, FEW_FILES)));
    Object.assign(fetched, { requests: 0, bytes: 0 });
    const many = await cpuMs(() => rowFiles.duplicates(PROJECT, newer, near.slice(FEW_FILES)));
    const ofSegments = newer.reduce((sum, { bytes }) => sum + bytes, 0);
    const compared = { ...fetched };
    const merging = await cpuMs(() => rowFiles.merge(PROJECT, loose.map(unskipped), "days", name));
    const sum = (of: (file: FileFacts) => number): number => loose.reduce((total, file) => total + of(file), 0);
    const rows = sum((file) => file.rows);
    return {
      writeSegments: secondsPerMillion(writing, (STEPS + 2) * STEP_ROWS),
      gather: secondsPerMillion(gathering, STEPS * STEP_ROWS),
      compare: secondsPerMillion(many - few, (MANY_FILES - FEW_FILES) * STEP_ROWS),
      merge: secondsPerMillion(merging, rows),
      rowBytes: sum((file) => file.bytes) / rows,
      plainRowBytes: sum((file) => file.plainBytes ?? 0) / rows,
      footerBytes: sum((file) => file.footerBytes) / loose.length,
      comparedRowBytes: Math.max(0, compared.bytes - ofSegments) / (MANY_FILES * STEP_ROWS),
      comparedRequests: Math.max(0, compared.requests - SEGMENTS) / MANY_FILES,
    };
  } finally {
    await engine.close();
    await rm(root, { recursive: true });
  }
};

const unskipped = (file: FileFacts) => ({ file, skip: [] });

const counting = (objects: Objects, fetched: { requests: number; bytes: number }): Objects => {
  const count = <T extends Uint8Array | undefined>(bytes: T): T => {
    fetched.requests += 1;
    fetched.bytes += bytes?.length ?? 0;
    return bytes;
  };
  return {
    ...objects,
    get: async (key) => count(await objects.get(key)),
    getRange: async (key, from, to) => count(await objects.getRange(key, from, to)),
  };
};

const aSegment = async (objects: Objects, at: number): Promise<FileFacts> => {
  const events = corpus({ seed: at + 1, events: SEGMENT_ROWS, from: START, to: START + DAY_SPAN_MS, users: 100_000 });
  const rows = [...events].map((event, index): EventRow => {
    const timestamp = BigInt(Date.parse(event.timestamp)) * 1_000n;
    const [uuid, distinct_id] = [event.uuid ?? "", event.distinct_id];
    return {
      ...{ uuid, event: event.event, distinct_id, timestamp, created_at: timestamp, person_mode: "full", historical: false },
      person_id: derivePersonId(PROJECT, distinct_id),
      identity: identityHash(utcDay(timestamp), event.event, distinct_id, uuid),
      ...{ session_id: null, window_id: null, groups: [], elements_chain: "" },
      ...{ properties: JSON.stringify(event.properties), hot: hotValues(event.properties) },
      ...{ request: String(at).padStart(32, "0"), index },
    };
  });
  const { content, ...facts } = await writeSegment(rows, countUsage);
  const key = segmentKey(PROJECT, PARTITION, `s${at}`);
  await objects.put(key, content);
  return { key, ...facts };
};
