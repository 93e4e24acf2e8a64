import { type User, Users } from "../../lib/entities/users.ts";
import type { Table } from "../../lib/ports/table.ts";
import { getMany } from "../../lib/table/store.ts";
import type { People } from "./wire.ts";

/** The users behind these ids, each read once. */
export const peopleOf = async (table: Table, ids: readonly (number | null)[]): Promise<People> => {
  const wanted = [...new Set(ids)].flatMap((id) => (id === null ? [] : [{ id }]));
  const users: readonly User[] = wanted.length === 0 ? [] : await getMany(table, Users, wanted);
  return new Map(users.map((user) => [user.id, user]));
};
