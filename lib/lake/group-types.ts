import { DAY_MS } from "../core/time.ts";
import type { RawEvent } from "../event/envelope.ts";
import { GROUP_SLOTS } from "../event/event.ts";
import { isFields } from "../event/fields.ts";
import { ConditionFailed, type Item, type Key, type Table } from "../ports/table.ts";
import { keyIn } from "../table/partitions.ts";

/** Names of a project's group types by slot; at most five. The name of a slot that was freed is empty. */
export type GroupTypes = readonly string[];

/** A group type, and when events were last seen to use it, milliseconds since 1970, to the day. */
export interface GroupSlot {
  readonly slot: number;
  readonly type: string;
  readonly usedAt: number | null;
}

/** A type that no event used for as long gives its slot to a new one. */
const UNUSED_MS = 30 * DAY_MS;

/** The group types that a project has so far. */
export const readGroupTypes = async (table: Table, project: number): Promise<GroupTypes> => decodeTypes(await readItem(table, project));

/** The slots that have a type. */
export const readGroupSlots = async (table: Table, project: number): Promise<readonly GroupSlot[]> => {
  const item = await readItem(table, project);
  return decodeTypes(item).flatMap((type, slot) => (type === "" ? [] : [{ slot, type, usedAt: usedAt(item, slot) }]));
};

/**
 * Gives each of the wanted types a slot while one is free, or has a type that nobody used for 30 days; notes once a day that those
 * that have one are used; and returns all types of the project.
 */
export const assignGroupTypes = async (table: Table, project: number, wanted: Iterable<string>, now: number): Promise<GroupTypes> => {
  let item = await readItem(table, project);
  const names = [...wanted];
  item = await noteUse(table, project, item, names, now);
  for (const type of names) {
    for (let tries = 0; tries <= GROUP_SLOTS && !decodeTypes(item).includes(type); tries += 1) {
      const slot = slotFor(item, now);
      if (slot === undefined) break;
      item = await takeSlot(table, project, item, slot, type, now);
    }
  }
  return decodeTypes(item);
};

/** Gives a type another name: the events of its slot keep their groups. False where the project has no such type any more. */
export const renameGroupType = (table: Table, project: number, { slot, type }: GroupSlot, name: string): Promise<boolean> =>
  changeSlot(table, project, slot, type, { set: { [slotAttribute(slot)]: name } });

/** Frees the slot of a type. False where the project has no such type any more. */
export const removeGroupType = (table: Table, project: number, { slot, type }: GroupSlot): Promise<boolean> =>
  changeSlot(table, project, slot, type, { set: { [slotAttribute(slot)]: "" }, remove: [usedAttribute(slot)] });

const changeSlot = async (
  table: Table,
  project: number,
  slot: number,
  type: string,
  change: Parameters<Table["update"]>[1],
): Promise<boolean> => {
  try {
    await table.update(itemKey(project), change, { kind: "equals", attribute: slotAttribute(slot), value: type });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};

/** The lowest free slot, else the one whose type is unused for longest; undefined where all are in use. */
const slotFor = (item: Item | undefined, now: number): number | undefined => {
  const types = decodeTypes(item);
  const free = types.indexOf("");
  if (free !== -1) return free;
  if (types.length < GROUP_SLOTS) return types.length;
  const unused = types.map((_, slot) => ({ slot, at: usedAt(item, slot) ?? now })).filter(({ at }) => now - at > UNUSED_MS);
  return unused.sort((a, b) => a.at - b.at)[0]?.slot;
};

/** A race for a slot shows in the condition. */
const takeSlot = async (
  table: Table,
  project: number,
  item: Item | undefined,
  slot: number,
  type: string,
  now: number,
): Promise<Item | undefined> => {
  const attribute = slotAttribute(slot);
  const before = item?.[attribute];
  try {
    return await table.update(
      itemKey(project),
      { set: { [attribute]: type, [usedAttribute(slot)]: now } },
      typeof before === "string" ? { kind: "equals", attribute, value: before } : { kind: "lacks", attribute },
    );
  } catch (error) {
    if (error instanceof ConditionFailed) return readItem(table, project);
    throw error;
  }
};

/** A type of before this was noted begins its 30 days now. */
const noteUse = async (
  table: Table,
  project: number,
  item: Item | undefined,
  names: readonly string[],
  now: number,
): Promise<Item | undefined> => {
  const due = decodeTypes(item).flatMap((type, slot) => {
    const at = usedAt(item, slot);
    const isDue = type !== "" && (at === null || (names.includes(type) && now - at > DAY_MS));
    return isDue ? [[usedAttribute(slot), now] as const] : [];
  });
  return due.length === 0 ? item : table.update(itemKey(project), { set: Object.fromEntries(due) });
};

const readItem = (table: Table, project: number): Promise<Item | undefined> => table.get(itemKey(project), { consistent: true });
const itemKey = (project: number): Key => keyIn("lake", "groups", { project });
const slotAttribute = (slot: number): string => `type_${slot}`;
const usedAttribute = (slot: number): string => `used_${slot}`;

const usedAt = (item: Item | undefined, slot: number): number | null => {
  const at = item?.[usedAttribute(slot)];
  return typeof at === "number" ? at : null;
};

const decodeTypes = (item: Item | undefined): GroupTypes => {
  const types: string[] = [];
  for (let slot = 0; slot < GROUP_SLOTS; slot++) {
    const type = item?.[slotAttribute(slot)];
    if (typeof type !== "string") break;
    types.push(type);
  }
  return types;
};

/** The names of the group types that events mention. */
export const mentionedGroupTypes = (events: readonly { readonly event: Pick<RawEvent, "event" | "properties"> }[]): ReadonlySet<string> => {
  const types = new Set<string>();
  for (const {
    event: { event, properties },
  } of events) {
    if (properties === undefined) continue;
    const { $groups, $group_type } = properties;
    if (isFields($groups)) for (const type of Object.keys($groups).slice(0, MAX_GROUPS)) if (isGroupType(type)) types.add(type);
    if (GROUP_IDENTIFY.has(event) && isGroupType($group_type)) types.add($group_type);
  }
  return types;
};

/** Most groups of one event that may name a type of which nobody has heard. */
const MAX_GROUPS = 20;

/** Names whose properties change a group and never a person. */
export const GROUP_IDENTIFY: ReadonlySet<string> = new Set(["$groupidentify", "$group_identify"]);

/** A longer name is no group type: the project keeps the names in its table. */
const MAX_TYPE = 400;

/** What the table gives back as it was written: half a character would come back as another name, and take slot after slot. */
export const isGroupType = (type: unknown): type is string =>
  typeof type === "string" && type !== "" && type.length <= MAX_TYPE && !type.includes("\0") && type.isWellFormed();
