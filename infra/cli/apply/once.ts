import type { Key, Table, Write } from "../../../lib/ports/table.ts";
import { ABSENT, markerOwner, transact } from "../../../lib/table/transact.ts";

/** Who holds a marker, read as it is now. */
export const readHolder = async (table: Table, marker: Key): Promise<string | undefined> =>
  markerOwner(await table.get(marker, { consistent: true }));

/** The marker for its new owner: where there is none, or with `instead` in the place of a holder that no longer exists. */
export const claim = (marker: Key, owner: string, instead?: string): Write => ({
  kind: "put",
  item: { ...marker, entity: "unique", v: 1, owner },
  when: instead === undefined ? ABSENT : { kind: "equals", attribute: "owner", value: instead },
});

/**
 * Makes something under a marker unless it is there: marker and writes are one transaction, so nothing is ever half made.
 * `created` is true also when the answer was lost and the transaction done, because the marker then names our owner.
 * With `instead` a holder that no longer exists is replaced.
 */
export const once = async (
  table: Table,
  marker: Key,
  owner: string,
  writes: readonly Write[],
  instead?: string,
): Promise<{ readonly owner: string; readonly created: boolean }> => {
  try {
    await transact(table, [claim(marker, owner, instead), ...writes]);
    return { owner, created: true };
  } catch (error) {
    const holder = await readHolder(table, marker);
    if (holder === undefined || holder === instead) throw error;
    return { owner: holder, created: holder === owner };
  }
};
