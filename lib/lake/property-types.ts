import { Defect } from "../core/unreachable.ts";
import { ConditionFailed, type Item, type Table } from "../table/table.ts";
import { pack, unpack } from "./pack.ts";
import { lakePk, TYPES_SK } from "./paths.ts";
import { type PropertyType, united } from "./property-kinds.ts";

/** Whose property it is; groups by slot. */
export const GROUP_OWNERS = ["group_0", "group_1", "group_2", "group_3", "group_4"] as const;
export const PROPERTY_OWNERS = ["event", "person", ...GROUP_OWNERS] as const;
export type PropertyOwner = (typeof PROPERTY_OWNERS)[number];

/** Types by name, of each owner. */
export type TypesByName = ReadonlyMap<string, PropertyType>;
export type OwnedTypes = Readonly<Record<PropertyOwner, TypesByName>>;

/** The types of a project's properties, as far as its events have told them. */
export interface PropertyTypes {
  readonly of: OwnedTypes;
  /** No further name finds room: one that is not here stays text for ever. */
  readonly isFull: boolean;
}

/** The type of a property. One that is not known, or never had a value, has none: it reads as text. */
export const typeOf = (types: PropertyTypes, owner: PropertyOwner, name: string): PropertyType | undefined => types.of[owner].get(name);

/** A project's types as one consistent read finds them. */
export const readPropertyTypes = async (table: Table, project: number): Promise<PropertyTypes> =>
  decode(await table.get(itemKey(project), { consistent: true }));

/** A race for the item is lost to a writer that learnt something, and one of them wins each round. */
const TRIES = 50;

/**
 * Adds types to those that are stored, and returns all. Writes only when something is new, so that a project's life has at most two
 * writes a name: one that names it, one that widens it to text.
 */
export const learnPropertyTypes = async (table: Table, project: number, learnt: OwnedTypes): Promise<PropertyTypes> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const item = await table.get(itemKey(project), { consistent: true });
    const stored = decode(item);
    const all = withLearnt(stored, learnt);
    if (all === stored || (await replaced(table, project, item, all))) return all;
  }
  throw new Defect(`the property types of project ${project} could not be written in ${TRIES} tries`);
};

/** False when another writer was there first. */
const replaced = async (table: Table, project: number, item: Item | undefined, types: PropertyTypes): Promise<boolean> => {
  const revision = typeof item?.rev === "number" ? item.rev : 0;
  const next: Item = { ...itemKey(project), v: TYPES_FORMAT, rev: revision + 1, body: pack(encode(types)) };
  try {
    await table.put(next, item === undefined ? { kind: "absent" } : { kind: "equals", attribute: "rev", value: revision });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};

/**
 * Most names of a project, and most bytes of them together: an item of the table has 400 KB. Names past that, and longer ones, are
 * not kept, and read as text.
 */
const MAX_NAMES = 10_000;
const MAX_NAMES_BYTES = 250_000;
export const MAX_NAME_LENGTH = 200;

/** The types with what was learnt; the very same ones when nothing of it is new. Names come first that were first. */
export const withLearnt = (stored: PropertyTypes, learnt: OwnedTypes): PropertyTypes => {
  let room = roomIn(stored.of);
  let isFull = stored.isFull;
  const changed: Partial<Record<PropertyOwner, TypesByName>> = {};
  for (const owner of PROPERTY_OWNERS) {
    const types = new Map(stored.of[owner]);
    let isNew = false;
    for (const [name, type] of [...learnt[owner]].sort(byName)) {
      const known = types.get(name);
      const next = known === undefined ? type : united(known, type);
      if (next === known || name.length > MAX_NAME_LENGTH) continue;
      const bytes = known === undefined ? Buffer.byteLength(name) : 0;
      if (known === undefined && (isFull || room.names < 1 || room.bytes < bytes)) {
        isFull = true;
        continue;
      }
      if (known === undefined) room = { names: room.names - 1, bytes: room.bytes - bytes };
      types.set(name, next);
      isNew = true;
    }
    if (isNew) changed[owner] = types;
  }
  if (Object.keys(changed).length === 0 && isFull === stored.isFull) return stored;
  return { of: { ...stored.of, ...changed }, isFull };
};

const roomIn = (of: OwnedTypes): { readonly names: number; readonly bytes: number } => {
  let [names, bytes] = [MAX_NAMES, MAX_NAMES_BYTES];
  for (const owner of PROPERTY_OWNERS) {
    names -= of[owner].size;
    for (const name of of[owner].keys()) bytes -= Buffer.byteLength(name);
  }
  return { names, bytes };
};

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

const NO_NAMES: TypesByName = new Map();

export const NO_TYPES: PropertyTypes = Object.freeze({ of: ownedBy(() => NO_NAMES), isFull: false });

/** One value for each owner. */
export function ownedBy<T>(make: (owner: PropertyOwner) => T): Record<PropertyOwner, T> {
  return {
    event: make("event"),
    person: make("person"),
    group_0: make("group_0"),
    group_1: make("group_1"),
    group_2: make("group_2"),
    group_3: make("group_3"),
    group_4: make("group_4"),
  };
}

/** Version of the item; readers accept this one and the one before. */
const TYPES_FORMAT = 1;

const itemKey = (project: number): { readonly pk: string; readonly sk: string } => ({ pk: lakePk(project), sk: TYPES_SK });

/** Sorted names by owner and type: most of an item is names, and they compress best that way. */
interface Stored {
  readonly full: boolean;
  readonly names: Partial<Record<PropertyOwner, Partial<Record<PropertyType, readonly string[]>>>>;
}

const TYPES = ["String", "Numeric", "Boolean", "DateTime"] as const satisfies readonly PropertyType[];

const encode = ({ of, isFull }: PropertyTypes): Stored => {
  const names: Stored["names"] = {};
  for (const owner of PROPERTY_OWNERS) {
    if (of[owner].size === 0) continue;
    const sorted = [...of[owner]].sort(byName);
    const typed: Partial<Record<PropertyType, readonly string[]>> = {};
    for (const type of TYPES) {
      const own = sorted.flatMap(([name, each]) => (each === type ? [name] : []));
      if (own.length > 0) typed[type] = own;
    }
    names[owner] = typed;
  }
  return { full: isFull, names };
};

const decode = (item: Item | undefined): PropertyTypes => {
  if (item === undefined) return NO_TYPES;
  if (typeof item.v !== "number" || item.v > TYPES_FORMAT || !(item.body instanceof Uint8Array)) {
    throw new Defect("the property types have a format that this version does not know");
  }
  const { full, names } = storedOf(item.body);
  const of = ownedBy((owner) => {
    const typed = names[owner];
    return typed === undefined ? NO_NAMES : new Map(TYPES.flatMap((type) => (typed[type] ?? []).map((name) => [name, type] as const)));
  });
  return { of, isFull: full };
};

/** Only `replaced` writes the body, so it has this shape. */
const storedOf = (body: Uint8Array): Stored => unpack(body) as Stored;
