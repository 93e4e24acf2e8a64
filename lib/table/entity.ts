import type * as z from "zod";
import { isReadable, writtenVersion } from "../core/formats.ts";
import { type Holes, holes } from "../core/template.ts";
import { Defect } from "../core/unreachable.ts";
import type { IndexName, Item, Key, Value } from "../ports/table.ts";
import { type KeyValue, keyPart } from "./key-part.ts";
import { INDEX_LAYOUT, MAX_PK_BYTES, MAX_SK_BYTES, RESERVED_ATTRIBUTES, TTL_ATTRIBUTE } from "./layout.ts";

/** A key as templates; every hole is the name of an attribute of the entity. */
export interface KeyTemplate {
  readonly pk: string;
  readonly sk: string;
}

/** A named way to find items: over an index. An item lies in it only while all attributes of its holes have a value. */
export interface Pattern extends KeyTemplate {
  readonly index: IndexName;
}
export type Patterns = Readonly<Record<string, Pattern>>;

/** An entity without its schema: enough to write and read items where no schema library is carried. */
export interface Layout<K extends KeyTemplate = KeyTemplate, P extends Patterns = Patterns> {
  /** Stored with each item, in the singular. */
  readonly name: string;
  /** Format version, stored as `v`; readers take this one, the one before and the one after. */
  readonly version: number;
  readonly key: K;
  readonly patterns: P;
}

/** One kind of item: what it holds, where it lies and how it is found. */
export interface Entity<S extends z.ZodObject, K extends KeyTemplate, P extends Patterns> extends Layout<K, P> {
  readonly schema: S;
  /** Makes the attributes of the version before readable by the schema. */
  readonly upgrade?: (stored: Item) => Item;
  /** Seconds since 1970 after which the item may go. */
  readonly ttl?: (item: z.output<S>) => number | undefined;
}

type Attribute<S extends z.ZodObject, N> = N extends keyof z.output<S> ? z.output<S>[N] : never;

/** The values that name one item. */
export type KeyValues<S extends z.ZodObject, K extends KeyTemplate> = {
  readonly [N in Holes<K["pk"] | K["sk"]>]: Attribute<S, N>;
};

/** The values that name a partition, and as many leading holes of the sort key as are fixed. */
export type PartitionValues<S extends z.ZodObject, K extends KeyTemplate> = {
  readonly [N in Holes<K["pk"]>]: NonNullable<Attribute<S, N>>;
} & { readonly [N in Holes<K["sk"]>]?: NonNullable<Attribute<S, N>> };

/** Declares an entity; a template that names no attribute, or an attribute that the layout needs, is a defect at load. */
export const entity = <S extends z.ZodObject, const K extends KeyTemplate, const P extends Patterns>(
  declared: Entity<S, K, P>,
): Entity<S, K, P> => {
  for (const template of [declared.key, ...Object.values(declared.patterns)]) {
    for (const hole of [...holes(template.pk), ...holes(template.sk)]) {
      if (!(hole in declared.schema.shape)) throw new Defect(`${declared.name}: no attribute ${hole}`);
    }
  }
  for (const name of Object.keys(declared.schema.shape)) {
    if (RESERVED_ATTRIBUTES.has(name)) throw new Defect(`${declared.name}: the attribute ${name} belongs to the layout`);
  }
  return Object.freeze(declared);
};

/** No item can have this key. To a reader that means absence, to a writer a missing check. */
export class KeyTooLong extends Defect {}

/** The primary key of the item with these values. */
export const itemKey = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
): Key => filled(of.key, values) ?? missing(of.name);

/** Everything that the table stores of an item: its attributes, keys, entity name, format version and revision 1. */
export const encode = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(of: Entity<S, K, P>, item: z.output<S>): Item => {
  const attributes = storable(of.schema.parse(item));
  const stored: Record<string, Value | undefined> = { ...attributes, entity: of.name, v: writtenVersion(of.version), rev: 1 };
  for (const pattern of Object.values(of.patterns)) Object.assign(stored, indexKeys(pattern, attributes));
  const ttl = of.ttl?.(item);
  if (ttl !== undefined) stored[TTL_ATTRIBUTE] = ttl;
  return { ...stored, ...(filled(of.key, attributes) ?? missing(of.name)) };
};

/** The item as its schema gives it; anything the schema does not name stays behind. */
export const decode = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  stored: Item,
): z.output<S> => {
  if (stored.entity !== of.name) throw new Defect(`the item at ${stored.pk} is no ${of.name}`);
  if (isCurrent(of, stored)) return of.schema.parse(stored);
  if (stored.v === of.version - 1 && of.upgrade) return of.schema.parse(of.upgrade(stored));
  throw new Defect(`a ${of.name} of format ${String(stored.v)} cannot be read`);
};

/** Whether an item says what this version of its entity does, and perhaps more, which the next one added. */
const isCurrent = (of: Layout, { v }: Item): boolean => isReadable(v, of.version) && v >= of.version;

/** As `encode`, of attributes that nothing but the compiler has checked. */
export const plainItem = <T extends object>(of: Layout, attributes: T): Item => {
  const stored: Record<string, Value | undefined> = { ...storable(attributes), entity: of.name, v: writtenVersion(of.version), rev: 1 };
  for (const pattern of Object.values(of.patterns)) Object.assign(stored, indexKeys(pattern, stored));
  return { ...stored, ...plainKey(of, attributes) };
};

/** The primary key of the item with these values. */
export const plainKey = (of: Layout, values: object): Key => {
  const { pk, prefix, whole } = partitionRange(of.key, { ...values });
  if (!whole) throw new Defect(`a value is missing in the key of ${of.name}`);
  return { pk, sk: prefix };
};

/** The attributes of a stored item, which was written through the entity or by `plainItem`: that is what makes them a `T`. */
export const plainAttributes = <T extends object>(of: Layout, stored: Item): T => {
  if (stored.entity !== of.name || !isCurrent(of, stored)) throw new Defect(`the item at ${stored.pk} is no ${of.name}`);
  return stored as unknown as T;
};

/** The index keys that a pattern gives an item, or nothing where an attribute it needs has no value. */
export const indexKeys = (pattern: Pattern, attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> => {
  const key = filled(pattern, attributes);
  if (key === undefined) return {};
  const layout = INDEX_LAYOUT[pattern.index];
  return { [layout.pk]: key.pk, [layout.sk]: key.sk };
};

/** Where a partition lies: its key, and the sort keys that begin with the given values, or the one sort key when all are given. */
export const partitionRange = (
  template: KeyTemplate,
  values: Readonly<Record<string, unknown>>,
): { readonly pk: string; readonly prefix: string; readonly whole: boolean } => {
  const pk = fillPart(template.pk, values, "pk") ?? missing(template.pk);
  const open = holes(template.sk).find((hole) => values[hole] === undefined);
  const known = open === undefined ? template.sk : template.sk.slice(0, template.sk.indexOf(`{${open}}`));
  return { pk, prefix: fillPart(known, values, "sk") ?? missing(template.sk), whole: open === undefined };
};

const filled = (template: KeyTemplate, values: Readonly<Record<string, unknown>>): Key | undefined => {
  const pk = fillPart(template.pk, values, "pk");
  const sk = fillPart(template.sk, values, "sk");
  if (pk === undefined || sk === undefined) return undefined;
  if (Buffer.byteLength(pk) > MAX_PK_BYTES || Buffer.byteLength(sk) > MAX_SK_BYTES) throw new KeyTooLong("a key is too long for the table");
  return { pk, sk };
};

const fillPart = (template: string, values: Readonly<Record<string, unknown>>, place: "pk" | "sk"): string | undefined => {
  let complete = true;
  const text = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (isKeyValue(value)) return keyPart(value, place);
    complete = false;
    return "";
  });
  return complete ? text : undefined;
};

const isKeyValue = (value: unknown): value is KeyValue => typeof value === "string" || typeof value === "number";

/** Entity schemas are made of JSON values and bytes, which is what an item can hold; zod's output type cannot say so in general. */
const storable = (attributes: object): Readonly<Record<string, Value | undefined>> =>
  attributes as Readonly<Record<string, Value | undefined>>;

const missing = (what: string): never => {
  throw new Defect(`a value is missing in the key of ${what}`);
};
