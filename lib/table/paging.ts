import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod";
import { Defect } from "../core/unreachable.ts";
import type { Key, Query, Table, Write } from "../ports/table.ts";
import type { Entity, KeyTemplate, PartitionValues, Patterns } from "./entity.ts";
import { type ListOptions, listQuery, page } from "./store.ts";

/** The part of a pattern that is meant: all of it where they are left out. */
type Bounds = Pick<ListOptions, "from" | "to">;

/** The window of a `limit`/`offset` list, and how many items there are in all. */
export interface Window<T> {
  readonly count: number;
  readonly items: readonly T[];
}

/** The write that goes into the transaction which adds `by` items to the list with this counter, or takes them when negative. */
export const counting = (counter: Key, by: number): Write => ({ kind: "update", key: counter, change: { add: { count: by } } });

/** The length of a list as its counter has it. */
const readLength = async (table: Table, counter: Key): Promise<number> => {
  const { count } = (await table.get(counter, { consistent: true })) ?? { count: 0 };
  return typeof count === "number" ? count : 0;
};

/**
 * The window `[offset, offset + limit)` of a pattern and the exact count.
 *
 * With `counter` the count is one small read however long the list is, and the window is reached from the end
 * that is nearer, so that the first and the last page cost the same; what lies before it is counted by the table and not sent.
 * On a keys-only index ten thousand skipped items are one call of a megabyte. Without `counter` the list is counted through,
 * which is right only for one that stays short (members, projects of an organization).
 */
export const readWindow = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns, N extends keyof P | "key">(
  table: Table,
  of: Entity<S, K, P>,
  pattern: N,
  values: PartitionValues<S, N extends keyof P ? P[N] : K>,
  options: Bounds & { readonly limit: number; readonly offset: number; readonly descending?: boolean; readonly counter?: Key },
): Promise<Window<z.output<S>>> => {
  const { limit, offset, descending = false, counter, from, to } = options;
  const bounds: Bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  // What an index has cannot be read for certain, and the items themselves can: a list shows what was made just before.
  const consistent = pattern === "key";
  const count = counter === undefined ? await countThrough(table, of, pattern, values, bounds) : await readLength(table, counter);
  const size = Math.min(limit, count - offset);
  if (size <= 0) return { count, items: [] };
  const behind = count - offset - size;
  // A counter can run ahead of a lagging index by a moment; from the far end that would shift the window, so only go there to save work.
  const fromEnd = behind < offset;
  const query = listQuery(of, pattern, values, { ...bounds, descending: fromEnd !== descending, consistent });
  const read = async (): Promise<readonly z.output<S>[]> => {
    const cursor = await skip(table, query, fromEnd ? behind : offset);
    if (cursor === END) return [];
    return take(size, cursor, (next, left) =>
      page(table, of, pattern, values, { ...bounds, descending: fromEnd !== descending, consistent, cursor: next, limit: left }),
    );
  };
  let items = await read();
  // The counter knows of every item at once, an index of the newest ones after a moment.
  for (const pauseMs of counter === undefined ? [] : LAG_PAUSES_MS) {
    if (items.length >= size) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    items = await read();
  }
  return { count, items: fromEnd ? items.toReversed() : items };
};

const END = Symbol("end of the list");

/** Bounds every loop over pages: a list of more than this many pages of a megabyte is not one for `limit` and `offset`. */
const MAX_PAGES = 1_000;

/** The length of a pattern, or of the primary key under the name "key", by counting it through: no item is sent. */
export const countThrough = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns, N extends keyof P | "key">(
  table: Table,
  of: Entity<S, K, P>,
  pattern: N,
  values: PartitionValues<S, N extends keyof P ? P[N] : K>,
  bounds: Bounds = {},
): Promise<number> => {
  const query: Query = listQuery(of, pattern, values, { ...bounds, consistent: pattern === "key" });
  let count = 0;
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const found = await table.query({ ...query, countOnly: true, cursor });
    count += found.count;
    cursor = found.cursor;
    if (cursor === null) return count;
  }
  throw new Defect("a list is too long to be counted through");
};

/** The cursor behind the first `items` items. */
const skip = async (table: Table, query: Query, items: number): Promise<string | null | typeof END> => {
  let left = items;
  let cursor: string | null = null;
  for (let pages = 0; left > 0; pages += 1) {
    if (pages === MAX_PAGES) throw new Defect("a list is too long to be skipped through");
    const found = await table.query({ ...query, countOnly: true, limit: left, cursor });
    left -= found.count;
    cursor = found.cursor;
    if (cursor === null) return END;
  }
  return cursor;
};

const take = async <T>(
  size: number,
  start: string | null,
  read: (cursor: string | null, left: number) => Promise<{ readonly items: readonly T[]; readonly cursor: string | null }>,
): Promise<readonly T[]> => {
  const items: T[] = [];
  let cursor = start;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const found = await read(cursor, size - items.length);
    items.push(...found.items);
    cursor = found.cursor;
    if (items.length >= size || cursor === null) return items;
  }
  throw new Defect("a list gave no end");
};

/** How long an index that lags is waited for: nearly always it has caught up at the first look. */
const LAG_PAUSES_MS = [50, 150, 400] as const;

/**
 * Settles once an index has an item that was just made, so that whoever was told of it finds it in the list. An index that lags for
 * longer is not waited for: the item is there.
 */
export const untilListed = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  pattern: keyof P,
  item: z.output<S>,
): Promise<void> => {
  const query = { ...listQuery(of, pattern, item), countOnly: true };
  for (const pauseMs of [...LAG_PAUSES_MS, 0]) {
    if ((await table.query(query)).count > 0) return;
    await pause(pauseMs);
  }
};
