import type { UsedNames } from "../inspect.ts";
import { EMPTY_TABLES } from "./empty.ts";
import { EVENT_NAMES } from "./events.ts";
import { GROUPS_SHAPE } from "./groups.ts";
import { DISTINCT_IDS, PERSONS } from "./persons.ts";
import { SESSION_COLUMNS } from "./session-columns.ts";

/** Whether a query uses a name that is no field of any table, nor a group type among these: a type may have come meanwhile. */
export const mayNameNewGroup = ({ names }: UsedNames, known: readonly string[]): boolean =>
  [...names].some((name) => !FIELDS.has(name) && !known.includes(name));

const FIELDS: ReadonlySet<string> = new Set([
  "*",
  "events",
  "number",
  ...EVENT_NAMES,
  ...SESSION_COLUMNS.keys(),
  ...[PERSONS, DISTINCT_IDS, GROUPS_SHAPE].flatMap(({ star }) => star),
  ...[...EMPTY_TABLES.values()].flatMap((columns) => [...columns.keys()]),
]);
