import { type At, compareAt } from "./deltas.ts";
import { compareText, type IdLogs, type LoggedOp } from "./person-log.ts";

/** A person as the replay leaves it. Times are microseconds since 1970. */
export interface Person {
  /** The distinct_id whose hash is the person's id. */
  readonly root: string;
  readonly ids: readonly string[];
  readonly createdAt: bigint;
  readonly lastSeen: bigint;
  readonly isIdentified: boolean;
  readonly properties: ReadonlyMap<string, unknown>;
}

/** A person under way. Whoever was merged away points to the person it became part of, so that a merge moves no ids. */
interface Draft {
  readonly root: string;
  createdAt: bigint;
  isIdentified: boolean;
  /** Null while there are none: of many persons hardly anything is known, and an empty map takes as much as all else of them. */
  properties: Map<string, unknown> | null;
  into: Draft | null;
}

/**
 * The persons of a set of logs, which has to be whole: with an id, all ids that merges tie to it. Everything is taken in the order
 * in which it happened, never in that in which it arrived.
 */
export const replay = (logs: IdLogs): readonly Person[] => {
  const drafts = new Map<string, Draft>();
  for (const { at, id, op } of orderSteps(logs)) {
    if (op?.merge) merge(drafts, op.merge.source, id, op.merge.kind === "merge_dangerously", at.time);
    const person = findPerson(drafts, id) ?? create(drafts, id, at.time);
    if (op) change(person, op);
  }
  const ids = new Map<Draft, string[]>();
  for (const [id, draft] of drafts) {
    const person = followMerges(draft);
    const own = ids.get(person);
    if (own) own.push(id);
    else ids.set(person, [id]);
  }
  return [...ids].map(([{ root, createdAt, isIdentified, properties }, own]) => ({
    ...{ root, ids: own, createdAt, isIdentified, properties: properties ?? NO_PROPERTIES },
    lastSeen: lastSeen(own, createdAt, logs),
  }));
};

const NO_PROPERTIES: ReadonlyMap<string, unknown> = new Map();

interface Step {
  readonly at: At;
  readonly id: string;
  readonly op: LoggedOp | null;
}

/**
 * What happened, in order; at one event its operation comes before the mere sight of its id, and both before what another id's event
 * does at the very same place: so it never matters for the ids whether an operation is left out that merges none.
 */
const orderSteps = (logs: IdLogs): readonly Step[] => {
  const steps: Step[] = [];
  for (const [id, { seen, ops }] of logs) {
    for (const op of ops) steps.push({ at: op.at, id, op });
    if (seen) steps.push({ at: seen.first, id, op: null });
  }
  return steps.sort((a, b) => compareAt(a.at, b.at) || compareText(a.id, b.id) || Number(a.op === null) - Number(b.op === null));
};

const create = (drafts: Map<string, Draft>, root: string, createdAt: bigint): Draft => {
  const person: Draft = { root, createdAt, isIdentified: false, properties: null, into: null };
  drafts.set(root, person);
  return person;
};

const findPerson = (drafts: Map<string, Draft>, id: string): Draft | undefined => {
  const draft = drafts.get(id);
  return draft && followMerges(draft);
};

/** Shortens the way as it goes, so that long chains of merges are walked once. */
const followMerges = (draft: Draft): Draft => {
  let last = draft;
  for (; last.into !== null; last = last.into) if (last.into.into !== null) last.into = last.into.into;
  return last;
};

/** Merges one id into another. Whoever is merged into is identified from then on, also where the merge is refused. */
const merge = (drafts: Map<string, Draft>, from: string, into: string, dangerously: boolean, time: bigint): void => {
  const source = findPerson(drafts, from);
  const target = findPerson(drafts, into);
  const person = target ?? source ?? create(drafts, into, time);
  if (source === undefined) drafts.set(from, person);
  if (target === undefined) drafts.set(into, person);
  if (source && target && source !== target && (dangerously || !source.isIdentified)) {
    target.properties = union(source.properties, target.properties);
    if (source.createdAt < target.createdAt) target.createdAt = source.createdAt;
    source.into = target;
  }
  person.isIdentified = true;
};

/** Both together, the target's where both have one; the larger of the two is kept and changed. */
const union = (source: Draft["properties"], target: Draft["properties"]): Draft["properties"] => {
  if (source === null || target === null) return source ?? target;
  if (source.size <= target.size) {
    for (const [key, value] of source) if (!target.has(key)) target.set(key, value);
    return target;
  }
  for (const [key, value] of target) source.set(key, value);
  return source;
};

const change = (person: Draft, { set, setOnce, unset }: LoggedOp): void => {
  if (set === null && setOnce === null && unset === null) return;
  const properties = person.properties ?? new Map<string, unknown>();
  person.properties = properties;
  for (const [key, value] of Object.entries(setOnce ?? {})) if (!properties.has(key)) properties.set(key, value);
  for (const [key, value] of Object.entries(set ?? {})) properties.set(key, value);
  for (const key of unset ?? []) properties.delete(key);
};

/** Every person has an id that was seen: an operation belongs to an event, and its id is seen with it. */
const lastSeen = (ids: readonly string[], createdAt: bigint, logs: IdLogs): bigint => {
  let last: bigint | null = null;
  for (const id of ids) {
    const seen = logs.get(id)?.seen;
    if (seen && (last === null || seen.last > last)) last = seen.last;
  }
  return last ?? createdAt;
};
