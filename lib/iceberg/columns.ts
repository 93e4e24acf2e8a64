import { type ColumnKind, EVENT_COLUMNS } from "../event/event.ts";
import { EVENT_FIELD_IDS } from "../event/field-ids.ts";

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
