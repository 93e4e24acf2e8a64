import { FAMILIES } from "./functions/registry.ts";
import { EVENT_NAMES } from "./schema/events.ts";
import { GROUPS_SHAPE } from "./schema/groups.ts";
import { DISTINCT_IDS, PERSONS } from "./schema/persons.ts";
import { SESSION_COLUMNS } from "./schema/session-columns.ts";

/** The names of the language that every project's queries may use. */
export interface Vocabulary {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly functions: readonly { readonly name: string; readonly family: string }[];
}

/** Tables that hold something, with their columns, and the functions that are not refused, each with what it is about. */
export const VOCABULARY: Vocabulary = {
  tables: [
    { name: "events", columns: EVENT_NAMES },
    { name: "persons", columns: PERSONS.star },
    { name: "person_distinct_ids", columns: DISTINCT_IDS.star },
    { name: "groups", columns: GROUPS_SHAPE.star },
    { name: "sessions", columns: [...SESSION_COLUMNS.keys()] },
  ],
  functions: [...FAMILIES].flatMap(([family, specs]) =>
    specs.flatMap(({ kind, name, aliases = [] }) =>
      kind === "unsupported" ? [] : [name, ...aliases].filter((each) => !each.startsWith("_")).map((each) => ({ name: each, family })),
    ),
  ),
};
