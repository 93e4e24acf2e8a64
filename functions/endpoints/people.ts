import { type User, Users } from "../../lib/organizations/users.ts";
import type { Table } from "../../lib/ports/table.ts";
import { getMany } from "../../lib/table/store.ts";
import type { People } from "./wire.ts";

/** The users behind these ids, each read once. */
export const peopleOf = (table: Table, ids: readonly (number | null)[]): Promise<People> => withPeople(table, new Map(), ids);

/** Those who are known, and the users behind these ids: only who is not known is read. */
export const withPeople = async (table: Table, known: People, ids: readonly (number | null)[]): Promise<People> => {
  const wanted = [...new Set(ids)].flatMap((id) => (id === null || known.has(id) ? [] : [{ id }]));
  const users: readonly User[] = wanted.length === 0 ? [] : await getMany(table, Users, wanted);
  return new Map([...known, ...users.map((user) => [user.id, user] as const)]);
};
