import { leavesAround, placeFacts } from "../../../lib/lake/catalogue/leaves.ts";
import { getManifest, putManifest } from "../../../lib/lake/catalogue/manifests.ts";
import { CATALOGUE_FORMAT, type FileFacts, type Leaf, type Manifest } from "../../../lib/lake/catalogue.ts";
import { sharesDue } from "../../../lib/lake/compaction/share.ts";
import { eventFileKey, footersKey } from "../../../lib/lake/paths.ts";
import { POLICIES, type Policy } from "../../../lib/lake/policy.ts";
import { memoryObjects } from "../../simulation/ports/objects.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { EVENT_NAMES } from "../corpus.ts";
import { cpuMs } from "../cpu.ts";

const PROJECT = 7;
const PARTITION = "2026-03";
const DAYS = 30;
const FIRST_DAY = Date.UTC(2026, 2, 1) / 86_400_000;
const LAST_DAY = FIRST_DAY + DAYS - 1;

/** Rows of a compacted file of ordinary events: its rows fill 192 MB as they are sorted. */
export const FILE_ROWS = 192_000;

/** What the catalogue of one month costs that has so many files. */
export interface CatalogueCosts {
  readonly files: number;
  readonly leaves: number;
  /** What is said of one file, as JSON. */
  readonly factBytes: number;
  /** As stored: the object that each swap writes, and all objects together. */
  readonly rootBytes: number;
  readonly storedBytes: number;
  /** To read what a query of a day or of all days needs, by a process that has read nothing yet. */
  readonly day: ReadCosts;
  readonly month: ReadCosts;
  /** To swap in one gathered file of the last day. */
  readonly swap: ReadCosts & { readonly written: number };
  /** The same where the manifest is one object. */
  readonly unsplit: ReadCosts & { readonly written: number };
}

interface ReadCosts {
  readonly ms: number;
  readonly requests: number;
  readonly bytes: number;
}

/** Writes a month of so many files as the lake does, and reads and swaps it. No file of events exists. */
export const measureCatalogue = async (files: number): Promise<CatalogueCosts> => {
  const split = await written(files, POLICIES.deployed);
  const whole = await written(files, { ...POLICIES.deployed, factsInside: Number.POSITIVE_INFINITY });
  const isOn = (day: number) => (leaf: Leaf) => leaf.days[0] <= day && leaf.days[1] >= day;
  return {
    files,
    leaves: split.manifest.leaves?.length ?? 0,
    factBytes: JSON.stringify(split.manifest.files[0]).length,
    rootBytes: split.sizes.get(split.rootKey) ?? 0,
    storedBytes: [...split.sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    day: await split.read((objects) => getManifest(objects, PROJECT, PARTITION, "m", isOn(FIRST_DAY + 14))),
    month: await split.read((objects) => getManifest(objects, PROJECT, PARTITION, "m")),
    swap: await split.swap(),
    unsplit: await whole.swap(),
  };
};

const written = async (files: number, policy: Policy) => {
  const stored = memoryObjects();
  const sizes = new Map<string, number>();
  let costs = { requests: 0, bytes: 0 };
  const counted = () => ({
    ...stored,
    async put(key: string, bytes: Uint8Array) {
      costs = { requests: costs.requests + 1, bytes: costs.bytes + bytes.length };
      sizes.set(key, bytes.length);
      await stored.put(key, bytes);
    },
    async get(key: string) {
      const bytes = await stored.get(key);
      costs = { requests: costs.requests + 1, bytes: costs.bytes + (bytes?.length ?? 0) };
      return bytes;
    },
  });
  let ids = 0;
  const ulid = (): string => `01K${String(ids++).padStart(23, "0")}`;
  const partsOver = (objects: ReturnType<typeof counted>) => ({
    ...{ table: memoryTable(), objects, clock: { now: () => 0 } },
    ids: { ulid, uuid: ulid, secret: () => new Uint8Array() },
  });
  const parts = partsOver(counted());
  const all = Array.from({ length: files }, (_, at) => aFile(at, FIRST_DAY + Math.floor((at * DAYS) / files), ulid()));
  const manifest: Manifest = await placeFacts(parts, policy, PROJECT, null, aManifest("m", all));
  await putManifest(parts.objects, PROJECT, PARTITION, manifest);
  const before = new Map(sizes);

  const measure = async (work: (objects: ReturnType<typeof counted>) => Promise<unknown>): Promise<ReadCosts> => {
    costs = { requests: 0, bytes: 0 };
    const objects = counted();
    const ms = await cpuMs(() => work(objects));
    return { ms, ...costs };
  };
  return {
    manifest,
    sizes: before,
    rootKey: [...before.keys()].at(-1) ?? "",
    read: measure,
    async swap() {
      let put = 0;
      const read = await measure(async (objects) => {
        const inside = await getManifest(objects, PROJECT, PARTITION, "m", () => false);
        const near = leavesAround(inside ?? manifest, [[LAST_DAY, LAST_DAY]]);
        const found = await getManifest(objects, PROJECT, PARTITION, "m", ({ id }) => near.has(id));
        if (found === undefined) throw new Error("the manifest is missing");
        sharesDue(found, policy);
        const loose = [...found.loose, aFile(files, LAST_DAY, ulid())];
        const next = await placeFacts(partsOver(objects), policy, PROJECT, found, { ...found, id: "m2", loose });
        const bytes = costs.bytes;
        await putManifest(objects, PROJECT, PARTITION, next);
        put = costs.bytes - bytes;
      });
      return { ...read, bytes: read.bytes - put, written: put };
    },
  };
};

const aManifest = (id: string, files: readonly FileFacts[]): Manifest => ({
  ...{ v: CATALOGUE_FORMAT, id, partition: PARTITION, files, loose: [], absorbed: [], absorbedAt: [], corrections: [], sealed: false },
});

/** What is said of a file of ordinary events, whose footer lies beside it. */
const aFile = (at: number, day: number, id: string): FileFacts => ({
  key: eventFileKey(PROJECT, PARTITION, id),
  bytes: 83 * FILE_ROWS - at,
  rows: FILE_ROWS,
  plainBytes: 1_000 * FILE_ROWS,
  days: [day, day],
  times: [String(day * 86_400_000_000 + at), String(day * 86_400_000_000 + at + 80_000_000_000)],
  ids: [`user-${(at * 7_919).toString(16).padStart(16, "0")}`, `user-${(at * 104_729).toString(16).padStart(16, "f")}`],
  events: EVENT_NAMES.toSorted(),
  usage: {
    [day]: { event_count_in_period: FILE_ROWS - 10, enhanced_persons_event_count_in_period: 9_000 + at, exceptions_captured_in_period: 10 },
  },
  rare: false,
  footerBytes: 13_978,
  footerAt: { key: footersKey(PROJECT, PARTITION, `01J${String(Math.floor(at / 70)).padStart(23, "0")}`), from: 13_978 * (at % 70) },
});
