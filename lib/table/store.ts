import type * as z from "zod";
import { type Holes, holes } from "../core/template.ts";
import { Defect } from "../core/unreachable.ts";
import type { Change, Condition, Item, Key, Query, Table, Value, Write } from "../ports/table.ts";
import {
  decode,
  type Entity,
  encode,
  indexKeys,
  itemKey,
  type KeyTemplate,
  KeyTooLong,
  type KeyValues,
  type PartitionValues,
  type Patterns,
  partitionRange,
} from "./entity.ts";
import { keyPart, keyText } from "./key-part.ts";
import { INDEX_LAYOUT } from "./layout.ts";

export interface ReadOptions {
  readonly consistent?: boolean;
}

/** The change of an update to an entity's attributes. */
export interface Revision<T> {
  readonly set?: Partial<T>;
  readonly add?: Readonly<Partial<Record<keyof T & string, number>>>;
  readonly remove?: readonly (keyof T & string)[];
}

export interface ListOptions extends ReadOptions {
  readonly descending?: boolean;
  /** Items per page at most. */
  readonly limit?: number;
  readonly cursor?: string | null;
  /** Bounds, both inclusive, of the first hole of the sort key that no value was given for. */
  readonly from?: string | number;
  readonly to?: string | number;
}

export interface EntityPage<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
}

/** The item with these values, or undefined. */
export const get = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
  options: ReadOptions = {},
): Promise<z.output<S> | undefined> => {
  const key = possibleKey(of, values);
  const stored = key && (await table.get(key, options));
  return stored && decode(of, stored);
};

/** Values that come from a request's path may be too long to be anything's. */
export const possibleKey = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
): Key | undefined => {
  try {
    return itemKey(of, values);
  } catch (thrown) {
    if (thrown instanceof KeyTooLong) return undefined;
    throw thrown;
  }
};

/** An item that has to be there is not. A request that named it is answered 404. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

/** The item with these values; a caller that asked for one that does not exist is answered 404. */
export const require = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
  options: ReadOptions = {},
): Promise<z.output<S>> => {
  const item = await get(table, of, values, options);
  if (item === undefined) throw new NotFound();
  return item;
};

/** The items that exist among those with these values, in no promised order. */
export const getMany = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  values: readonly KeyValues<S, K>[],
  options: ReadOptions = {},
): Promise<readonly z.output<S>[]> => {
  const stored = await table.getMany(
    values.map((each) => itemKey(of, each)),
    options,
  );
  return stored.map((item) => decode(of, item));
};

/** Writes the whole item. Throws `ConditionFailed`. */
export const put = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  item: z.output<S>,
  when?: Condition,
): Promise<void> => table.put(encode(of, item), when);

/** Changes attributes of an item that exists and returns it as it is then. Throws `ConditionFailed`, also when there is none. */
export const update = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
  revision: Revision<z.output<S>>,
  when?: Condition,
): Promise<z.output<S>> => {
  const stored = await table.update(itemKey(of, values), revisionChange(of, values, revision), present(when));
  return decode(of, stored);
};

/** Removes the item; there being none is no error unless the condition says so. */
export const remove = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
  when?: Condition,
): Promise<void> => table.remove(itemKey(of, values), when);

/** The put as a write of a transaction. */
export const putting = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  item: z.output<S>,
  when?: Condition,
): Write => ({ kind: "put", item: encode(of, item), ...(when && { when }) });

/** The update as a write of a transaction; it fails where there is no item. */
export const updating = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
  revision: Revision<z.output<S>>,
  when?: Condition,
): Write => ({ kind: "update", key: itemKey(of, values), change: revisionChange(of, values, revision), when: present(when) });

/** The removal as a write of a transaction. */
export const removing = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
  when?: Condition,
): Write => ({ kind: "remove", key: itemKey(of, values), ...(when && { when }) });

/** One page of a pattern, or of the primary key under the name "key"; items that left a keys-only index meanwhile are missing. */
export const page = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns, N extends keyof P | "key">(
  table: Table,
  of: Entity<S, K, P>,
  pattern: N,
  values: PartitionValues<S, N extends keyof P ? P[N] : K>,
  options: ListOptions = {},
): Promise<EntityPage<z.output<S>>> => {
  const query = listQuery(of, pattern, values, options);
  const found = await table.query(query);
  const whole = query.index === undefined || INDEX_LAYOUT[query.index].projection === "ALL";
  const items = whole ? found.items : await inOrder(table, found.items);
  return { items: items.map((item) => decode(of, item)), cursor: found.cursor };
};

/** The values, as text, of which the key of an item is made. */
export type KeyTexts<K extends KeyTemplate> = { readonly [N in Holes<K["pk"] | K["sk"]>]: string };

/** All keys of a pattern, a page at a time. No item is read, so that one that cannot be read keeps nobody from the others. */
export async function* keyPages<S extends z.ZodObject, K extends KeyTemplate, P extends Patterns, N extends keyof P>(
  table: Table,
  of: Entity<S, K, P>,
  pattern: N,
  values: PartitionValues<S, P[N]>,
  options: ListOptions = {},
): AsyncGenerator<readonly KeyTexts<K>[]> {
  let cursor = options.cursor ?? null;
  do {
    const found = await table.query(listQuery(of, pattern, values, { ...options, cursor }));
    if (found.items.length > 0) yield found.items.map((key) => keyTexts(of, key));
    cursor = found.cursor;
  } while (cursor !== null);
}

/** Guarantee of the cast: every hole of both templates is filled. */
const keyTexts = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(of: Entity<S, K, P>, { pk, sk }: Key): KeyTexts<K> =>
  ({ ...templateTexts(of.key.pk, pk), ...templateTexts(of.key.sk, sk) }) as KeyTexts<K>;

/** The other way round of filling a template: a hole is a whole part between two `#`, which no value holds. */
const templateTexts = (template: string, filled: string): Readonly<Record<string, string>> => {
  const parts = filled.split("#");
  return Object.fromEntries(template.split("#").flatMap((part, at) => holes(part).map((name) => [name, keyText(parts[at] ?? "")])));
};

/** All items of a pattern, a page at a time. */
export async function* pages<S extends z.ZodObject, K extends KeyTemplate, P extends Patterns, N extends keyof P | "key">(
  table: Table,
  of: Entity<S, K, P>,
  pattern: N,
  values: PartitionValues<S, N extends keyof P ? P[N] : K>,
  options: ListOptions = {},
): AsyncGenerator<readonly z.output<S>[]> {
  let cursor = options.cursor ?? null;
  do {
    const next: EntityPage<z.output<S>> = await page(table, of, pattern, values, { ...options, cursor });
    if (next.items.length > 0) yield next.items;
    cursor = next.cursor;
  } while (cursor !== null);
}

/** All items of a pattern that is known to be short. Past `bound` items it is a defect, so that no list grows unseen. */
export const list = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns, N extends keyof P | "key">(
  table: Table,
  of: Entity<S, K, P>,
  pattern: N,
  values: PartitionValues<S, N extends keyof P ? P[N] : K>,
  options: Omit<ListOptions, "limit" | "cursor"> & { readonly bound?: number } = {},
): Promise<readonly z.output<S>[]> => {
  const { bound = SHORT_LIST, ...rest } = options;
  const all: z.output<S>[] = [];
  for await (const items of pages(table, of, pattern, values, rest)) {
    all.push(...items);
    if (all.length > bound) throw new Defect(`a list of ${of.name} is longer than ${bound}: it must be read by pages`);
  }
  return all;
};

const SHORT_LIST = 10_000;

/** The query behind a page, for those that count or skip. */
export const listQuery = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  pattern: keyof P | "key",
  values: object,
  options: ListOptions = {},
): Query => {
  const named = pattern === "key" ? undefined : of.patterns[pattern];
  const { from, to, consistent, ...rest } = options;
  const { pk, prefix, whole } = partitionRange(named ?? of.key, { ...values });
  const bounds = whole
    ? { from: prefix, to: prefix }
    : from === undefined && to === undefined
      ? { prefix }
      : {
          from: from === undefined ? prefix : prefix + keyPart(from, "sk"),
          to: (to === undefined ? prefix : `${prefix}${keyPart(to, "sk")}#`) + LAST_CHARACTER,
        };
  return { ...rest, pk, sk: bounds, ...(named ? { index: named.index } : consistent === undefined ? {} : { consistent }) };
};

/** Sorts after every character that a key holds. */
const LAST_CHARACTER = "\u{10ffff}";

const inOrder = async (table: Table, found: readonly Item[]): Promise<readonly Item[]> => {
  if (found.length === 0) return [];
  const keys = found.map(({ pk, sk }) => ({ pk, sk }));
  const stored = await table.getMany(keys, { consistent: true });
  const byKey = new Map(stored.map((item) => [keyName(item), item]));
  return found.flatMap((key) => byKey.get(keyName(key)) ?? []);
};

const keyName = (key: Key): string => JSON.stringify([key.pk, key.sk]);

const present = (when: Condition | undefined): Condition => (when ? { kind: "all", of: [{ kind: "present" }, when] } : { kind: "present" });

/**
 * The table's change for a revision. Index keys follow the attributes they are made of, so a change to one of those must state
 * all of them; the attributes of the primary key never change.
 */
const revisionChange = <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  values: KeyValues<S, K>,
  revision: Revision<z.output<S>>,
): Change => {
  const set: Record<string, Value> = {};
  const removed: string[] = [...(revision.remove ?? [])];
  for (const [name, value] of Object.entries(revision.set ?? {})) {
    if (value !== undefined) set[name] = storable(attributeSchema(of, name).parse(value));
  }
  const touched = new Set([...Object.keys(set), ...removed, ...Object.keys(revision.add ?? {})]);
  const fixed = [...holes(of.key.pk), ...holes(of.key.sk)];
  if (fixed.some((name) => touched.has(name))) throw new Defect(`an update of ${of.name} cannot change its key`);
  const known = { ...values, ...set };
  for (const pattern of Object.values(of.patterns)) {
    const needed = [...holes(pattern.pk), ...holes(pattern.sk)];
    if (!needed.some((name) => touched.has(name))) continue;
    const unknown = needed.find((name) => !(name in known) && !removed.includes(name));
    if (unknown !== undefined) throw new Defect(`an update of ${of.name} moves it in ${pattern.index} and must state ${unknown} too`);
    const keys = indexKeys(pattern, known);
    const { pk, sk } = INDEX_LAYOUT[pattern.index];
    if (pk in keys) Object.assign(set, keys);
    else removed.push(pk, sk);
  }
  return { set, add: { ...added(revision.add), rev: 1 }, remove: removed };
};

const attributeSchema = (
  of: Entity<z.ZodObject, KeyTemplate, Patterns>,
  name: string,
): z.core.$ZodType & { parse(value: unknown): unknown } => {
  const schema = of.schema.shape[name];
  if (schema === undefined) throw new Defect(`${of.name} has no attribute ${name}`);
  return schema;
};

/** Entity schemas are made of JSON values and bytes, which is what an item can hold. */
const storable = (value: unknown): Value => value as Value;

/** Names of attributes with the numbers to add; an absent one is no key of the object. */
const added = (numbers: Readonly<Partial<Record<string, number>>> | undefined): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(numbers ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
