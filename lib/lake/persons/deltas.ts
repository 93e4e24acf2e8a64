import type { Fields } from "../../event/fields.ts";

/** Where something stands in the order of all that happened in a project: by event time, then position in its request, then uuid. */
export interface At {
  /** Microseconds since 1970. */
  readonly time: bigint;
  readonly index: number;
  readonly uuid: string;
}

export type MergeKind = "identify" | "alias" | "merge_dangerously";

/** The change of one event to persons: a merge of `source` into the event's own id, then property changes. */
export interface PersonOp {
  readonly at: At;
  readonly id: string;
  readonly merge: { readonly kind: MergeKind; readonly source: string } | null;
  readonly set: Fields | null;
  readonly setOnce: Fields | null;
  readonly unset: readonly string[] | null;
}

/** When an id was first and last seen with person processing on. Those of a commit are apart for each time partition. */
export interface IdSighting {
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

/** The changes of a set of events to persons and groups. */
export interface Deltas {
  readonly seen: readonly IdSighting[];
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

/** Gathers deltas, one event at a time. */
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

/** Several as if they were one. */
export const together = (all: readonly Deltas[]): Deltas => ({
  seen: all.flatMap(({ seen }) => seen),
  persons: all.flatMap(({ persons }) => persons),
  groups: all.flatMap(({ groups }) => groups),
});
