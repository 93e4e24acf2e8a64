import type { World } from "../../../lib/app/world.ts";
import { SymbolSets } from "../../../lib/error-tracking/symbol-sets.ts";
import { symbolsKey } from "../../../lib/lake/paths.ts";
import * as store from "../../../lib/table/store.ts";

/** What a stored set of symbols holds. */
export const SYMBOLS = Buffer.from("a file of symbols");

/** Stores a set of symbols: an object, and the item that names it. Names of one length share an id. */
export const storeSymbols = async ({ table, objects }: Pick<World, "table" | "objects">, project: number, name: string): Promise<void> => {
  const key = symbolsKey(project, name);
  await objects.put(key, SYMBOLS);
  const id = `0190d0aa-0000-7000-8000-${name.length.toString().padStart(12, "0")}`;
  const times = { created_at: "2026-11-28T00:00:00Z", uploaded_at: null };
  await store.put(table, SymbolSets, {
    ...{ project, id, ref: name, ...times, release_id: null, content_hash: null, object: key, bytes: SYMBOLS.length, pending: null },
  });
};
