import { toDouble } from "../core/exact-json.ts";
import { type Fields, isFields } from "./fields.ts";
import { HOT } from "./hot-properties.ts";

/** What property access yields as text: see `HOT`. A number that a double would round keeps its digits. */
export const propertyText = (value: unknown): string | null => {
  switch (typeof value) {
    case "string":
      return value === "" ? null : value.toWellFormed();
    case "number":
    case "boolean":
      return Number.isNaN(value) || value === Infinity || value === -Infinity ? null : String(value);
    case "object":
      return value === null ? null : jsonText(value);
    default:
      return null;
  }
};

/** Copied, because a list that grows entry by entry is copied several times. */
const NO_HOT: readonly null[] = HOT.map(() => null);

/** One value per entry of `HOT`, in its order. */
export const hotValues = (properties: Fields): readonly (string | number | null)[] => {
  const values: (string | number | null)[] = NO_HOT.slice();
  for (let at = 0; at < HOT.length; at++) {
    const { property, type } = HOT[at] ?? HOT[0];
    const value = properties[property];
    if (value === undefined) continue;
    if (type === "text") {
      values[at] = propertyText(value);
      continue;
    }
    const number = toDouble(value);
    if (number !== undefined && Number.isFinite(number)) values[at] = number;
  }
  return values;
};

/** JSON text that every reader takes: a lone half of a surrogate pair, which some refuse, becomes U+FFFD. */
export const jsonText = (value: object): string => {
  const text = JSON.stringify(value);
  return text.includes("\\ud") && LONE_SURROGATE.test(text) ? JSON.stringify(wellFormed(value)) : text;
};

/** `JSON.stringify` escapes a surrogate only when it is alone; an even number of backslashes before it is just text. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

const wellFormed = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
};
