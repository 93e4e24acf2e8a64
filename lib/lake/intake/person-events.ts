import type { RawEvent } from "../../event/envelope.ts";
import type { PersonMode } from "../../event/event.ts";
import { type Fields, isFields } from "../../event/fields.ts";
import { idText } from "../../event/identity.ts";
import { GROUP_IDENTIFY } from "../group-types.ts";
import type { MergeKind, PersonOp } from "../persons/deltas.ts";

/** The change that an event makes to persons, but for its place in the order, and its properties as they are stored. */
export interface PersonSide {
  readonly mode: PersonMode;
  readonly properties: Fields;
  readonly op: Pick<PersonOp, "merge" | "set" | "setOnce" | "unset"> | null;
  /** Properties that were left out, being more than one event may change. */
  readonly over: number;
}

/** Events whose property changes are kept with the event and not carried out. */
const NO_UPDATES: ReadonlySet<string> = new Set(["$exception", "$$heatmap"]);

const NO_PROPERTIES: Fields = Object.freeze({});

/** Reads the person rules of an event. `distinctId` is its id as stored, `merged` what `withTopLevel` makes of it. */
export const personSide = (event: RawEvent, distinctId: string, merged: Fields): PersonSide => {
  if (merged.$process_person_profile === false) return { mode: "propertyless", properties: withoutUpdates(merged), op: null, over: 0 };
  if (GROUP_IDENTIFY.has(event.event)) return { mode: "full", properties: withoutUpdates(merged), op: null, over: 0 };
  const updates = readUpdates(event.event, merged);
  const merge = readMerge(event.event, merged, distinctId);
  const op = updates === null && merge === null ? null : { ...(updates ?? NO_UPDATE), merge };
  return { mode: "full", properties: merged, op, over: updates === null ? 0 : overIn(merged) };
};

/**
 * The properties of an event with what stands at its top: `$set` and `$set_once` win over those of the properties, key by key, and
 * the names of both `$unset` are unset.
 */
export const withTopLevel = ({ properties = NO_PROPERTIES, $set, $set_once, $unset }: RawEvent): Fields => {
  if (!$set && !$set_once && !$unset) return properties;
  const unset = unsetKeys($unset);
  return {
    ...properties,
    ...($set && { $set: { ...fieldsOrNone(properties.$set), ...$set } }),
    ...($set_once && { $set_once: { ...fieldsOrNone(properties.$set_once), ...$set_once } }),
    ...(unset && { $unset: [...new Set([...(unsetKeys(properties.$unset) ?? []), ...unset])] }),
  };
};

const fieldsOrNone = (value: unknown): Fields => (isFields(value) ? value : NO_PROPERTIES);

const withoutUpdates = (properties: Fields): Fields => {
  if (properties.$set === undefined && properties.$set_once === undefined && properties.$unset === undefined) return properties;
  const { $set: _set, $set_once: _setOnce, $unset: _unset, ...rest } = properties;
  return rest;
};

const NO_UPDATE = Object.freeze({ set: null, setOnce: null, unset: null });

const readUpdates = (name: string, properties: Fields): Pick<PersonOp, "set" | "setOnce" | "unset"> | null => {
  const { $set, $set_once, $unset } = properties;
  if ($set === undefined && $set_once === undefined && $unset === undefined) return null;
  if (NO_UPDATES.has(name)) return null;
  const updates = { set: someFields($set), setOnce: someFields($set_once), unset: unsetKeys($unset)?.slice(0, MAX_KEYS) ?? null };
  return updates.set || updates.setOnce || updates.unset ? updates : null;
};

/** Most properties that one event sets, sets once or unsets, and that it states of a group. Those written after them are left out. */
const MAX_KEYS = 200;

/** How many of them an event names beyond those that it may. */
export const overBound = (names: number): number => Math.max(0, names - MAX_KEYS);

const overIn = ({ $set, $set_once, $unset }: Fields): number =>
  [$set, $set_once].reduce<number>((sum, fields) => sum + (isFields(fields) ? overBound(Object.keys(fields).length) : 0), 0) +
  overBound(unsetKeys($unset)?.length ?? 0);

export const boundedFields = (fields: Fields): Fields => {
  const entries = Object.entries(fields);
  return entries.length <= MAX_KEYS ? fields : Object.fromEntries(entries.slice(0, MAX_KEYS));
};

const someFields = (value: unknown): Fields | null => (isFields(value) && Object.keys(value).length > 0 ? boundedFields(value) : null);

const unsetKeys = (value: unknown): readonly string[] | null => {
  const keys = Array.isArray(value) ? value.filter((key) => typeof key === "string") : isFields(value) ? Object.keys(value) : [];
  return keys.length > 0 ? keys : null;
};

const readMerge = (name: string, properties: Fields, target: string): PersonOp["merge"] => {
  const kind = KINDS.get(name);
  if (kind === undefined) return null;
  const named = kind === "identify" ? properties.$anon_distinct_id : properties.alias;
  const source = idText(named);
  return source === null || source === target || isIllegalId(source) || isIllegalId(target) ? null : { kind, source };
};

const KINDS: ReadonlyMap<string, MergeKind> = new Map([
  ["$identify", "identify"],
  ["$create_alias", "alias"],
  ["$merge_dangerously", "merge_dangerously"],
]);

const ILLEGAL_IN_ANY_CASE: ReadonlySet<string> = new Set(
  "anonymous guest distinctid distinct_id id not_authenticated email undefined true false".split(" "),
);
const ILLEGAL_AS_WRITTEN: ReadonlySet<string> = new Set(["[object Object]", "NaN", "None", "none", "null", "0", "undefined"]);
const QUOTED = /^(["'])(.*)\1$/s;

/** Ids that a client sends by mistake for many people: nobody is merged by them. */
const isIllegalId = (id: string): boolean => {
  if (id.trim() === "" || ILLEGAL_AS_WRITTEN.has(id) || ILLEGAL_IN_ANY_CASE.has(id.toLowerCase())) return true;
  const inner = QUOTED.exec(id)?.[2];
  return inner !== undefined && (inner.trim() === "" || ILLEGAL_AS_WRITTEN.has(inner) || ILLEGAL_IN_ANY_CASE.has(inner.toLowerCase()));
};
