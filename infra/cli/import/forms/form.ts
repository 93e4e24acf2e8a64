import { hash } from "node:crypto";
import { canonicalUuid } from "../../../../lib/core/uuid.ts";
import { type Fields, isFields } from "../../../../lib/event/fields.ts";

/** The record of another product's file cannot become an event; the message says why. */
export class NoEvent extends Error {
  override readonly name = "NoEvent";
}

/** One form of files: how a record is known, and the event that it becomes, as a client would send it. Throws `NoEvent`. */
export interface Form {
  readonly name: FormName;
  /** Whether a record looks like one of this form. */
  knows(record: Fields): boolean;
  /** The event; the record itself where it is one already. */
  read(record: Fields, options: FormOptions): Fields;
}

export const FORM_NAMES = ["events", "posthog", "mixpanel", "amplitude", "segment"] as const;
export type FormName = (typeof FORM_NAMES)[number];

export interface FormOptions {
  /** The group type of Segment's groups, which have none. */
  readonly groupType: string;
}

/**
 * The uuid of an event by the id that its product gave it: the same however often it is imported. An id that is a UUID stays; where
 * there is no id, there is no uuid.
 */
export const uuidOf = (product: FormName, id: unknown): string | undefined => {
  if (typeof id !== "string" || id === "") return undefined;
  const own = canonicalUuid(id);
  if (own !== undefined) return own;
  const hex = hash("sha1", `${product}:${id}`, "hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** The value where it says something. */
export const said = (value: unknown): unknown => (value === null || value === "" ? undefined : value);

/** The first of some values that says something. */
export const firstSaid = (...values: readonly unknown[]): unknown => values.find((value) => said(value) !== undefined);

/** The fields of an object; none of anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : NONE);

const NONE: Fields = Object.freeze({});

/** The value at a path of names. */
export const at = (fields: Fields, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), fields);

/** The fields that say something. */
export const withoutEmpty = (fields: Fields): Fields => {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (said(fields[name]) !== undefined) kept[name] = fields[name];
  return kept;
};

/** Properties under the names by which this product knows them; those that a record has itself stay. */
export const renamed = (properties: Fields, names: Readonly<Record<string, string>>): Record<string, unknown> => {
  const result: Record<string, unknown> = {};
  for (const name in properties) {
    const known = Object.hasOwn(names, name) ? names[name] : undefined;
    if (known === undefined) result[name] = properties[name];
    else if (said(properties[known]) === undefined) result[known] = properties[name];
  }
  return result;
};
