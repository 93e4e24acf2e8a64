import { greatest, least } from "../../core/bigints.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import { exactJson } from "../../core/exact-json.ts";
import { type At, compareAt, type GroupOp } from "./deltas.ts";
import { compareText } from "./person-log.ts";

/** A group: of each property the last value, and when it was stated. Two logs of a group join into one, in any order. */
export interface GroupLog {
  readonly slot: number;
  readonly key: string;
  /** First and last event that identified it, microseconds since 1970. */
  readonly createdAt: bigint;
  readonly updatedAt: bigint;
  readonly properties: ReadonlyMap<string, { readonly at: At; readonly value: unknown }>;
}

/** The name under which a group is found and sorted. */
export const groupName = ({ slot, key }: Pick<GroupLog, "slot" | "key">): string => `${slot}:${key}`;

export const groupLogs = (ops: readonly GroupOp[]): ReadonlyMap<string, GroupLog> => {
  const logs = new Map<string, GroupLog>();
  for (const { at, slot, key, set } of ops) {
    const properties = new Map(Object.entries(set).map(([name, value]) => [name, { at, value }]));
    const log: GroupLog = { slot, key, createdAt: at.time, updatedAt: at.time, properties };
    logs.set(groupName(log), joinGroups(logs.get(groupName(log)), log));
  }
  return logs;
};

export const joinGroups = (a: GroupLog | undefined, b: GroupLog): GroupLog => {
  if (a === undefined) return b;
  const properties = new Map(a.properties);
  for (const [name, entry] of b.properties) {
    const known = properties.get(name);
    if (known === undefined || comesLater(entry, known)) properties.set(name, entry);
  }
  return {
    slot: a.slot,
    key: a.key,
    createdAt: least(a.createdAt, b.createdAt),
    updatedAt: greatest(a.updatedAt, b.updatedAt),
    properties,
  };
};

type Entry = { readonly at: At; readonly value: unknown };

const comesLater = (a: Entry, b: Entry): boolean =>
  (compareAt(a.at, b.at) || compareText(canonicalJson(a.value ?? null), canonicalJson(b.value ?? null))) > 0;

type StoredEntry = readonly [name: string, value: unknown, time: string, index: number, uuid: string];

export const encodeGroupEntries = ({ properties }: GroupLog): string =>
  JSON.stringify([...properties].map(([name, { at, value }]): StoredEntry => [name, value, String(at.time), at.index, at.uuid]));

export const decodeGroupEntries = (text: string): GroupLog["properties"] =>
  new Map(written(text).map(([name, value, time, index, uuid]) => [name, { at: { time: BigInt(time), index, uuid }, value }]));

/** Only `encodeGroupEntries` writes these texts, so they have this shape. */
const written = (text: string): readonly StoredEntry[] => exactJson(text) as readonly StoredEntry[];
