import { exactJson } from "../../core/exact-json.ts";
import { isFields } from "../../event/fields.ts";

/** What stands where a text named somebody who was erased. */
const ERASED = "[erased]";

/** A shorter name is a part of too many texts that mean nobody: it is taken out only where it is all of a text. */
const LEAST_IN_TEXT = 4;

/** Names looked for by one pattern. All of it is literal, so the work grows with the text alone. */
const NAMES_AT_ONCE = 1_000;

/** Takes names out of texts. */
export interface Redactor {
  /** The text without them; the very same one where it has none. */
  text(text: string): string;
  /** The same of a text of JSON, which stays one. */
  json(text: string): string;
  /** The same of all texts inside a value. */
  value(value: unknown): unknown;
}

/** Takes names out of texts where they stand by themselves, in upper or lower case, and not as a part of a longer word. */
export const redactor = (names: readonly string[]): Redactor => {
  const whole = new Set(names);
  const inside = patterns([...whole].filter((name) => name.length >= LEAST_IN_TEXT));
  const text = (value: string): string =>
    whole.has(value) ? ERASED : inside.reduce((left, pattern) => left.replaceAll(pattern, ERASED), value);
  const value = (found: unknown): unknown => {
    if (typeof found === "string") return text(found);
    if (Array.isArray(found)) return found.map(value);
    return isFields(found) ? Object.fromEntries(Object.entries(found).map(([key, each]) => [text(key), value(each)])) : found;
  };
  return { text, value, json: (json) => sameUnlessChanged(json, value) };
};

const sameUnlessChanged = (json: string, value: (found: unknown) => unknown): string => {
  const parsed = exactJson(json);
  const before = JSON.stringify(parsed);
  const after = JSON.stringify(value(parsed));
  return after === before ? json : after;
};

/** The longest first, so that of two names with one beginning the whole one goes. */
const patterns = (names: readonly string[]): readonly RegExp[] => {
  const sorted = names.toSorted((a, b) => b.length - a.length);
  const found: RegExp[] = [];
  for (let at = 0; at < sorted.length; at += NAMES_AT_ONCE) {
    const some = sorted.slice(at, at + NAMES_AT_ONCE).map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    found.push(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${some.join("|")})(?![\\p{L}\\p{N}_])`, "giu"));
  }
  return found;
};

/** Properties of a person whose values name them, by how they are mostly called. */
const NAMING = /e-?mail|phone|mobile|user_?name|login|^\$?(full|first|last|given|family|sur|nick)?_?name$/i;

/** Characters of a value that names somebody rather than saying something of them. */
const LEAST_VALUE = 5;

/** The values of a person's properties that name them. */
export const namingValues = (properties: ReadonlyMap<string, unknown>): readonly string[] =>
  [...properties].flatMap(([key, value]) =>
    typeof value === "string" && value.length >= LEAST_VALUE && NAMING.test(key) ? [value.slice(0, MOST_VALUE)] : [],
  );

/** Characters of such a value that are looked for. */
const MOST_VALUE = 400;
