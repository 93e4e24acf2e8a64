import { unreachable } from "../core/unreachable.ts";
import type { Change, Condition, Item, Key, Value, Write } from "../ports/table.ts";
import { KEY_ATTRIBUTES } from "./layout.ts";

/** DynamoDB's rules for items, on plain values: copies, conditions, changes. For tables that are none. */

/** A frozen copy that holds only what is present, so that it can be handed out again and again. */
export const frozen = (item: Item): Item => {
  const copy: Record<string, Value | undefined> & Key = { pk: item.pk, sk: item.sk };
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) copy[name] = frozenValue(value);
  }
  return Object.freeze(copy);
};

const frozenValue = (value: Value): Value => {
  // DynamoDB knows no negative zero.
  if (value === 0) return 0;
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("a number of an item must be finite");
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (isList(value)) return Object.freeze(value.map(frozenValue));
  const copy: Record<string, Value> = {};
  for (const name in value) {
    const inner = value[name];
    if (inner !== undefined) copy[name] = frozenValue(inner);
  }
  return Object.freeze(copy);
};

/** `Array.isArray` does not narrow readonly arrays out of a union. */
const isList = (value: object): value is readonly Value[] => Array.isArray(value);

export const holds = (item: Item | undefined, when: Condition | undefined): boolean => {
  if (when === undefined) return true;
  switch (when.kind) {
    case "absent":
      return item === undefined;
    case "present":
      return item !== undefined;
    case "equals":
      return item?.[when.attribute] !== undefined && same(item[when.attribute], when.value);
    case "less":
      return isLess(item?.[when.attribute], when.value);
    case "lacks":
      return item?.[when.attribute] === undefined;
    case "has":
      return item?.[when.attribute] !== undefined;
    case "all":
      return when.of.every((each) => holds(item, each));
    case "any":
      return when.of.some((each) => holds(item, each));
    default:
      return unreachable(when);
  }
};

const isLess = (stored: Value | undefined, bound: string | number): boolean => {
  if (typeof stored === "number" && typeof bound === "number") return stored < bound;
  return typeof stored === "string" && typeof bound === "string" && Buffer.compare(Buffer.from(stored), Buffer.from(bound)) < 0;
};

const same = (left: Value | undefined, right: Value | undefined): boolean => {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (left instanceof Uint8Array || right instanceof Uint8Array) {
    return left instanceof Uint8Array && right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (isList(left) || isList(right)) {
    return isList(left) && isList(right) && left.length === right.length && left.every((each, at) => same(each, right[at]));
  }
  const names = presentNames(left);
  return names.length === presentNames(right).length && names.every((name) => same(left[name], right[name]));
};

const presentNames = (map: { readonly [name: string]: Value | undefined }): readonly string[] =>
  Object.keys(map).filter((name) => map[name] !== undefined);

/** The item after a write that came through; undefined where there is none then. */
export const itemAfter = (write: Write, before: Item | undefined): Item | undefined => {
  switch (write.kind) {
    case "put":
      return frozen(write.item);
    case "update":
      return changed(write.key, before, write.change);
    case "remove":
      return undefined;
    case "check":
      return before;
    default:
      return unreachable(write);
  }
};

/** The item after a change; a new one where there was none. */
export const changed = (key: Key, item: Item | undefined, change: Change): Item => {
  const next: Record<string, Value | undefined> & Key = { ...item, pk: key.pk, sk: key.sk };
  const named = [...Object.keys(change.set ?? {}), ...Object.keys(change.add ?? {}), ...(change.remove ?? [])];
  if (new Set(named).size !== named.length) throw new TypeError("a change names an attribute twice");
  if (named.some((name) => name === "pk" || name === "sk")) throw new TypeError("a change cannot touch the key");
  Object.assign(next, change.set);
  for (const [name, by] of Object.entries(change.add ?? {})) {
    const was = item?.[name] ?? 0;
    if (typeof was !== "number") throw new TypeError(`cannot add to ${name}, which is no number`);
    next[name] = was + by;
  }
  for (const name of change.remove ?? []) delete next[name];
  return frozen(next);
};

/** An index key that is there must be text and not empty, or the table refuses the item. */
export const acceptable = (item: Item): Item => {
  if (item.pk === "" || item.sk === "") throw new TypeError("a key is empty");
  for (const name of KEY_ATTRIBUTES) {
    const value = item[name];
    if (value !== undefined && (typeof value !== "string" || value === "")) throw new TypeError(`${name} is no text`);
  }
  return item;
};
