import { Defect } from "../core/unreachable.ts";
import type { Item, Key, Value } from "../ports/table.ts";
import { indexKeys, type KeyTemplate, type Patterns, partitionOf } from "./entity.ts";

/** An entity without its schema: enough to write and read items where no schema library is carried. */
export interface Layout {
  readonly name: string;
  readonly version: number;
  readonly key: KeyTemplate;
  readonly patterns: Patterns;
}

/** What `encode` makes of attributes that are of the entity's own type; here the compiler is the only one that checks it. */
export const plainItem = <T extends object>(of: Layout, attributes: T): Item => {
  const stored: Record<string, Value | undefined> = { ...storable(attributes), entity: of.name, v: of.version, rev: 1 };
  for (const pattern of Object.values(of.patterns)) Object.assign(stored, indexKeys(pattern, stored));
  return { ...stored, ...plainKey(of, attributes) };
};

/** The primary key of the item with these values. */
export const plainKey = (of: Layout, values: object): Key => {
  const { pk, prefix, whole } = partitionOf(of.key, { ...values });
  if (!whole) throw new Defect(`a value is missing in the key of ${of.name}`);
  return { pk, sk: prefix };
};

/** The attributes of a stored item, which was written through the entity or by `plainItem`: that is what makes them a `T`. */
export const plainAttributes = <T extends object>(of: Layout, stored: Item): T => {
  if (stored.entity !== of.name || stored.v !== of.version) throw new Defect(`the item at ${stored.pk} is no ${of.name}`);
  return stored as unknown as T;
};

/** Attributes of entities are JSON values and bytes, which is what an item can hold. */
const storable = (attributes: object): Readonly<Record<string, Value | undefined>> =>
  attributes as Readonly<Record<string, Value | undefined>>;
