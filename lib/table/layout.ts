import type { IndexName } from "../ports/table.ts";

/** How an index looks: its key attributes and what it copies of an item. */
export interface IndexLayout {
  readonly pk: string;
  readonly sk: string;
  readonly projection: "ALL" | "KEYS_ONLY";
}

/**
 * The one table, read by the embedded table's creation and by the stack.
 *
 * `gsi1` carries whole items because it serves lists in a second order, which return whole items; what lies in it is small
 * configuration, and an item that is large keeps to the primary key or to `gsi2`. `gsi2` serves look-ups and long lists that are
 * counted and skipped: keys only, so ten thousand skipped entries are about one megabyte; the items follow by key, fresh.
 * `due` names what waits for a worker, and nothing else.
 */
export const INDEX_LAYOUT: Readonly<Record<IndexName, IndexLayout>> = Object.freeze({
  gsi1: { pk: "gsi1pk", sk: "gsi1sk", projection: "ALL" },
  gsi2: { pk: "gsi2pk", sk: "gsi2sk", projection: "KEYS_ONLY" },
  due: { pk: "duepk", sk: "duesk", projection: "KEYS_ONLY" },
});

/** The attributes of the primary key. */
export const PRIMARY = { pk: "pk", sk: "sk" } as const;

/** Seconds since 1970 after which the table may drop an item. It drops it late, so readers compare it themselves. */
export const TTL_ATTRIBUTE = "ttl";

/** The longest keys that the table takes, in bytes of UTF-8. */
export const MAX_PK_BYTES = 2048;
export const MAX_SK_BYTES = 1024;

/** Attributes that carry the layout and may not be an entity's own. */
export const RESERVED_ATTRIBUTES: ReadonlySet<string> = new Set([
  PRIMARY.pk,
  PRIMARY.sk,
  ...Object.values(INDEX_LAYOUT).flatMap((index) => [index.pk, index.sk]),
  TTL_ATTRIBUTE,
  "entity",
  "v",
  "rev",
]);

/** Every key attribute of the layout, all of them text. */
export const KEY_ATTRIBUTES: readonly string[] = [
  PRIMARY.pk,
  PRIMARY.sk,
  ...Object.values(INDEX_LAYOUT).flatMap((index) => [index.pk, index.sk]),
];
