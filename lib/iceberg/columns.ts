import { type ColumnKind, EVENT_COLUMNS } from "../event/event.ts";
import { EVENT_FIELD_IDS } from "../event/field-ids.ts";
import { QUARTER_HOUR } from "../event/quarter-hours.ts";

/** The types of the format that our columns have. */
export type FieldType = "uuid" | "string" | "double" | "timestamptz" | "long" | "int" | "boolean";

/** A column of a published table. */
export interface Field {
  readonly id: number;
  readonly name: string;
  readonly type: FieldType;
}

const TYPES: Readonly<Record<ColumnKind, FieldType>> = {
  uuid: "uuid",
  text: "string",
  optional: "string",
  number: "double",
  timestamp: "timestamptz",
  int64: "long",
  int32: "int",
  boolean: "boolean",
};

export const EVENT_FIELDS: readonly Field[] = EVENT_COLUMNS.map(({ name, kind }) => ({
  id: EVENT_FIELD_IDS[name],
  name,
  type: TYPES[kind],
})).sort((a, b) => a.id - b.id);

/** Ids as of the events: given once. */
export const PERSON_FIELDS: readonly Field[] = [
  { id: 1, name: "person_id", type: "uuid" },
  { id: 2, name: "distinct_id", type: "string" },
  { id: 3, name: "created_at", type: "timestamptz" },
  { id: 4, name: "properties", type: "string" },
  { id: 5, name: "is_identified", type: "boolean" },
  { id: 6, name: "last_seen_at", type: "timestamptz" },
];

export const DISTINCT_ID_FIELDS: readonly Field[] = [
  { id: 1, name: "distinct_id", type: "string" },
  { id: 2, name: "person_id", type: "uuid" },
];

/** The column of a layer that says that a row is gone: such rows are deleted by their places. */
export const GONE_FIELD = { id: 100, name: "gone" } as const;

/** The column of compacted files that says in which quarter of an hour an event was. */
export const QUARTER_HOUR_FIELD = { id: 10_000, name: QUARTER_HOUR } as const;

/** The columns of properties are numbered from here on, in each table as they come. */
export const FIRST_PROPERTY_ID = 10_001;
