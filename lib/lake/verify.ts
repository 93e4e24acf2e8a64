import { setTimeout as pause } from "node:timers/promises";
import { forEachConcurrent } from "../core/concurrency.ts";
import { thrownMessage } from "../core/thrown-message.ts";
import { DAY_US, isoDay } from "../core/time.ts";
import { overlap, partitionDays, type TimeRange } from "../event/time-partitions.ts";
import type { ObjectFacts, Objects } from "../ports/objects.ts";
import { compareCounts } from "../usage/day-counts.ts";
import type { Owner } from "../usage/roll-ups.ts";
import { unnamedBefore } from "./audit.ts";
import type { ReadParts } from "./catalogue/parts.ts";
import { type FileFacts, STATE_ENTRY } from "./catalogue.ts";
import { type CatalogueNames, type NamedObject, type PublishedKeys, readNames } from "./names.ts";
import { readFooter } from "./parquet.ts";
import { lakePrefixes } from "./paths.ts";
import { pin, readCatalogueSnapshot } from "./pin.ts";
import type { Policy } from "./policy.ts";
import type { RowFiles } from "./row-files.ts";
import { comparePartition } from "./usage.ts";

/** Something that is not as the catalogue says. */
export interface Problem {
  readonly key: string;
  /** What is wrong with it, after its name: `is missing`. */
  readonly says: string;
}

/** What came of comparing the store with what names its objects. */
export interface Verified {
  /** Objects that are named and there. */
  readonly objects: number;
  readonly bytes: number;
  readonly problems: readonly Problem[];
  /** What is named by nothing and too old to be named yet, the oldest first. */
  readonly unnamed: readonly ObjectFacts[];
}

/** A part of the store, and the time before which what lies in it is named by now or never. */
export interface Folder {
  readonly prefix: string;
  readonly before: number;
}

export type Names = ReadonlyMap<string, Pick<NamedObject, "isNeeded" | "bytes">>;

/**
 * Compares what lies in folders with names, which are read before the store is listed and, where something does not agree, once more: what
 * only one of both readings names was replaced meanwhile.
 */
export const compareStored = async (
  { list }: Pick<Objects, "list">,
  folders: readonly Folder[],
  names: Names,
  again: () => Promise<Names>,
  onListed: (objects: number) => void = () => undefined,
): Promise<Verified> => {
  const problems: Problem[] = [];
  const unnamed: ObjectFacts[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const { prefix, before } of folders)
    for await (const found of listAll(list, prefix)) {
      const named = names.get(found.key);
      if (named === undefined) {
        if (found.modified < before) unnamed.push(found);
        continue;
      }
      seen.add(found.key);
      bytes += found.bytes;
      onListed(seen.size);
      if (named.bytes !== undefined && named.bytes !== found.bytes)
        problems.push({ key: found.key, says: `has ${found.bytes} bytes, and the catalogue says ${named.bytes}` });
    }
  const missing = [...names].filter(([key, { isNeeded }]) => isNeeded && !seen.has(key)).map(([key]) => key);
  const second = missing.length + unnamed.length === 0 ? names : await again();
  for (const key of missing) if (second.get(key)?.isNeeded) problems.push({ key, says: "is missing" });
  return {
    objects: seen.size,
    bytes,
    problems,
    unnamed: unnamed.filter(({ key }) => !second.has(key)).sort((left, right) => left.modified - right.modified),
  };
};

async function* listAll(list: Objects["list"], prefix: string): AsyncGenerator<ObjectFacts> {
  let cursor: string | null = null;
  do {
    const page = await list(prefix, cursor);
    yield* page.objects;
    cursor = page.cursor;
  } while (cursor !== null);
}

/** Tries to read all names at one go. */
const TRIES = 5;

/** Ends of files that are read side by side. */
const CONCURRENCY = 8;

/**
 * Holds a project's part of the store to the catalogue: every object that a reader may ask for is there with its bytes, and every file
 * ends with the footer and says the rows that the catalogue says. Undefined for a project that is removed.
 */
export const verifyLake = async (
  parts: ReadParts,
  policy: Policy,
  project: number,
  published: PublishedKeys,
  onListed?: (objects: number) => void,
): Promise<Verified | undefined> => {
  const now = parts.clock.now();
  const unreadable = new Map<string, string>();
  const read = () => readWhole(parts, project, published, unreadable);
  const first = await read();
  if (first === "removed") return undefined;
  const folders = lakePrefixes(project).map((prefix) => ({ prefix, before: unnamedBefore(policy, project, prefix, now) }));
  const again = async (): Promise<Names> => {
    const second = await read();
    return second === "removed" ? new Map() : second.objects;
  };
  const verified = await compareStored(parts.objects, folders, first.objects, again, onListed);
  const wrong = new Set(verified.problems.map(({ key }) => key));
  const files = [...first.objects].filter(([key, { isNeeded, rows }]) => isNeeded && rows !== undefined && !wrong.has(key));
  const ends: Problem[] = [];
  await forEachConcurrent(files, CONCURRENCY, async ([key, named]) => {
    // A store that lists an object may have lost its bytes: what is wrong with others is told all the same.
    const says = await checkEnd(parts.objects, key, named).catch(unreadableBy);
    if (says !== undefined) ends.push({ key, says });
  });
  const problems = [...[...unreadable].map(([key, says]) => ({ key, says })), ...verified.problems, ...ends];
  // Of what cannot be read nobody knows what it names.
  return { ...verified, problems, unnamed: unreadable.size === 0 && first.gone.length === 0 ? verified.unnamed : [] };
};

const unreadableBy = (thrown: unknown): string => `cannot be read: ${thrownMessage(thrown)}`;

const readWhole = async (
  parts: ReadParts,
  project: number,
  published: PublishedKeys,
  unreadable: Map<string, string>,
): Promise<CatalogueNames | "removed"> => {
  const onUnreadable = (key: string, thrown: unknown): void => void unreadable.set(key, unreadableBy(thrown));
  const publishedOrNone: PublishedKeys = async () => {
    try {
      return await published();
    } catch (thrown) {
      onUnreadable(`the published tables of project ${project}`, thrown);
      return [];
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    unreadable.clear();
    const names = await readNames(parts, project, publishedOrNone, onUnreadable);
    if (names === "removed" || names.gone.length === 0 || attempt === TRIES) return names;
  }
};

/** The length of the metadata and four letters. */
const TAIL_BYTES = 8;
const MAGIC = "PAR1";

/** What is wrong with the end of a Parquet file. */
const checkEnd = async (
  objects: Pick<Objects, "getRange">,
  key: string,
  { bytes = 0, rows, footer }: NamedObject,
): Promise<string | undefined> => {
  const tail = await objects.getRange(key, Math.max(0, bytes - TAIL_BYTES), bytes);
  // It was retired and deleted since it was listed.
  if (tail === undefined) return undefined;
  const end = Buffer.from(tail);
  if (end.length < TAIL_BYTES || end.toString("latin1", 4) !== MAGIC) return "does not end as a Parquet file does";
  const length = end.readUInt32LE(0);
  if (footer !== undefined && footer.footerBytes !== length)
    return `has a footer of ${length} bytes, and the catalogue says ${footer.footerBytes}`;
  if (length > bytes - TAIL_BYTES) return "does not end as a Parquet file does";
  const own = await objects.getRange(key, bytes - TAIL_BYTES - length, bytes - TAIL_BYTES);
  if (own === undefined) return undefined;
  const known = footer && (await knownFooter(objects, footer));
  if (known !== undefined && Buffer.compare(known, own) !== 0) return "has another footer than the catalogue";
  try {
    const stored = Number(readFooter(own).num_rows);
    return rows === undefined || stored === rows ? undefined : `has ${stored} rows, and the catalogue says ${rows}`;
  } catch (thrown) {
    return `has a footer that cannot be read: ${thrownMessage(thrown)}`;
  }
};

const knownFooter = async (
  objects: Pick<Objects, "getRange">,
  { footer, footerAt, footerBytes }: NonNullable<NamedObject["footer"]>,
): Promise<Uint8Array | undefined> => {
  if (footer !== undefined) return Buffer.from(footer, "base64");
  return footerAt && objects.getRange(footerAt.key, footerAt.from, footerAt.from + footerBytes);
};

/** What was read of a project's rows. */
export interface VerifiedRows {
  readonly rows: number;
  readonly problems: readonly Problem[];
}

/**
 * Reads every row of one state of a project: each file counts what the catalogue says of it, no event is there twice among the files of the
 * manifests, and the stored usage is what they count.
 */
export const verifyRows = async (
  parts: ReadParts & { readonly rowFiles: RowFiles },
  owner: Owner,
  onRead: (rows: number) => void = () => undefined,
): Promise<VerifiedRows> => {
  const { project } = owner;
  const problems: Problem[] = [];
  const patience = { looks: MOST_LOOKS };
  let rows = 0;
  const recount = async (file: FileFacts): Promise<void> => {
    try {
      const differences = compareCounts(file.usage, await parts.rowFiles.recount(project, file));
      const days = new Set(differences.map(({ day }) => isoDay(day)));
      if (days.size > 0) problems.push({ key: file.key, says: `counts other usage than the catalogue says, on ${[...days].join(", ")}` });
    } catch (thrown) {
      problems.push({ key: file.key, says: unreadableBy(thrown) });
    }
    rows += file.rows;
    onRead(rows);
  };
  for (const partition of await partitionsOf(parts, project)) {
    const { manifests, waiting } = await pin(parts, project, partitionRange(partition), { events: true, state: false });
    for (const { segments } of waiting) for (const segment of segments) if (segment.partition === partition) await recount(segment);
    const { files = [], loose = [] } = manifests.get(partition) ?? {};
    const own = [...files, ...loose];
    for (const file of own) await recount(file);
    const broken = new Set(problems.map(({ key }) => key));
    for (const group of sharingDays(own.filter(({ key }) => !broken.has(key))))
      for (const [key, copies] of await parts.rowFiles.duplicates(project, group, []))
        problems.push({ key, says: `has ${copies.length} events that are there already` });
    const compare = async () => (await comparePartition(parts, owner, partition)) ?? [];
    for (const { day, type, stored, counted } of await lastingDifferences(compare, patience))
      problems.push({
        key: `the usage of project ${project} in ${partition}`,
        says: `is stored as ${stored} of ${type} on ${isoDay(day)}, and the files count ${counted}`,
      });
  }
  return { rows, problems };
};

/** Ten seconds in all. */
const [MOST_LOOKS, LOOK_AGAIN_MS] = [40, 250];

/**
 * What still differs when there is no patience left. Where usage is being counted, a partition is counted before those beside it, and
 * differs for as long from what their files say.
 */
export const lastingDifferences = async <T>(compare: () => Promise<readonly T[]>, patience: { looks: number }): Promise<readonly T[]> => {
  for (;;) {
    const found = await compare();
    if (found.length === 0 || patience.looks <= 0) return found;
    patience.looks -= 1;
    await pause(LOOK_AGAIN_MS);
  }
};

/** One after the other, so that the facts of one of them are held at a time: those of the head, and those whose rows all wait. */
const partitionsOf = async (parts: ReadParts, project: number): Promise<readonly string[]> => {
  const { head, commits } = await readCatalogueSnapshot(parts, project);
  const waiting = commits.flatMap(({ segments }) => segments.map(({ partition }) => partition));
  return [...new Set([...Object.keys(head.manifests).filter((entry) => entry !== STATE_ENTRY), ...waiting])].sort();
};

const partitionRange = (partition: string): TimeRange => {
  const [first, last] = partitionDays(partition);
  return { from: Number.isFinite(first) ? BigInt(first) * DAY_US : null, to: BigInt(last + 1) * DAY_US };
};

/** Files put together as far as days of theirs overlap: no event is in two of these groups. */
const sharingDays = (files: readonly FileFacts[]): readonly (readonly FileFacts[])[] => {
  const groups: FileFacts[][] = [];
  let reached: readonly [number, number] = [0, Number.NEGATIVE_INFINITY];
  for (const file of files.toSorted((left, right) => left.days[0] - right.days[0])) {
    if (overlap(file.days, reached)) {
      groups.at(-1)?.push(file);
      reached = [reached[0], Math.max(reached[1], file.days[1])];
    } else {
      groups.push([file]);
      reached = file.days;
    }
  }
  return groups;
};
