/** How far two floats may lie apart, as a share of the larger. */
const TOLERANCE = 1e-9;

/** Whether two engines gave the same rows; their order counts only when the query has one. */
export const sameRows = (ours: readonly (readonly unknown[])[], theirs: readonly (readonly unknown[])[], ordered: boolean): boolean => {
  if (ours.length !== theirs.length) return false;
  if (ordered) return ours.every((row, index) => same(row, theirs[index]));
  const left = new Map<string, (readonly unknown[])[]>();
  for (const row of theirs) {
    const key = JSON.stringify(row);
    const equal = left.get(key) ?? [];
    equal.push(row);
    left.set(key, equal);
  }
  const unmatched = ours.filter((row) => left.get(JSON.stringify(row))?.pop() === undefined);
  const rest = [...left.values()].flat();
  return unmatched.every((row) => {
    const at = rest.findIndex((other) => same(row, other));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
};

/** Equal JSON values, where floats may differ in their last digits and a condition may be 0 or 1. */
export const same = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a === "boolean" && typeof b === "number") return Number(a) === b;
  if (typeof a === "number" && typeof b === "boolean") return a === Number(b);
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isObject(a) || !isObject(b) || Array.isArray(a) || Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
