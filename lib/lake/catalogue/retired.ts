import { unpack } from "../../core/pack.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Item, Table } from "../../ports/table.ts";
import { lakePk, retiredSk } from "../paths.ts";

/** Deletes what a swap retired, then the item that says so: a crash in between is repeated. */
export const forget = async (parts: Pick<Ports, "table" | "objects">, project: number, sk: string): Promise<void> => {
  const key = { pk: lakePk(project), sk };
  const item = await parts.table.get(key, { consistent: true });
  if (item === undefined) return;
  await parts.objects.remove(retiredKeys(item));
  await parts.table.remove(key);
};

/** The keys of all objects that are retired and not deleted yet. */
export const readRetired = async (table: Table, project: number): Promise<readonly string[]> => {
  const keys: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: lakePk(project), sk: { prefix: retiredSk("") }, consistent: true, cursor });
    for (const item of page.items) keys.push(...retiredKeys(item));
    cursor = page.cursor;
  } while (cursor !== null);
  return keys;
};

/** Only `swap` writes retired items, as a packed list of keys. */
const retiredKeys = (item: Item): readonly string[] => (item.keys instanceof Uint8Array ? (unpack(item.keys) as readonly string[]) : []);
