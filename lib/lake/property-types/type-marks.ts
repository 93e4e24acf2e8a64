import { nameBytes } from "../property-types.ts";
import type { StoredTypes } from "./stored-types.ts";

/** Properties that queries keep, and bytes of their names. */
const MAX_USED = 1_000;
const MAX_USED_BYTES = 40_000;
/** A mark is made anew after this many days, and one that was not makes room for others after these. */
const MARK_DAYS = 30;
const UNMARK_DAYS = 90;

/** Whether a property that a query asked for has to be marked, so that its type stays. */
export const needsMark = (used: StoredTypes["used"], name: string, day: number): boolean => {
  const marked = used.get(name);
  if (marked !== undefined) return day - marked >= MARK_DAYS;
  return used.size < MAX_USED || [...used.values()].some((other) => day - other >= UNMARK_DAYS);
};

/** The types with marks at properties that queries asked for; the very same when there is nothing to mark, or no room. */
export const withMarks = (stored: StoredTypes, asked: readonly string[], day: number): StoredTypes => {
  const used = new Map(stored.used);
  let bytes = 0;
  for (const [name, marked] of stored.used) {
    if (day - marked >= UNMARK_DAYS) used.delete(name);
    else bytes += nameBytes(name);
  }
  let isChanged = false;
  for (const name of asked) {
    const marked = used.get(name);
    if (marked !== undefined ? day - marked < MARK_DAYS : used.size >= MAX_USED || bytes + nameBytes(name) > MAX_USED_BYTES) continue;
    if (marked === undefined) bytes += nameBytes(name);
    used.set(name, day);
    isChanged = true;
  }
  return isChanged ? { ...stored, used } : stored;
};
