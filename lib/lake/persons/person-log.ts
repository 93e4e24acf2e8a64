import { greatest } from "../../core/bigints.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import { exactJson } from "../../core/exact-json.ts";
import type { Fields } from "../../event/fields.ts";
import { type At, compareAt, type Deltas, type IdSighting, type MergeKind, type PersonOp } from "./deltas.ts";

/** An operation of an id's log: that of an event, without what later ones of the same id made meaningless. */
export type LoggedOp = Omit<PersonOp, "id">;

/**
 * All that a replay needs of one distinct_id, whatever arrives later. Two logs of an id join into one, in any order and as often
 * as one likes, with the same result.
 */
export interface IdLog {
  readonly seen: Omit<IdSighting, "id"> | null;
  /** In order. */
  readonly ops: readonly LoggedOp[];
  /** Sorted: the ids that this one was merged into, or was to be. */
  readonly targets: readonly string[];
}

export type IdLogs = ReadonlyMap<string, IdLog>;

const EMPTY: IdLog = Object.freeze({ seen: null, ops: [], targets: [] });

/** Deltas by id. However many say something of an id, its operations are put in order once. */
export const mergeLogs = (all: readonly Pick<Deltas, "seen" | "persons">[]): IdLogs => {
  const drafts = new Map<string, Draft>();
  const draft = (id: string) => {
    const known = drafts.get(id);
    if (known) return known;
    const fresh: Draft = { seen: null, ops: [], targets: null };
    drafts.set(id, fresh);
    return fresh;
  };
  for (const { seen, persons } of all) {
    for (const { id, first, last } of seen) {
      const own = draft(id);
      own.seen = joinSeen(own.seen, { first, last });
    }
    for (const { id, ...op } of persons) {
      draft(id).ops.push(op);
      if (op.merge) {
        const source = draft(op.merge.source);
        source.targets ??= new Set();
        source.targets.add(id);
      }
    }
  }
  const logs = new Map<string, IdLog>();
  for (const [id, { seen, ops, targets }] of drafts)
    logs.set(id, { seen, ops: live(ops), targets: targets ? [...targets].sort() : NOBODY });
  return logs;
};

interface Draft {
  seen: IdLog["seen"];
  readonly ops: LoggedOp[];
  targets: Set<string> | null;
}

const NOBODY: readonly string[] = Object.freeze([]);

export const joinLogs = (a: IdLog | undefined, b: IdLog | undefined): IdLog => {
  if (a === undefined || b === undefined) return a ?? b ?? EMPTY;
  return {
    seen: joinSeen(a.seen, b.seen),
    ops: a.ops.length === 0 ? b.ops : b.ops.length === 0 ? a.ops : live([...a.ops, ...b.ops]),
    targets: b.targets.length === 0 ? a.targets : [...new Set([...a.targets, ...b.targets])].sort(),
  };
};

/** The ids that a log ties to its own by merges. */
export const neighbours = ({ ops, targets }: IdLog): readonly string[] => [
  ...targets,
  ...ops.flatMap(({ merge }) => (merge ? [merge.source] : [])),
];

/** Whether merges tie it to others. */
export const isTied = ({ ops, targets }: IdLog): boolean => targets.length > 0 || ops.some(({ merge }) => merge !== null);

const joinSeen = (a: IdLog["seen"], b: IdLog["seen"]): IdLog["seen"] => {
  if (a === null || b === null) return a ?? b;
  return { first: compareAt(a.first, b.first) <= 0 ? a.first : b.first, last: greatest(a.last, b.last) };
};

/**
 * The operations in order, one of each event, without what cannot matter any more. A `set` or `unset` of a key ends all that came
 * before it for this key and this id: whatever person the id belonged to, it belongs to the one that is changed now. A merge that
 * was tried before changes nothing: it was carried out, or is refused for the same reason.
 */
const live = (ops: readonly LoggedOp[]): readonly LoggedOp[] =>
  ops.length === 0 ? NO_OPS : withoutDead(withoutRepeatedMerges(inOrder(ops)));

const NO_OPS: readonly LoggedOp[] = Object.freeze([]);

const inOrder = (ops: readonly LoggedOp[]): readonly LoggedOp[] => {
  const single: LoggedOp[] = [];
  for (const op of ops.toSorted((a, b) => compareAt(a.at, b.at))) {
    const before = single.at(-1);
    if (before && compareAt(before.at, op.at) === 0) single[single.length - 1] = joinCopies(before, op);
    else single.push(op);
  }
  return single;
};

/** Copies of one event say the same, but for what one of them has lost as dead; where they do differ, the lesser text stands. */
const joinCopies = (a: LoggedOp, b: LoggedOp): LoggedOp => ({
  at: a.at,
  merge: a.merge && b.merge ? lesser(a.merge, b.merge) : (a.merge ?? b.merge),
  set: joinFields(a.set, b.set),
  setOnce: joinFields(a.setOnce, b.setOnce),
  unset: a.unset && b.unset ? [...new Set([...a.unset, ...b.unset])] : (a.unset ?? b.unset),
});

const joinFields = (a: Fields | null, b: Fields | null): Fields | null => {
  if (a === null || b === null) return a ?? b;
  const joined = new Map(Object.entries(a));
  for (const [key, value] of Object.entries(b)) joined.set(key, joined.has(key) ? lesser(joined.get(key), value) : value);
  return Object.fromEntries(joined);
};

const lesser = <T>(a: T, b: T): T => (compareText(canonicalJson(a), canonicalJson(b)) <= 0 ? a : b);

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const withoutRepeatedMerges = (ops: readonly LoggedOp[]): readonly LoggedOp[] => {
  const known = new Set<string>();
  return ops.map((op) => {
    if (op.merge === null) return op;
    const name = `${op.merge.kind}:${op.merge.source}`;
    if (known.has(name)) return { ...op, merge: null };
    known.add(name);
    return op;
  });
};

const withoutDead = (ops: readonly LoggedOp[]): readonly LoggedOp[] => {
  const ended = new Set<string>();
  const kept: LoggedOp[] = [];
  for (const op of ops.toReversed()) {
    const unset = op.unset?.filter((key) => !ended.has(key)) ?? [];
    for (const key of op.unset ?? []) ended.add(key);
    const set = without(op.set, ended);
    for (const key of Object.keys(op.set ?? {})) ended.add(key);
    const setOnce = without(op.setOnce, ended);
    if (op.merge || set || setOnce || unset.length > 0) {
      kept.push({ at: op.at, merge: op.merge, set, setOnce, unset: unset.length > 0 ? unset : null });
    }
  }
  return kept.reverse();
};

const without = (fields: Fields | null, keys: ReadonlySet<string>): Fields | null => {
  const entries = Object.entries(fields ?? {});
  const left = entries.filter(([key]) => !keys.has(key));
  if (left.length === 0) return null;
  return left.length === entries.length ? fields : Object.fromEntries(left);
};

/** Times are decimal text, as year 9999 in microseconds does not fit a double. */
type StoredAt = readonly [time: string, index: number, uuid: string];
interface StoredLog {
  readonly s?: readonly [last: string, ...first: StoredAt];
  readonly o?: readonly (readonly [
    StoredAt,
    merge: readonly [MergeKind, string] | null,
    set: Fields | null,
    once: Fields | null,
    unset: readonly string[] | null,
  ])[];
  readonly t?: readonly string[];
}

export const encodeLog = ({ seen, ops, targets }: IdLog): string => {
  const stored: StoredLog = {
    ...(seen && { s: [String(seen.last), ...storedAt(seen.first)] }),
    ...(ops.length > 0 && {
      o: ops.map(({ at, merge, set, setOnce, unset }) => [storedAt(at), merge && [merge.kind, merge.source], set, setOnce, unset]),
    }),
    ...(targets.length > 0 && { t: targets }),
  };
  return JSON.stringify(stored);
};

export const decodeLog = (text: string): IdLog => {
  const { s, o = [], t = [] } = written(text);
  const [last, ...first] = s ?? ["0", "0", 0, ""];
  return {
    seen: s ? { first: readAt(first), last: BigInt(last) } : null,
    ops: o.map(([at, merge, set, setOnce, unset]) => ({
      at: readAt(at),
      merge: merge && { kind: merge[0], source: merge[1] },
      set,
      setOnce,
      unset,
    })),
    targets: t,
  };
};

/** Only `encodeLog` writes these texts, so they have this shape. */
const written = (text: string): StoredLog => exactJson(text) as StoredLog;

const storedAt = ({ time, index, uuid }: At): StoredAt => [String(time), index, uuid];
const readAt = ([time, index, uuid]: StoredAt): At => ({ time: BigInt(time), index, uuid });
