import type { RawEvent } from "../../event/envelope.ts";
import { GROUP_SLOTS } from "../../event/event.ts";
import { type Fields, isFields } from "../../event/fields.ts";
import { propertyText } from "../../event/hot-properties.ts";
import { GROUP_IDENTIFY, type GroupTypes, isGroupType } from "../group-types.ts";
import { boundedFields, overBound } from "./person-events.ts";

/** A longer group key drops the event that identifies the group. */
const MAX_KEY = 400;
const NO_GROUPS: readonly (string | null)[] = Object.freeze(Array.from({ length: GROUP_SLOTS }, () => null));

/** The change that an event that identifies a group makes; `drop` where the event is not to be stored, null where it changes no group. */
export type GroupSide = StatedGroup | "drop" | null;

/** A group, what is stated of it, and how many of its properties were left out, being more than one event may state. */
interface StatedGroup {
  readonly type: string;
  readonly key: string;
  readonly set: Fields;
  readonly over: number;
}

export const groupSide = ({ event, properties }: Pick<RawEvent, "event" | "properties">): GroupSide => {
  if (!GROUP_IDENTIFY.has(event) || properties === undefined) return null;
  const { $group_type, $group_key, $group_set = {} } = properties;
  const key = propertyText($group_key);
  if (!isGroupType($group_type) || key === null) return null;
  if (key.length > MAX_KEY || ($group_set !== null && !isFields($group_set))) return "drop";
  const set = $group_set ?? {};
  return { type: $group_type, key, set: boundedFields(set), over: overBound(Object.keys(set).length) };
};

/** The groups that an event belongs to, by slot. Types beyond the project's slots are left out. */
export const readGroups = (properties: Fields, types: GroupTypes): readonly (string | null)[] => {
  const { $groups } = properties;
  if (!isFields($groups)) return NO_GROUPS;
  const groups = Array.from<string | null>({ length: GROUP_SLOTS }).fill(null);
  for (const [slot, type] of types.entries()) if (type !== "" && Object.hasOwn($groups, type)) groups[slot] = propertyText($groups[type]);
  return groups;
};
