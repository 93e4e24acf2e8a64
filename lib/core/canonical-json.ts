import { createHash } from "node:crypto";
import { isExactNumber } from "./exact-json.ts";

/**
 * JSON without spaces and with sorted keys, so that equal values, and only they, give equal text; a field that is undefined is none.
 * Calls nothing of the value itself: a client's `toString` or `toJSON` is a key like others.
 */
export const canonicalJson = (value: unknown): string => sortedJson(value, isDefined);

/** The same, where null is as good as absent. */
export const canonicalJsonWithoutNulls = (value: unknown): string => sortedJson(value, isPresent);

/** SHA-256 in hexadecimal that only equal JSON values share, whatever the order of their names; null is a value like any other. */
export const jsonDigest = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex");

const sortedJson = (value: unknown, counts: (entry: unknown) => boolean): string => {
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item, counts)).join(",")}]`;
  if (typeof value !== "object" || value === null || isExactNumber(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, entry]) => counts(entry));
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, entry]) => `${JSON.stringify(name)}:${sortedJson(entry, counts)}`).join(",")}}`;
};

const isDefined = (value: unknown): boolean => value !== undefined;
const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
