/** Where two lists of rows differ, in a sentence; undefined where they say the same. */
export const difference = (
  ours: readonly (readonly unknown[])[],
  theirs: readonly (readonly unknown[])[],
  tolerance = NEAR,
): string | undefined => {
  if (ours.length !== theirs.length) return `${ours.length} rows and ${theirs.length}`;
  for (const [at, row] of ours.entries()) {
    const other = theirs[at] ?? [];
    const cell = row.findIndex((value, column) => !same(plain(value), plain(other[column]), tolerance));
    if (cell !== -1) return `row ${at + 1}: ${JSON.stringify(row)} and ${JSON.stringify(other)}`;
  }
  return undefined;
};

/** Sums of floats depend on their order. */
const NEAR = 1e-9;

const same = (a: unknown, b: unknown, tolerance: number): boolean =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b)) : a === b;

const TIME = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d+)?)?Z?$/;

/** Times as milliseconds, whole days among them; a missing text of ClickHouse is an empty one. */
const plain = (value: unknown): unknown => {
  if (value === "") return null;
  if (typeof value !== "string" || !TIME.test(value)) return value;
  const text = value.replace(" ", "T").replace(/Z$/, "");
  return Date.parse(text.length === 10 ? text : `${text}Z`);
};
