import { copyFile, mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dispatch } from "../../../functions/jobs/dispatch.ts";
import type { World } from "../../../lib/app/world.ts";
import { settings } from "../../../lib/aws/environment.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { HOT } from "../../../lib/event/hot-properties.ts";
import { identityHash } from "../../../lib/event/identity.ts";
import { partitionAt, utcDay } from "../../../lib/event/time-partitions.ts";
import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT, type FileFacts, type Segment } from "../../../lib/lake/catalogue.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { segmentKey } from "../../../lib/lake/paths.ts";
import { pin } from "../../../lib/lake/pin.ts";
import type { Policy } from "../../../lib/lake/policy.ts";
import { writeSegment } from "../../../lib/lake/row-files.ts";
import { sweep, sweepMemory } from "../../../lib/lake/sweep.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { organizationOfProject } from "../../../lib/projects/projects.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { projectUsage } from "../../../lib/usage/roll-ups.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { ORGANIZATION, projectWrite } from "../../simulation/usage.ts";
import { memoryTokenKeys } from "../memory-token-keys.ts";
import { withoutDownloads } from "../no-downloads.ts";
import { noInvocations } from "../no-invocations.ts";
import { noModel } from "../no-model.ts";
import { noReaders } from "../no-readers.ts";
import { unwatchedQueues } from "../unwatched-queues.ts";

const PROJECT = 7;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 2, 12);

/** Rows that are wide, over a few days, as drains of 64 MB bring them. */
export interface WideRows {
  readonly rows: number;
  readonly rowBytes: number;
  readonly days: number;
  readonly drainBytes: number;
}

/** Objects that lie in a directory, and are given out as a remote store gives them. */
export const directoryObjects = (root: string): Objects => {
  const pathOf = (key: string): string => join(root, key);
  const readable = async (key: string): Promise<Uint8Array | undefined> => readFile(pathOf(key)).catch(() => undefined);
  const place = async (key: string): Promise<string> => {
    await mkdir(dirname(pathOf(key)), { recursive: true });
    return pathOf(key);
  };
  return {
    put: async (key, bytes) => writeFile(await place(key), bytes),
    putFile: async (key, path) => copyFile(path, await place(key)),
    get: readable,
    async getRange(key, from, to) {
      await using handle = await open(pathOf(key));
      const bytes = new Uint8Array(to - from);
      const { bytesRead } = await handle.read(bytes, 0, to - from, from);
      return bytes.subarray(0, bytesRead);
    },
    list: async () => ({ objects: [], cursor: null }),
    remove: async (keys) => {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    localPath: () => undefined,
    uri: (key) => `s3://lake/${key}`,
  };
};

/** Writes the segments of such rows, and what the catalogue says of them. */
export const writeWide = async (objects: Objects, { rows, rowBytes, days, drainBytes }: WideRows): Promise<readonly Segment[]> => {
  const text = wordsOf(4_000_000);
  const perDrain = Math.max(1, Math.floor(drainBytes / rowBytes));
  const segments: Segment[] = [];
  for (let start = 0; start < rows; start += perDrain) {
    const drain = Array.from({ length: Math.min(perDrain, rows - start) }, (_, at) => wideRow(text, start + at, rowBytes, days));
    const { content, ...facts } = await writeSegment(drain, countUsage);
    const partition = partitionAt(drain[0]?.timestamp ?? 0n);
    const key = segmentKey(PROJECT, partition, String(start).padStart(26, "0"));
    await objects.put(key, content);
    segments.push({ key, partition, ...facts });
  }
  return segments;
};

const wideRow = (text: string, at: number, rowBytes: number, days: number): EventRow => {
  const from = (at * 7_919) % (text.length - rowBytes);
  const timestamp = BigInt(START - (at % days) * DAY_MS - (at % 80_000) * SECOND_MS) * 1_000n;
  const [event, distinct_id] = ["$ai_generation", `user ${at % 1_000}`];
  const uuid = `0190a1b2-c3d4-7e5f-8a9b-${at.toString(16).padStart(12, "0")}`;
  return {
    uuid,
    event,
    distinct_id,
    person_id: "b4dd4e1b-568e-50e7-8cc1-a9ad3c7dadc0",
    timestamp,
    created_at: timestamp,
    identity: identityHash(utcDay(timestamp), event, distinct_id, uuid),
    person_mode: "full",
    historical: false,
    session_id: null,
    window_id: null,
    groups: [],
    elements_chain: "",
    properties: JSON.stringify({ $ai_input: text.slice(from, from + rowBytes - 20), at }),
    hot: HOT.map(() => null),
    request: "0123456789abcdef0123456789abcdef",
    index: 0,
  };
};

/** Text that compresses about as language does. */
const wordsOf = (length: number): string => {
  let state = 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  const words = Array.from({ length: 5_000 }, () =>
    next()
      .toString(36)
      .slice(0, 2 + (next() % 6)),
  );
  let text = "";
  while (text.length < length) text += `${words[next() % words.length]} `;
  return text;
};

export interface WideOutcome {
  readonly rows: number;
  readonly files: readonly FileFacts[];
  readonly loose: number;
  readonly sealed: boolean;
  readonly usage: number;
  readonly failures: readonly string[];
}

export interface WideLake {
  readonly objects: Objects;
  readonly policy: Policy;
  readonly engine: Engine;
}

/** Commits the segments, sweeps and works until the month is sealed, and says what the catalogue says then. */
export const compactWide = async ({ objects, policy, engine }: WideLake, segments: readonly Segment[]): Promise<WideOutcome> => {
  let now = START;
  let ids = 0;
  const jobs: string[] = [];
  const failures: string[] = [];
  const newId = (): string => now.toString(36).padStart(10, "0") + (ids++).toString(36).padStart(16, "0");
  const world: World = {
    table: memoryTable(),
    objects: withoutDownloads(objects),
    queues: {
      async send(_, messages) {
        jobs.push(...messages.map(({ body }) => body));
        return [];
      },
    },
    clock: { now: () => now },
    ids: { ulid: newId, uuid: newId, secret: (bytes) => new Uint8Array(bytes) },
    log: {
      line: (_, event, fields) => {
        if (event === "job_failed") failures.push(String(fields.error));
      },
    },
    config: settings({}),
    segments: engine.rowFiles,
    engine,
    counts: { add: () => Promise.reject(new Error("nothing is counted here")) },
    mail: { send: () => Promise.reject(new Error("nobody is written to here")) },
    dns: { texts: async () => [] },
    ...noReaders,
    model: noModel,
    tokenKeys: memoryTokenKeys(),
    ...unwatchedQueues,
    ...noInvocations,
  };
  await world.table.transact([{ kind: "put", item: initialHead(PROJECT, now) }, projectWrite(PROJECT)]);
  for (const segment of segments)
    await world.table.put(
      commitItem(PROJECT, { v: CATALOGUE_FORMAT, id: newId(), at: now, lane: "live", segments: [segment], deltas: null }),
    );
  const memory = sweepMemory();
  for (const pause of [2 * 3_600_000, 3_600_000, DAY_MS, 45 * DAY_MS, DAY_MS]) {
    now += pause;
    await sweep({ ...world, organizationOf: organizationOfProject(world.table) }, policy, memory);
    for (let body = jobs.shift(); body !== undefined; body = jobs.shift())
      await dispatch(world, policy, { id: "1", body, attempts: 1 }, { remainingMs: () => 600_000 });
  }
  const pinned = await pin(world, PROJECT, null, { events: true, state: false });
  const usage = await projectUsage(
    world,
    { organization: ORGANIZATION, project: PROJECT },
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  );
  const manifests = [...pinned.manifests.values()];
  const files = manifests.flatMap((manifest) => manifest.files);
  return {
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    files,
    loose: manifests.reduce((sum, { loose }) => sum + loose.length, 0) + pinned.waiting.length,
    sealed: manifests.every(({ sealed }) => sealed),
    usage: Object.values(usage).reduce((sum, { ai_event_count_in_period: count = 0 }) => sum + count, 0),
    failures,
  };
};

/** Bytes of all files below a directory, holes not counted. */
export const diskBytes = async (directory: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const handle = await open(join(entry.parentPath, entry.name)).catch(() => undefined);
    if (handle === undefined) continue;
    bytes += (await handle.stat()).blocks * 512;
    await handle.close();
  }
  return bytes;
};
