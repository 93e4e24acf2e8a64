import { exactJson } from "../../core/exact-json.ts";
import type { EventRow } from "../../event/event.ts";
import { type Fields, isFields } from "../../event/fields.ts";
import { positionedUuid } from "../../event/identity.ts";
import { ParseError, storable } from "../parsing/fields.ts";
import { type ParsedEvent, parseEvent, withoutOurs } from "../parsing/parsed-event.ts";

/** An event that can be read as an exception. */
export interface ReadEvent {
  /** One that an import brought is history, which is told to nobody and takes no rate limit. */
  readonly row: EventRow;
  /** The message that brought it: what is counted by message is counted once however often it comes. */
  readonly delivery: string;
  readonly event: ParsedEvent;
}

/** One that cannot, and why. */
interface UnreadEvent extends Omit<ReadEvent, "event"> {
  readonly properties: Fields;
  readonly errors: readonly string[];
}

/** Reads a row. Whatever is wrong with it is its own matter and stops nothing. */
export const readEvent = ({ row, delivery }: Omit<ReadEvent, "event">): ReadEvent | UnreadEvent => {
  const properties = readProperties(row.properties);
  try {
    return { row, delivery, event: parseEvent(properties, (index) => positionedUuid(row.uuid, index, row.timestamp)) };
  } catch (fault) {
    const error = fault instanceof ParseError ? fault.message : "the exception could not be read";
    return { row, delivery, properties: withoutOurs(properties), errors: [error] };
  }
};

const readProperties = (json: string): Fields => {
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
