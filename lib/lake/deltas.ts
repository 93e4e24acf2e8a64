import { Defect } from "../core/unreachable.ts";
import type { Objects } from "../world/objects.ts";
import type { DeltaRef } from "./catalogue.ts";
import type { Fields } from "./fields.ts";
import { pack, unpack } from "./pack.ts";

/** Where something stands in the order of all that happened in a project: by event time, then position in its request, then uuid. */
export interface At {
  /** Microseconds since 1970. */
  readonly time: bigint;
  readonly index: number;
  readonly uuid: string;
}

export type MergeKind = "identify" | "alias" | "merge_dangerously";

/** What one event does to persons: a merge of `source` into the event's own id, then property changes. */
export interface PersonOp {
  readonly at: At;
  readonly id: string;
  readonly merge: { readonly kind: MergeKind; readonly source: string } | null;
  readonly set: Fields | null;
  readonly setOnce: Fields | null;
  readonly unset: readonly string[] | null;
}

/** When an id was first and last seen with person processing on. */
export interface Seen {
  readonly id: string;
  readonly first: At;
  /** Microseconds since 1970. */
  readonly last: bigint;
}

/** Properties of a group, as one event states them. */
export interface GroupOp {
  readonly at: At;
  readonly slot: number;
  readonly key: string;
  readonly set: Fields;
}

/** What a set of events says about persons and groups. */
export interface Deltas {
  readonly seen: readonly Seen[];
  readonly persons: readonly PersonOp[];
  readonly groups: readonly GroupOp[];
}

export const NO_DELTAS: Deltas = Object.freeze({ seen: [], persons: [], groups: [] });

/** The one order of everything that happened. Equal only for copies of one event. */
export const compareAt = (a: At, b: At): number => {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  if (a.index !== b.index) return a.index - b.index;
  return a.uuid < b.uuid ? -1 : a.uuid > b.uuid ? 1 : 0;
};

/** Gathers the deltas of a drain, one event at a time. */
export interface DeltaGatherer {
  seen(id: string, at: At): void;
  person(op: PersonOp): void;
  group(op: GroupOp): void;
  take(): Deltas;
}

export const gatherDeltas = (): DeltaGatherer => {
  const seen = new Map<string, { id: string; first: At; last: bigint }>();
  const persons: PersonOp[] = [];
  const groups: GroupOp[] = [];
  return {
    seen(id, at) {
      const known = seen.get(id);
      if (known === undefined) {
        seen.set(id, { id, first: at, last: at.time });
        return;
      }
      if (compareAt(at, known.first) < 0) known.first = at;
      if (at.time > known.last) known.last = at.time;
    },
    person: (op) => void persons.push(op),
    group: (op) => void groups.push(op),
    take: () => ({ seen: [...seen.values()], persons, groups }),
  };
};

/** Version of stored deltas; readers accept this and the one before. */
const DELTA_FORMAT = 1;

/** Deltas whose text is shorter than this travel inside their commit. */
const MOST_INLINE = 8_000;

/** Times are decimal text: year 9999 in microseconds does not fit a double. */
type StoredAt = readonly [time: string, index: number, uuid: string];
interface Stored {
  readonly v: number;
  readonly seen: readonly (readonly [id: string, last: string, ...first: StoredAt])[];
  readonly persons: readonly (Omit<PersonOp, "at"> & { readonly at: StoredAt })[];
  readonly groups: readonly (Omit<GroupOp, "at"> & { readonly at: StoredAt })[];
}

/** What stores the deltas of a commit: null for none, else the reference, and the object to put first if there is one. */
export const storedDeltas = (
  deltas: Deltas,
  newKey: () => string,
): { readonly ref: DeltaRef; readonly object: { readonly key: string; readonly bytes: Uint8Array } | null } | null => {
  if (deltas.seen.length === 0 && deltas.persons.length === 0 && deltas.groups.length === 0) return null;
  const stored: Stored = {
    v: DELTA_FORMAT,
    seen: deltas.seen.map(({ id, first, last }) => [id, String(last), ...storedAt(first)]),
    persons: deltas.persons.map((op) => ({ ...op, at: storedAt(op.at) })),
    groups: deltas.groups.map((op) => ({ ...op, at: storedAt(op.at) })),
  };
  const text = JSON.stringify(stored);
  if (text.length < MOST_INLINE) return { ref: { inline: text }, object: null };
  const bytes = pack(stored);
  const key = newKey();
  return { ref: { key, bytes: bytes.length }, object: { key, bytes } };
};

/** The deltas of a commit. Throws a `Defect` when their object is gone or of a format that this program does not know. */
export const readDeltas = async (objects: Pick<Objects, "get">, ref: DeltaRef | null): Promise<Deltas> => {
  if (ref === null) return NO_DELTAS;
  if ("inline" in ref) return decode(JSON.parse(ref.inline));
  const bytes = await objects.get(ref.key);
  if (bytes === undefined) throw new Defect(`the deltas ${ref.key} are missing`);
  return decode(unpack(bytes));
};

const storedAt = ({ time, index, uuid }: At): StoredAt => [String(time), index, uuid];
const atOf = ([time, index, uuid]: StoredAt): At => ({ time: BigInt(time), index, uuid });

const decode = (value: unknown): Deltas => {
  const { v, seen, persons, groups } = written(value);
  if (!(v <= DELTA_FORMAT)) throw new Defect(`deltas of format ${v} are newer than this version`);
  return {
    seen: seen.map(([id, last, ...first]) => ({ id, first: atOf(first), last: BigInt(last) })),
    persons: persons.map((op) => ({ ...op, at: atOf(op.at) })),
    groups: groups.map((op) => ({ ...op, at: atOf(op.at) })),
  };
};

/** Only `storedDeltas` writes these texts and objects, so they have this shape. */
const written = (value: unknown): Stored => value as Stored;
