import { byteOrder } from "../../../lib/core/byte-order.ts";
import { ConditionFailed, type Item, type Key, type Query, type Table, type Write } from "../../../lib/ports/table.ts";
import { holds, itemAfter } from "../../../lib/table/item-rules.ts";
import { INDEX_LAYOUT, PRIMARY } from "../../../lib/table/layout.ts";

/** An item as it is stored, and as it would be. */
export interface ItemChange {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** A table that reads through to the stored one and keeps what is written to itself: whoever works on it sees what would be. */
export const openDraft = (stored: Table): { readonly table: Table; readonly changes: () => readonly ItemChange[] } => {
  const written = new Map<string, ItemChange>();
  const get = async (key: Key): Promise<Item | undefined> => {
    const own = written.get(keyText(key));
    return own === undefined ? stored.get(key, { consistent: true }) : own.after;
  };
  const write = async (writes: readonly Write[]): Promise<readonly (Item | undefined)[]> => {
    const before = await Promise.all(writes.map((each) => get(writtenKey(each))));
    const failed = writes.flatMap(({ when }, at) => (holds(before[at], when) ? [] : [at]));
    if (failed.length > 0) throw new ConditionFailed(failed, before[failed[0] ?? 0]);
    return writes.map((each, at) => {
      const name = keyText(writtenKey(each));
      const first = written.get(name);
      const after = itemAfter(each, before[at]);
      if (each.kind !== "check") written.set(name, { before: first === undefined ? before[at] : first.before, after });
      return after;
    });
  };
  return {
    changes: () => [...written.values()],
    table: {
      get,
      getMany: async (keys) => (await Promise.all(keys.map(get))).filter((item) => item !== undefined),
      async put(item, when) {
        await write([{ kind: "put", item, ...(when && { when }) }]);
      },
      async update(key, change, when) {
        const [after] = await write([{ kind: "update", key, change, ...(when && { when }) }]);
        return after ?? { ...key };
      },
      async remove(key, when) {
        await write([{ kind: "remove", key, ...(when && { when }) }]);
      },
      async transact(writes) {
        await write(writes);
      },
      /** All of it is one page. */
      async query(query) {
        const others = (await queryAll(stored, query)).filter((item) => !written.has(keyText(item)));
        const own = [...written.values()].flatMap(({ after }) => (after !== undefined && liesIn(query, after) ? [after] : []));
        const { sk } = query.index === undefined ? PRIMARY : INDEX_LAYOUT[query.index];
        const items = [...others, ...own].sort((a, b) => byteOrder(String(a[sk]), String(b[sk])) * (query.descending ? -1 : 1));
        return { items: query.countOnly ? [] : items, count: items.length, cursor: null };
      },
    },
  };
};

const keyText = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);

const writtenKey = (write: Write): Key => (write.kind === "put" ? write.item : write.key);

const queryAll = async (stored: Table, { limit: _limit, countOnly: _countOnly, ...query }: Query): Promise<readonly Item[]> => {
  const all: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Table["query"]>> = await stored.query({ ...query, cursor });
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return all;
};

const liesIn = ({ index, pk, sk: wanted }: Query, item: Item): boolean => {
  const layout = index === undefined ? PRIMARY : INDEX_LAYOUT[index];
  const sk = item[layout.sk];
  if (item[layout.pk] !== pk || typeof sk !== "string") return false;
  if (wanted === undefined) return true;
  if ("prefix" in wanted) return sk.startsWith(wanted.prefix);
  const { from, to } = wanted;
  return (from === undefined || byteOrder(sk, from) >= 0) && (to === undefined || byteOrder(sk, to) <= 0);
};
