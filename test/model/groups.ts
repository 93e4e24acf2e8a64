import { type Copy, GROUP_EVENTS, textOf } from "./copies.ts";
import { type Json, objectOr } from "./json.ts";
import { inOrder, type UuidOf } from "./order.ts";

export interface Group {
  readonly type: string;
  readonly key: string;
  readonly createdAt: bigint;
  readonly updatedAt: bigint;
  readonly properties: Json;
}

/** The groups of a project, from the copies of its events that count. */
export const groupsOf = (copies: readonly Copy[], uuidOf: UuidOf): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const { event, isPersonal, properties, time } of inOrder(copies, uuidOf)) {
    const { $group_type: type, $group_key, $group_set } = properties;
    const key = textOf($group_key);
    if (!GROUP_EVENTS.includes(event) || !isPersonal || typeof type !== "string" || type === "" || key === null) continue;
    const name = JSON.stringify([type, key]);
    const known = groups.get(name);
    const set = objectOr($group_set);
    groups.set(name, { type, key, createdAt: known?.createdAt ?? time, updatedAt: time, properties: { ...known?.properties, ...set } });
  }
  return [...groups.values()];
};

/** The properties of an event as they are stored, with the keys of its groups by slot. */
export const storedProperties = (copy: Copy, slots: readonly string[]): Json => {
  const groups = objectOr(copy.properties.$groups);
  const keys = slots.flatMap((type, slot) => {
    const key = Object.hasOwn(groups, type) ? textOf(groups[type]) : null;
    return key === null ? [] : [[`$group_${slot}`, key]];
  });
  return { ...copy.properties, ...Object.fromEntries(keys) };
};
