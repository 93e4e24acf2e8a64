import { QueryError } from "./errors.ts";
import { FAMILIES, findFunction } from "./functions/registry.ts";
import type { FunctionSpec } from "./functions/spec.ts";
import type { Take } from "./functions/take.ts";
import { EMPTY_TABLES } from "./schema/empty.ts";
import { EVENT_NAMES } from "./schema/events.ts";
import { GROUPS_SHAPE } from "./schema/groups.ts";
import { ISSUE_COLUMNS, ISSUES } from "./schema/issues.ts";

export { ISSUE_COLUMNS, ISSUES, NO_ISSUES } from "./schema/issues.ts";

import { DISTINCT_IDS, PERSONS } from "./schema/persons.ts";
import { SESSION_COLUMNS } from "./schema/session-columns.ts";
import type { Type } from "./types.ts";

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
    { name: ISSUES, columns: [...ISSUE_COLUMNS.keys()] },
  ],
  functions: [...FAMILIES].flatMap(([family, specs]) =>
    specs.flatMap(({ kind, name, aliases = [] }) =>
      kind === "unsupported" ? [] : [name, ...aliases].filter((each) => !each.startsWith("_")).map((each) => ({ name: each, family })),
    ),
  ),
};

/** A function as its entry has it: its name in the spelling that it is listed with, whatever the case of the letters it was asked by. */
export interface FunctionEntry {
  readonly kind: Exclude<FunctionSpec["kind"], "unsupported">;
  readonly name: string;
  /** What a function of values takes, argument by argument; the last may repeat. */
  readonly takes: readonly Take[];
}

/** A function by any of its names; undefined where the language has none, or refuses it. */
export const functionEntry = (name: string): FunctionEntry | undefined => {
  try {
    const { spec } = findFunction(name);
    if (spec.kind === "unsupported") return undefined;
    const names = [spec.name, ...(spec.aliases ?? [])];
    const listed = names.includes(name) ? name : names.find((each) => each.toLowerCase() === name.toLowerCase());
    return { kind: spec.kind, name: listed ?? name, takes: spec.kind === "scalar" ? spec.takes : [] };
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
};

/** Tables that are there and hold nothing, with their columns. */
export const emptyTableColumns = (table: string): ReadonlyMap<string, Type> | undefined => EMPTY_TABLES.get(table);
