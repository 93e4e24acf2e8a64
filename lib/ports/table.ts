/** A value that an item can hold. Numbers are safe integers or short decimals; anything larger is kept as text. */
export type Value = string | number | boolean | null | Uint8Array | readonly Value[] | { readonly [name: string]: Value | undefined };

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** An item as stored: its key, its index keys if it has any, and its attributes. An `undefined` attribute is absent. */
export type Item = Key & { readonly [name: string]: Value | undefined };

/** The two generic indexes; an item is in one only when it carries both of its keys (`gsi1pk` and `gsi1sk`). `due` holds keys only. */
export const INDEXES = ["gsi1", "gsi2", "due"] as const;
export type IndexName = (typeof INDEXES)[number];

/** A condition on the stored item without which nothing is written. Attributes are top-level ones. */
export type Condition =
  | { readonly kind: "absent" }
  | { readonly kind: "present" }
  | { readonly kind: "equals"; readonly attribute: string; readonly value: Value }
  | { readonly kind: "less"; readonly attribute: string; readonly value: string | number }
  | { readonly kind: "lacks"; readonly attribute: string }
  | { readonly kind: "has"; readonly attribute: string }
  | { readonly kind: "all"; readonly of: readonly Condition[] }
  | { readonly kind: "any"; readonly of: readonly Condition[] };

/** An update of top-level attributes; creates the item when it is absent and nothing forbids it. */
export interface Change {
  readonly set?: Readonly<Record<string, Value>>;
  /** Adds to a number; an absent one counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
}

export type Write =
  | { readonly kind: "put"; readonly item: Item; readonly when?: Condition }
  | { readonly kind: "update"; readonly key: Key; readonly change: Change; readonly when?: Condition }
  | { readonly kind: "remove"; readonly key: Key; readonly when?: Condition }
  | { readonly kind: "check"; readonly key: Key; readonly when: Condition };

export interface Query {
  readonly index?: IndexName;
  readonly pk: string;
  /** Bounds of the sort key, both inclusive; or a prefix. */
  readonly sk?: { readonly from?: string; readonly to?: string } | { readonly prefix: string };
  readonly descending?: boolean;
  /** Items per page at most; a page also ends at 1 MB. */
  readonly limit?: number;
  readonly cursor?: string | null;
  /** Not for an index. */
  readonly consistent?: boolean;
  /** Count only: the page's items are empty and `count` is set. */
  readonly countOnly?: boolean;
}

export interface Page {
  readonly items: readonly Item[];
  readonly count: number;
  readonly cursor: string | null;
}

/**
 * The single table. Promises no more than DynamoDB does: single-item reads and writes are atomic; a query is read-committed
 * page by page and may see part of a transaction; an index lags; a failed call may have been applied. Every call may throw `TableUnavailable`.
 */
export interface Table {
  get(key: Key, options?: { readonly consistent?: boolean }): Promise<Item | undefined>;
  /** The items that exist, in no promised order; any number of keys. */
  getMany(keys: readonly Key[], options?: { readonly consistent?: boolean }): Promise<readonly Item[]>;
  /** Throws `ConditionFailed`. */
  put(item: Item, when?: Condition): Promise<void>;
  /** Returns the item after the update. Throws `ConditionFailed`. */
  update(key: Key, change: Change, when?: Condition): Promise<Item>;
  remove(key: Key, when?: Condition): Promise<void>;
  query(query: Query): Promise<Page>;
  /** At most 100 writes, all or nothing. Throws `ConditionFailed` or `Conflict` (another transaction was at one of the items: try again). */
  transact(writes: readonly Write[]): Promise<void>;
}

/** A write's condition did not hold. `failed` are the positions in a transaction ([0] for a single write). */
export class ConditionFailed extends Error {
  override readonly name = "ConditionFailed";
  readonly failed: readonly number[];
  /** The stored item of a single write, where there was one. */
  readonly stored: Item | undefined;
  constructor(failed: readonly number[], stored?: Item) {
    super("the condition of the write did not hold");
    this.failed = failed;
    this.stored = stored;
  }
}

/** Another transaction was under way at one of the items. Nothing was written; trying again is right. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** The table did not answer, in all tries of a call: it is throttled, or away. A write may have been applied, and asking later is right. */
export class TableUnavailable extends Error {
  override readonly name = "TableUnavailable";
}
