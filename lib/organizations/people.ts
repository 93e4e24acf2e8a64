import type * as z from "zod";
import type { Table } from "../ports/table.ts";
import { getMany } from "../table/store.ts";
import type { UserSummary } from "./user-summary.ts";
import { type User, Users } from "./users.ts";

/** Users by id, for their summaries. */
export type People = ReadonlyMap<number, User>;

/** The users behind these ids, each read once. */
export const readPeople = (table: Table, ids: readonly (number | null)[]): Promise<People> => withPeople(table, new Map(), ids);

/** Those who are known, and the users behind these ids: only who is not known is read. */
export const withPeople = async (table: Table, known: People, ids: readonly (number | null)[]): Promise<People> => {
  const wanted = [...new Set(ids)].flatMap((id) => (id === null || known.has(id) ? [] : [{ id }]));
  const users: readonly User[] = wanted.length === 0 ? [] : await getMany(table, Users, wanted);
  return new Map([...known, ...users.map((user) => [user.id, user] as const)]);
};

/** The summary of the user with an id; null for nobody, and for a user that is gone. */
export const userSummary = (id: number | null, people: People): z.input<typeof UserSummary> | null => {
  const user = id === null ? undefined : people.get(id);
  return user === undefined ? null : user;
};
