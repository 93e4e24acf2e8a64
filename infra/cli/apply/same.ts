import { canonicalJson } from "../../../lib/core/canonical-json.ts";

/** The given attributes whose values differ from the stored ones; undefined when none does, so that a second apply writes nothing. */
export const differing = <T extends object>(stored: T, given: Partial<T>): Partial<T> | undefined => {
  const names = ownKeys(given).filter((name) => given[name] !== undefined && canonicalJson(given[name]) !== canonicalJson(stored[name]));
  if (names.length === 0) return undefined;
  const changes: Partial<T> = {};
  for (const name of names) changes[name] = given[name];
  return changes;
};

/** The own names of an object built from its type's names only, as ours are. */
const ownKeys = <T extends object>(value: Partial<T>): readonly (keyof T)[] => Object.keys(value) as (keyof T)[];
