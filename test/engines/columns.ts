import { createHash } from "node:crypto";
import { EVENT_COLUMNS } from "../../lib/event/event.ts";
import type { Value } from "../../lib/lake/parquet.ts";

/** How a column's values are written as text, the same by every reader. */
export type TextKind = "uuid" | "time" | "double" | "integer" | "boolean" | "text";

export interface TextColumn {
  readonly name: string;
  readonly kind: TextKind;
}

const KINDS = {
  uuid: "uuid",
  text: "text",
  optional: "text",
  number: "double",
  boolean: "boolean",
  timestamp: "time",
  int64: "integer",
  int32: "integer",
} as const satisfies Record<(typeof EVENT_COLUMNS)[number]["kind"], TextKind>;

/** The columns of the table `events`: all that an event's file may have. */
export const EVENTS: readonly TextColumn[] = EVENT_COLUMNS.map(({ name, kind }) => ({ name, kind: KINDS[kind] }));

/** The columns of the table `persons`. */
export const PERSONS: readonly TextColumn[] = [
  { name: "person_id", kind: "uuid" },
  { name: "distinct_id", kind: "text" },
  { name: "created_at", kind: "time" },
  { name: "properties", kind: "text" },
  { name: "is_identified", kind: "boolean" },
  { name: "last_seen_at", kind: "time" },
];

/** The columns of the table of ids whose person is not the one that they would make alone. */
export const PERSON_DISTINCT_IDS: readonly TextColumn[] = [
  { name: "distinct_id", kind: "text" },
  { name: "person_id", kind: "uuid" },
];

/** What a project publishes. */
export const TABLES = { events: EVENTS, persons: PERSONS, person_distinct_ids: PERSON_DISTINCT_IDS } as const;
export type TableName = keyof typeof TABLES;

/**
 * A row as text: a JSON list of texts and nulls. UUIDs are 32 digits, times microseconds since 1970, doubles the 16 digits of their
 * bits, so that nothing depends on how a reader prints a value.
 */
export const rowText = (columns: readonly TextColumn[], row: Readonly<Record<string, Value>>): string =>
  JSON.stringify(columns.map(({ name, kind }) => valueText(kind, row[name] ?? null)));

const valueText = (kind: TextKind, value: Value): string | null => {
  if (value === null) return null;
  if (kind === "uuid") return String(value).replaceAll("-", "");
  if (kind !== "double") return String(value);
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(Number(value));
  return bits.toString("hex");
};

/** A digest of rows in whatever order. */
export const digest = (rows: Iterable<string>): string => {
  const each = Array.from(rows, (row) => createHash("sha256").update(row).digest("hex")).sort();
  return createHash("sha256").update(each.join("")).digest("hex");
};
