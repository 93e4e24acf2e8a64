import { toDouble } from "../../core/exact-json.ts";
import { daysOfMonth } from "../../event/time-formats.ts";

/** What a property's values are, all of them. */
export const PROPERTY_TYPES = ["String", "Numeric", "Boolean", "DateTime"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/**
 * The type that one value speaks for; null where it says nothing: missing, null, or an empty string, which reads as NULL. Only what
 * the type gives back unchanged counts for it: digits in quotes, objects and lists are text.
 */
export const typeOfValue = (value: unknown): PropertyType | null => {
  switch (typeof value) {
    case "number":
      return numeric(value);
    case "boolean":
      return "Boolean";
    case "string":
      if (value === "") return null;
      return isTime(value) ? "DateTime" : "String";
    case "object":
      return value === null ? null : numberOrText(value);
    default:
      return null;
  }
};

const numeric = (number: number): PropertyType | null => (Number.isFinite(number) ? "Numeric" : null);

const numberOrText = (value: object): PropertyType | null => {
  const number = toDouble(value);
  return number === undefined ? "String" : numeric(number);
};

/**
 * Names whose values are text whatever the first ones look like: campaign tags and answers of flags and surveys, which are numbers
 * or booleans until the first one that is not, and keys of groups.
 */
export const isAlwaysText = (name: string): boolean => ALWAYS_TEXT.test(name);

const ALWAYS_TEXT = /^(?:utm_|\$initial_utm_|\$feature\/|\$feature_flag_response$|\$survey_response|\$group_\d$)/;

/** Nothing shorter or longer is a time: `2026-01-31` to `2026-01-31T23:59:59.123456789+00:00`. */
const SHORTEST = 10;
const LONGEST = 35;
const DASH = 45;

/** A date, or a date and time, with or without an offset, that is in the calendar. Looked at once per text value, so cheap first. */
const isTime = (text: string): boolean => {
  if (text.length < SHORTEST || text.length > LONGEST || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return false;
  const match = ISO.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match;
  return Number(day) <= daysOfMonth(Number(year), Number(month));
};

const ISO =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/;
