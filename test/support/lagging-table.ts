import type { Item, Key, Query, Table, Write } from "../../lib/ports/table.ts";

/** Reads that miss an item after it was written: an index, and whatever is not read consistently, comes late. */
const MISSES = 2;

/** A table of few items whose reads are as late as DynamoDB's may be, from when `begin` is called. */
export const laggingTable = (table: Table): Table & { begin(): void } => {
  const missed = new Map<string, number>();
  let begun = false;
  const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);
  const written = (items: readonly Item[]): void => {
    if (begun) for (const item of items) missed.set(nameOf(item), 0);
  };
  /** What a late read of these finds; each item that it misses is one read nearer. */
  const found = (items: readonly Item[]): readonly Item[] =>
    items.filter((item) => {
      const misses = missed.get(nameOf(item)) ?? MISSES;
      missed.set(nameOf(item), misses + 1);
      return misses >= MISSES;
    });
  const put = (write: Write): readonly Item[] => (write.kind === "put" ? [write.item] : []);
  return {
    ...table,
    begin: () => {
      begun = true;
    },
    async put(item, when) {
      await table.put(item, when);
      written([item]);
    },
    async transact(writes) {
      await table.transact(writes);
      written(writes.flatMap(put));
    },
    getMany: async (keys, options) => {
      const items = await table.getMany(keys, options);
      return options?.consistent === true ? items : found(items);
    },
    async query(query: Query) {
      if (query.index === undefined && query.consistent === true) return table.query(query);
      const { limit = Number.POSITIVE_INFINITY, countOnly, ...rest } = query;
      const items: Item[] = [];
      let cursor = query.cursor ?? null;
      do {
        const one = await table.query({ ...rest, limit: 1, cursor });
        items.push(...found(one.items));
        cursor = one.cursor;
      } while (cursor !== null && items.length < limit);
      return { items: countOnly ? [] : items, count: items.length, cursor };
    },
  };
};
