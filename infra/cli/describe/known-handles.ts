import type { Table } from "../../../lib/ports/table.ts";
import { keyText } from "../../../lib/table/key-part.ts";
import { markerOwner } from "../../../lib/table/transact.ts";
import { HANDLE_KINDS, type HandleKind, handleKey } from "../apply/handles.ts";

/** The keys by which documents know things of a kind: by the id of what each stands for, its parts from the organization on. */
const knownHandles = async (table: Table, kind: HandleKind): Promise<ReadonlyMap<string, readonly string[]>> => {
  const found = new Map<string, readonly string[]>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Table["query"]>> = await table.query({ pk: handleKey(kind).pk, consistent: true, cursor });
    for (const item of page.items) {
      const owner = markerOwner(item);
      if (owner !== undefined) found.set(owner, item.sk.split("#").map(keyText));
    }
    cursor = page.cursor;
  } while (cursor !== null);
  return found;
};

/** What documents call things, where one made them. */
export interface Handles {
  /** A thing's own key, without those of what it lies in. */
  last(kind: HandleKind, owner: string): string | undefined;
  /** The key of the organization that a thing was made in. */
  first(kind: HandleKind, owner: string): string | undefined;
}

export const readHandles = async (table: Table): Promise<Handles> => {
  const known = new Map<HandleKind, ReadonlyMap<string, readonly string[]>>();
  for (const kind of HANDLE_KINDS) known.set(kind, await knownHandles(table, kind));
  return { last: (kind, owner) => known.get(kind)?.get(owner)?.at(-1), first: (kind, owner) => known.get(kind)?.get(owner)?.at(0) };
};
