import { exactJson } from "../../core/exact-json.ts";
import { isReadable, writtenVersion } from "../../core/formats.ts";
import { unpack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Objects } from "../../ports/objects.ts";
import type { DeltaRef } from "../catalogue.ts";
import { type At, type Deltas, NO_DELTAS, type PersonOp } from "./deltas.ts";

/** Version of deltas as text; readers accept this one, the one after, and the one before, whose sightings span partitions. */
const DELTA_FORMAT = 2;

/** Deltas whose text is shorter than this travel inside their commit. */
export const MOST_INLINE = 8_000;

/** More entries than this are longer than that as text. */
const MOST_INLINE_ENTRIES = MOST_INLINE / 50;

/** Times are decimal text: year 9999 in microseconds does not fit a double. */
type StoredAt = readonly [time: string, index: number, uuid: string];
interface StoredDeltas {
  readonly v: number;
  readonly seen: readonly (readonly [id: string, last: string, ...first: StoredAt])[];
  readonly persons: readonly (Omit<PersonOp, "at"> & { readonly at: StoredAt })[];
  readonly groups: readonly (Omit<Deltas["groups"][number], "at"> & { readonly at: StoredAt })[];
}

/** What stores the deltas of a commit: null for none, else the reference, and the object to put first if there is one. */
export const storedDeltas = async (
  project: number,
  deltas: Deltas,
  newKey: () => string,
  mostInline = MOST_INLINE,
): Promise<{ readonly ref: DeltaRef; readonly object: { readonly key: string; readonly bytes: Uint8Array } | null } | null> => {
  const entries = entryCount(deltas);
  if (entries === 0) return null;
  if (entries <= MOST_INLINE_ENTRIES) {
    const text = JSON.stringify(textForm(deltas));
    if (text.length < mostInline) return { ref: { inline: text }, object: null };
  }
  const { encodeDeltaFile } = await deltaFiles();
  const bytes = await encodeDeltaFile(project, deltas);
  const key = newKey();
  return { ref: { key, bytes: bytes.length, entries }, object: { key, bytes } };
};

/** The deltas of a commit. Throws a `Defect` when their object is gone or of a format that this program does not know. */
export const readDeltas = async (objects: Pick<Objects, "get">, ref: DeltaRef | null): Promise<Deltas> => {
  if (ref === null) return NO_DELTAS;
  if ("inline" in ref) return decode(exactJson(ref.inline));
  const bytes = await objects.get(ref.key);
  if (bytes === undefined) throw new Defect(`the deltas ${ref.key} are missing`);
  if (ref.entries === undefined) return decode(unpack(bytes));
  const { decodeDeltaFile } = await deltaFiles();
  return decodeDeltaFile(bytes);
};

/** Entries of a commit's deltas, before they are read; those of the version before do not say, and count as more than any bound. */
export const entriesIn = (ref: DeltaRef | null): number => {
  if (ref === null) return 0;
  return "inline" in ref ? entryCount(decode(JSON.parse(ref.inline))) : (ref.entries ?? Number.POSITIVE_INFINITY);
};

/** Only many deltas are read and written as Parquet, and the registry is read by many that never do. */
const deltaFiles = () => import("./delta-files.ts");

/** Whether each sighting is of one partition, so that what compaction drops in one can be taken back. */
export const areByPartition = (ref: DeltaRef | null): boolean =>
  ref !== null && "inline" in ref ? written(JSON.parse(ref.inline)).v >= 2 : ref?.entries !== undefined;

const entryCount = ({ seen, persons, groups }: Deltas): number => seen.length + persons.length + groups.length;

const textForm = ({ seen, persons, groups }: Deltas): StoredDeltas => ({
  v: writtenVersion(DELTA_FORMAT),
  seen: seen.map(({ id, first, last }) => [id, String(last), ...storedAt(first)]),
  persons: persons.map((op) => ({ ...op, at: storedAt(op.at) })),
  groups: groups.map((op) => ({ ...op, at: storedAt(op.at) })),
});

const storedAt = ({ time, index, uuid }: At): StoredAt => [String(time), index, uuid];
const readAt = ([time, index, uuid]: StoredAt): At => ({ time: BigInt(time), index, uuid });

const decode = (value: unknown): Deltas => {
  const { v, seen, persons, groups } = written(value);
  if (!isReadable(v, DELTA_FORMAT)) throw new Defect(`deltas of format ${v} are newer than this version`);
  return {
    seen: seen.map(([id, last, ...first]) => ({ id, first: readAt(first), last: BigInt(last) })),
    persons: persons.map((op) => ({ ...op, at: readAt(op.at) })),
    groups: groups.map((op) => ({ ...op, at: readAt(op.at) })),
  };
};

/** Only `storedDeltas` writes these texts, and versions before it wrote such objects, so they have this shape. */
const written = (value: unknown): StoredDeltas => value as StoredDeltas;
