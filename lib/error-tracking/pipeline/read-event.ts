import { exactJson } from "../../core/exact-json.ts";
import type { EventRow } from "../../event/event.ts";
import { type Fields, isFields } from "../../event/fields.ts";
import { positionedUuid } from "../../event/identity.ts";
import { ParseError, storable } from "../parsing/fields.ts";
import { type Metadata, metadataOf } from "../parsing/metadata.ts";
import { type ParsedEvent, parseEvent } from "../parsing/parsed-event.ts";

/** A row of a `$exception` event, and the message that brought it: what is counted by message is counted once however often it comes. */
export interface ExceptionRow {
  readonly row: EventRow;
  readonly delivery: string;
}

/** An event that can be read as an exception. */
export interface ReadEvent extends ExceptionRow {
  readonly event: ParsedEvent;
  readonly metadata: Metadata;
}

/** One that cannot, and why. */
export interface UnreadEvent extends ExceptionRow {
  readonly properties: Fields;
  readonly errors: readonly string[];
}

/** Reads a row. Whatever is wrong with it is its own matter and stops nothing. */
export const readEvent = ({ row, delivery }: ExceptionRow): ReadEvent | UnreadEvent => {
  const properties = propertiesOf(row.properties);
  try {
    const event = parseEvent(properties, (index) => positionedUuid(row.uuid, index, row.timestamp));
    return { row, delivery, event, metadata: metadataOf(event.exceptions) };
  } catch (fault) {
    const error = fault instanceof ParseError ? fault.message : "the exception could not be read";
    return { row, delivery, properties, errors: [error] };
  }
};

const propertiesOf = (json: string): Fields => {
  const properties = exactJson(json);
  if (!isFields(properties)) return {};
  return json.includes("\\u0000") ? fieldsWithoutNul(properties) : properties;
};

const fieldsWithoutNul = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withoutNul(value)]));

const withoutNul = (value: unknown): unknown => {
  if (typeof value === "string") return storable(value);
  if (Array.isArray(value)) return value.map(withoutNul);
  return isFields(value) ? fieldsWithoutNul(value) : value;
};
