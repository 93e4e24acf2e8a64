import { byteOrder } from "../../../lib/core/byte-order.ts";
import type { Item, Value } from "../../../lib/ports/table.ts";
import { INDEX_LAYOUT, type IndexLayout, PRIMARY } from "../../../lib/table/layout.ts";

/** What DynamoDB bills, from its documentation: one write unit is 1 KB, one read unit 4 KB, half of it for an eventual read. */
const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;
/** A list or map costs 3 bytes, and 1 for each of its members. */
const NESTING_BYTES = 3;
const MEMBER_BYTES = 1;

/** An item's size as DynamoDB counts it: names and values in UTF-8. */
export const itemBytes = (item: Readonly<Record<string, Value | undefined>>): number => {
  let bytes = 0;
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) bytes += textBytes(name) + valueBytes(value);
  }
  return bytes;
};

const valueBytes = (value: Value): number => {
  if (typeof value === "string") return textBytes(value);
  if (typeof value === "number") return numberBytes(value);
  if (value === null || typeof value === "boolean") return 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (isList(value)) return value.reduce<number>((sum, each) => sum + MEMBER_BYTES + valueBytes(each), NESTING_BYTES);
  let bytes = NESTING_BYTES;
  for (const name in value) {
    const inner = value[name];
    if (inner !== undefined) bytes += MEMBER_BYTES + textBytes(name) + valueBytes(inner);
  }
  return bytes;
};

/** `Array.isArray` does not narrow readonly arrays out of a union. */
const isList = (value: object): value is readonly Value[] => Array.isArray(value);

const textBytes = (text: string): number => Buffer.byteLength(text);

/** One byte per two significant digits, and one; a sign costs one more. */
const numberBytes = (value: number): number => {
  const digits = String(Math.abs(value))
    .replace(/e.*$|\./g, "")
    .replace(/^0+|0+$/g, "").length;
  return Math.ceil(digits / 2) + 1 + (value < 0 ? 1 : 0);
};

export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (consistent ? 1 : 0.5);

const unitsOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));

/** Units of one write to the table itself: of the larger of the item before and after it. */
export const tableWriteUnits = (before: Item | undefined, after: Item | undefined): number =>
  unitsOf(Math.max(before ? itemBytes(before) : 0, after ? itemBytes(after) : 0));

/** Units that the same write costs in the indexes: an entry that comes, goes or changes; a move is both. */
export const indexWriteUnits = (before: Item | undefined, after: Item | undefined): number => {
  let units = 0;
  for (const layout of Object.values(INDEX_LAYOUT)) {
    const was = before && indexEntry(layout, before);
    const is = after && indexEntry(layout, after);
    if (was && is && was[layout.pk] === is[layout.pk] && was[layout.sk] === is[layout.sk]) {
      if (!sameAttributes(was, is)) units += unitsOf(Math.max(itemBytes(was), itemBytes(is)));
      continue;
    }
    if (was) units += unitsOf(itemBytes(was));
    if (is) units += unitsOf(itemBytes(is));
  }
  return units;
};

/** What an index holds of an item, or undefined for an item that lacks one of its keys. */
export const indexEntry = (layout: IndexLayout, item: Item): Item | undefined => {
  const pk = item[layout.pk];
  const sk = item[layout.sk];
  if (typeof pk !== "string" || typeof sk !== "string") return undefined;
  if (layout.projection === "ALL") return item;
  return { [PRIMARY.pk]: item.pk, [PRIMARY.sk]: item.sk, [layout.pk]: pk, [layout.sk]: sk } satisfies Record<string, string> & Item;
};

const sameAttributes = (left: Item, right: Item): boolean => left === right || canonical(left) === canonical(right);

const canonical = (item: Item): string =>
  JSON.stringify(
    Object.entries(item).sort(([a], [b]) => byteOrder(a, b)),
    (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value),
  );
