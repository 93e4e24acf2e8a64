import { canonicalJson } from "../core/canonical-json.ts";
import type { RawEvent } from "./envelope.ts";

/** Characters of a distinct_id that are kept. */
const MAX_CHARACTERS = 200;

/**
 * The distinct_id of an event as it is stored: the one at the top, else the property; anything that is no text becomes its
 * compact JSON with sorted keys; NUL becomes U+FFFD; cut to 200 characters. Null when the event has none.
 */
export const distinctIdOf = (event: RawEvent): string | null => {
  return idText(firstPresent(event.distinct_id, event.$distinct_id, event.properties?.distinct_id));
};

/** An id that an event names, as it is stored; null where it names none. */
export const idText = (id: unknown): string | null =>
  isPresent(id) ? storableText(typeof id === "string" ? id : canonicalJson(id)) : null;

const firstPresent = (top: unknown, topDollar: unknown, property: unknown): unknown => {
  if (isPresent(top)) return top;
  return isPresent(topDollar) ? topDollar : isPresent(property) ? property : undefined;
};

/** A number beyond all bounds would become null when it is written again, so it counts as none from the start. */
const isPresent = (id: unknown): boolean => id !== undefined && id !== null && id !== "" && (typeof id !== "number" || Number.isFinite(id));

/** A name or an id as it is stored: NUL and lone surrogates become U+FFFD; cut to 200 characters. */
export const storableText = (text: string): string => {
  const clean = (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text).toWellFormed();
  if (clean.length <= MAX_CHARACTERS) return clean;
  return Array.from(clean.slice(0, 2 * MAX_CHARACTERS))
    .slice(0, MAX_CHARACTERS)
    .join("");
};
