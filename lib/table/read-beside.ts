import type { Item, Key, Table } from "../ports/table.ts";

/** An item that is needed whatever others say: it is read in one call with those, or by itself where nobody reads any. */
export interface ReadBeside {
  /** Those of these items that exist, read in one call with it. */
  getMany(keys: readonly Key[]): Promise<readonly Item[]>;
  /** Begins to read it by itself. */
  begin(): void;
  /** The item, undefined where there is none. */
  item(): Promise<Item | undefined>;
}

export const readBeside = (table: Table, key: Key): ReadBeside => {
  let reading: Promise<Item | undefined> | undefined;
  /** Whoever is refused meanwhile never asks for it: what it throws may stay unheard. */
  const mayStayUnheard = (item: Promise<Item | undefined>): Promise<Item | undefined> => {
    item.catch(() => undefined);
    return item;
  };
  const alone = (): Promise<Item | undefined> => {
    reading ??= mayStayUnheard(table.get(key, { consistent: true }));
    return reading;
  };
  return {
    getMany(keys) {
      const found = table.getMany([...keys, key], { consistent: true });
      reading = mayStayUnheard(found.then((items) => items.find(({ pk, sk }) => pk === key.pk && sk === key.sk)));
      return found;
    },
    begin: () => void alone(),
    item: alone,
  };
};
