import type { Random } from "../../simulation/random.ts";

/** Most values of one name that are remembered: the newest. */
const MOST = 40;
/** Longer texts are no names of anything. */
const MAX_TEXT = 200;

/** Values that replies held, by the name of their field: what a later request may mean. */
export interface Pool {
  /** Learns from a reply of the operations at a path. */
  learn(path: string, body: unknown): void;
  /** Something that stood in a field of this name, if anything did. */
  named(name: string, random: Random): unknown;
  /** Something that names a thing which lies at a path, if one is known. */
  at(path: string, hole: string, random: Random): string | undefined;
}

export const newPool = (): Pool => {
  const byName = new Map<string, unknown[]>();
  const byPath = new Map<string, string[]>();
  const add = <T>(to: Map<string, T[]>, key: string, value: T): void => {
    const known = to.get(key) ?? [];
    if (known.includes(value)) return;
    to.set(key, [...known.slice(1 - MOST), value]);
  };
  const visit = (path: string, value: unknown): void => {
    if (Array.isArray(value)) for (const each of value.slice(0, 10)) visit(path, each);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "number" || (typeof inner === "string" && inner !== "" && inner.length <= MAX_TEXT)) {
        add(byName, name, inner);
        add(byPath, `${path} ${name}`, String(inner));
      } else visit(path, inner);
    }
  };
  const pick = <T>(from: readonly T[] | undefined, random: Random): T | undefined => from?.[random.int(0, from.length - 1)];
  return {
    learn: visit,
    named: (name, random) => pick(byName.get(name), random),
    at: (path, hole, random) => pick(byPath.get(`${path} ${hole}`) ?? byPath.get(`${path} id`), random),
  };
};
