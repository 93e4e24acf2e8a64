import { cache, perOwner } from "../../core/cache.ts";
import type { Item } from "../../ports/table.ts";
import { TTL_ATTRIBUTE } from "../../table/layout.ts";
import { keyIn, partitionKey, sortKey } from "../../table/partitions.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { BUCKET_MS, BUCKETS, bucketAt, type IssueCounts } from "./buckets.ts";

/** Exceptions by delivery and issue: counted by delivery, so that one which comes again adds nothing. */
export type DeliveryCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

const FORMAT = 1;

/** Pairs of a delivery and an issue in one item, some 100 KB. */
const MAX_PAIRS = 1_000;

const KEPT_MS = BUCKETS * BUCKET_MS;

/** Writes what a drain accepted: one item however many exceptions there are, more only for very many issues. */
export const writeCounts = async (parts: TrackingParts, project: number, counts: DeliveryCounts): Promise<void> => {
  const now = parts.clock.now();
  for (const pairs of splitPairs(counts)) {
    const item: Item = {
      ...keyIn("exceptionCounts", "count", { project, bucket: bucketAt(now), id: parts.ids.ulid() }),
      entity: "exception_counts",
      v: FORMAT,
      pairs: JSON.stringify(pairs),
      [TTL_ATTRIBUTE]: Math.ceil((now + KEPT_MS) / 1_000),
    };
    await parts.table.put(item);
  }
};

type Pair = readonly [delivery: string, issue: string, count: number];

const splitPairs = (counts: DeliveryCounts): readonly (readonly Pair[])[] => {
  const pairs = [...counts].flatMap(([delivery, issues]) => [...issues].map(([issue, count]): Pair => [delivery, issue, count]));
  return Array.from({ length: Math.ceil(pairs.length / MAX_PAIRS) }, (_, index) => pairs.slice(index * MAX_PAIRS, (index + 1) * MAX_PAIRS));
};

/** Before all items of a bucket, and after those of the one before. */
const bucketSk = (bucket: number): string => sortKey("exceptionCounts", "count", { bucket, id: "" });

/** A bucket as it was read: counts by delivery. A closed one is read once. */
interface KnownBucket {
  readonly closed: boolean;
  readonly pairs: readonly Pair[];
}

/** Projects remembered at once. */
const MAX_PROJECTS = 200;

const remembered = perOwner((_: TrackingParts) => cache<number, ReadonlyMap<number, KnownBucket>>({ capacity: MAX_PROJECTS }));

/** How long after its end a bucket may still get items of another process. */
const SETTLED_MS = 60_000;

/** The counts of the last buckets, the current one first. Only buckets that may have changed are read again. */
export const readCounts = async (parts: TrackingParts, project: number): Promise<readonly IssueCounts[]> => {
  const now = parts.clock.now();
  const current = bucketAt(now);
  const numbers = Array.from({ length: BUCKETS }, (_, age) => current - age);
  const known = remembered(parts).get(project);
  const open = numbers.filter((bucket) => known?.get(bucket)?.closed !== true);
  const read = await readBuckets(parts, project, Math.min(...open), current);
  const all = new Map(
    numbers.map((bucket) => {
      const before = known?.get(bucket);
      if (before?.closed) return [bucket, before] as const;
      return [bucket, { closed: now >= (bucket + 1) * BUCKET_MS + SETTLED_MS, pairs: read.get(bucket) ?? [] }] as const;
    }),
  );
  remembered(parts).set(project, all);
  return withoutRepeats(numbers.map((bucket) => all.get(bucket)?.pairs ?? []));
};

const readBuckets = async (
  { table }: TrackingParts,
  project: number,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, readonly Pair[]>> => {
  const found = new Map<number, Pair[]>();
  let cursor: string | null = null;
  do {
    const page = await table.query({
      pk: partitionKey("exceptionCounts", { project }),
      sk: { from: bucketSk(from), to: bucketSk(to + 1) },
      consistent: true,
      cursor,
    });
    for (const { sk, pairs } of page.items) {
      const bucket = Number(sk.split("#")[1]);
      const list = found.get(bucket) ?? [];
      if (typeof pairs === "string") list.push(...JSON.parse(pairs));
      found.set(bucket, list);
    }
    cursor = page.cursor;
  } while (cursor !== null);
  return found;
};

/** A delivery counts in the bucket in which it came first. */
const withoutRepeats = (buckets: readonly (readonly Pair[])[]): readonly IssueCounts[] => {
  const seen = new Set<string>();
  return buckets
    .toReversed()
    .map((pairs) => {
      const counts = new Map<string, number>();
      for (const [delivery, issue, count] of pairs) {
        const name = `${delivery} ${issue}`;
        if (seen.has(name)) continue;
        seen.add(name);
        counts.set(issue, (counts.get(issue) ?? 0) + count);
      }
      return counts;
    })
    .toReversed();
};
