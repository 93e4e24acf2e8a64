import { type Copy, GROUP_EVENTS, idText, namesIn } from "./copies.ts";
import { objectOr } from "./json.ts";
import { inOrder, type UuidOf } from "./order.ts";

export interface Person {
  /** The distinct_id of which the person's id is a hash. */
  readonly root: string;
  readonly ids: ReadonlySet<string>;
  readonly createdAt: bigint;
  readonly lastSeen: bigint;
  readonly isIdentified: boolean;
  readonly properties: ReadonlyMap<string, unknown>;
}

interface Draft {
  readonly root: string;
  readonly ids: Set<string>;
  createdAt: bigint;
  lastSeen: bigint;
  isIdentified: boolean;
  readonly properties: Map<string, unknown>;
}

/** The persons of a project, from the copies of its events that count, told one after the other. */
export const personsOf = (copies: readonly Copy[], uuidOf: UuidOf): readonly Person[] => {
  const people = new Map<string, Draft>();
  for (const copy of inOrder(copies, uuidOf)) {
    if (!copy.isPersonal) continue;
    merge(people, copy);
    const person = people.get(copy.distinctId) ?? born(people, copy.distinctId, copy.time);
    if (copy.time > person.lastSeen) person.lastSeen = copy.time;
    change(person.properties, copy);
  }
  return [...new Set(people.values())];
};

const born = (people: Map<string, Draft>, id: string, time: bigint): Draft => {
  const person = { root: id, ids: new Set([id]), createdAt: time, lastSeen: time, isIdentified: false, properties: new Map() };
  people.set(id, person);
  return person;
};

const merge = (people: Map<string, Draft>, copy: Copy): void => {
  const into = copy.distinctId;
  const from = sourceOf(copy);
  if (from === null || from === into || isIllegal(from) || isIllegal(into)) return;
  const source = people.get(from);
  const target = people.get(into) ?? source ?? born(people, into, copy.time);
  const isRefused = source !== undefined && source !== target && source.isIdentified && copy.event !== "$merge_dangerously";
  target.isIdentified = true;
  if (isRefused) return;
  for (const id of [into, from, ...(source?.ids ?? [])]) {
    people.set(id, target);
    target.ids.add(id);
  }
  if (source === undefined || source === target) return;
  for (const [key, value] of source.properties) if (!target.properties.has(key)) target.properties.set(key, value);
  if (source.createdAt < target.createdAt) target.createdAt = source.createdAt;
  if (source.lastSeen > target.lastSeen) target.lastSeen = source.lastSeen;
};

const sourceOf = ({ event, properties }: Copy): string | null => {
  const isAlias = event === "$create_alias" || event === "$merge_dangerously";
  const named = event === "$identify" ? properties.$anon_distinct_id : isAlias ? properties.alias : null;
  return (named ?? "") === "" ? null : idText(named);
};

const IN_ANY_CASE = "anonymous guest distinctid distinct_id id not_authenticated email undefined true false".split(" ");
const AS_WRITTEN = ["[object Object]", "NaN", "None", "none", "null", "0", "undefined"];

const isIllegal = (id: string): boolean =>
  [id, /^"(.*)"$/s.exec(id)?.[1], /^'(.*)'$/s.exec(id)?.[1]].some(
    (each) => each !== undefined && (each.trim() === "" || IN_ANY_CASE.includes(each.toLowerCase()) || AS_WRITTEN.includes(each)),
  );

/** Events that are stored with what they say of persons, and change none. */
const NO_CHANGES = ["$exception", "$$heatmap", ...GROUP_EVENTS];

const change = (properties: Map<string, unknown>, copy: Copy): void => {
  if (NO_CHANGES.includes(copy.event)) return;
  const { $set, $set_once, $unset } = copy.properties;
  for (const [key, value] of Object.entries(objectOr($set_once))) if (!properties.has(key)) properties.set(key, value);
  for (const [key, value] of Object.entries(objectOr($set))) properties.set(key, value);
  for (const key of namesIn($unset)) properties.delete(key);
};
