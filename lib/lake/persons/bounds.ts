import type { Fields } from "../../event/fields.ts";
import { type At, compareAt } from "./deltas.ts";
import type { GroupLog } from "./group-log.ts";
import type { IdLog, LoggedOp } from "./person-log.ts";
import type { Person } from "./person-replay.ts";

/** Most properties of a person and of a group, and their bytes: above either those go that were set longest ago. */
export const MAX_PROPERTIES = 1_000;
const MAX_BYTES = 512 * 1_024;

/** What is left, and how many properties are not. */
export interface Bounded<T> {
  readonly left: T;
  readonly dropped: number;
}

/**
 * A log with no more than its person may have. Within the bounds it stays as it is. Above them a `set_once` that was said again is
 * dropped first, as it changed nothing; then what was set longest ago. Which that is says the log alone and not how it arrived, but
 * for a property that is both set and set once.
 */
export const boundedLog = (log: IdLog): Bounded<IdLog> => {
  if (fits(mentions(log.ops))) return { left: log, dropped: 0 };
  const ops = withoutRepeats(log.ops);
  const { kept, dropped } = latest(mentions(ops));
  const left = ops.map(
    (op): LoggedOp => ({
      ...op,
      set: only(op.set, kept),
      setOnce: only(op.setOnce, kept),
      unset: op.unset?.filter((key) => kept.has(key)) ?? null,
    }),
  );
  return { left: { ...log, ops: left.filter(saysSomething) }, dropped };
};

/** The same of a group. */
export const boundedGroup = (log: GroupLog): Bounded<GroupLog> => {
  const all = [...log.properties].map(([key, { at, value }]): Mention => ({ key, at, bytes: propertyBytes(key, value) }));
  if (fits(all)) return { left: log, dropped: 0 };
  const { kept, dropped } = latest(all);
  return { left: { ...log, properties: new Map([...log.properties].filter(([key]) => kept.has(key))) }, dropped };
};

/** A person that several logs made, each within the bounds. */
export const boundedPerson = (person: Person, logs: ReadonlyMap<string, IdLog>): Bounded<Person> => {
  const own = [...person.properties];
  if (fits(own.map(([key, value]) => ({ bytes: propertyBytes(key, value) })))) return { left: person, dropped: 0 };
  const said = new Map<string, At>();
  for (const { key, at } of person.ids.flatMap((id) => mentions(logs.get(id)?.ops ?? []))) {
    const known = said.get(key);
    if (known === undefined || compareAt(known, at) < 0) said.set(key, at);
  }
  const { kept, dropped } = latest(
    own.flatMap(([key, value]) => [{ key, at: said.get(key) ?? BEFORE_ALL, bytes: propertyBytes(key, value) }]),
  );
  return { left: { ...person, properties: new Map(own.filter(([key]) => kept.has(key))) }, dropped };
};

const BEFORE_ALL: At = { time: -(2n ** 63n), index: 0, uuid: "" };

interface Mention {
  readonly key: string;
  readonly at: At;
  readonly bytes: number;
}

const mentions = (ops: readonly LoggedOp[]): readonly Mention[] => {
  const all: Mention[] = [];
  for (const { at, set, setOnce, unset } of ops) {
    for (const [key, value] of Object.entries(setOnce ?? {})) all.push({ key, at, bytes: propertyBytes(key, value) });
    for (const [key, value] of Object.entries(set ?? {})) all.push({ key, at, bytes: propertyBytes(key, value) });
    for (const key of unset ?? []) all.push({ key, at, bytes: key.length });
  }
  return all;
};

const propertyBytes = (key: string, value: unknown): number =>
  Buffer.byteLength(key) + (typeof value === "string" ? Buffer.byteLength(value) : (JSON.stringify(value)?.length ?? 0));

const fits = (all: readonly Pick<Mention, "bytes">[]): boolean =>
  all.length <= MAX_PROPERTIES && all.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES;

/** The keys that were mentioned last, as many as there may be. */
const latest = (all: readonly Mention[]): { readonly kept: ReadonlySet<string>; readonly dropped: number } => {
  const byKey = new Map<string, Mention>();
  for (const one of all) {
    const known = byKey.get(one.key);
    const bytes = one.bytes + (known?.bytes ?? 0);
    byKey.set(one.key, { ...(known === undefined || compareAt(known.at, one.at) < 0 ? one : known), bytes });
  }
  const kept = new Set<string>();
  let bytes = 0;
  for (const one of [...byKey.values()].sort((a, b) => compareAt(b.at, a.at) || (a.key < b.key ? -1 : 1))) {
    bytes += one.bytes;
    if (kept.size === MAX_PROPERTIES || bytes > MAX_BYTES) break;
    kept.add(one.key);
  }
  return { kept, dropped: byKey.size - kept.size };
};

/** Of each key only the first `set_once` since it was set or unset. */
const withoutRepeats = (ops: readonly LoggedOp[]): readonly LoggedOp[] => {
  const once = new Set<string>();
  return ops.map((op) => {
    const setOnce = filtered(op.setOnce, (key) => !once.has(key));
    for (const key of Object.keys(setOnce ?? {})) once.add(key);
    for (const key of [...Object.keys(op.set ?? {}), ...(op.unset ?? [])]) once.delete(key);
    return { ...op, setOnce };
  });
};

const only = (fields: Fields | null, kept: ReadonlySet<string>): Fields | null => filtered(fields, (key) => kept.has(key));

const filtered = (fields: Fields | null, wanted: (key: string) => boolean): Fields | null => {
  const left = Object.entries(fields ?? {}).filter(([key]) => wanted(key));
  return left.length === 0 ? null : Object.fromEntries(left);
};

const saysSomething = ({ merge, set, setOnce, unset }: LoggedOp): boolean =>
  merge !== null || set !== null || setOnce !== null || (unset !== null && unset.length > 0);
