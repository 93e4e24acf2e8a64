import type { FileFacts, SkippedRows } from "./catalogue.ts";

/** Digits of the numbers of runs: a manifest is packed, so more of them would save nothing. */
const RADIX = 36;

/** Places, ascending and none twice, as runs of neighbours: from one, inclusive, to another, exclusive. */
export const runsOf = (places: readonly number[]): readonly (readonly [from: number, to: number])[] => {
  const runs: (readonly [number, number])[] = [];
  for (let at = 0; at < places.length; ) {
    const from = places[at] ?? 0;
    let length = 1;
    while (places[at + length] === from + length) length += 1;
    runs.push([from, from + length]);
    at += length;
  }
  return runs;
};

/** Places of rows, ascending and none twice, as a file's facts hold them: of each run the gap before it, and its length where that is not 1. */
export const encodeSkipped = (places: readonly number[]): SkippedRows => {
  const runs: string[] = [];
  let end = 0;
  for (const [from, to] of runsOf(places)) {
    runs.push((from - end).toString(RADIX) + (to === from + 1 ? "" : `.${(to - from).toString(RADIX)}`));
    end = to;
  }
  return { rows: places.length, runs: runs.join(" ") };
};

/** The places of the rows of a file that are skipped, ascending. */
export const skippedPlaces = ({ skip }: Pick<FileFacts, "skip">): readonly number[] => {
  if (skip === undefined) return NONE;
  const known = decoded.get(skip);
  if (known !== undefined) return known;
  const places: number[] = [];
  let at = 0;
  for (const run of skip.runs.split(" ")) {
    const [gap = "", length = "1"] = run.split(".");
    at += Number.parseInt(gap, RADIX);
    for (let left = Number.parseInt(length, RADIX); left > 0; left -= 1) places.push(at++);
  }
  decoded.set(skip, places);
  return places;
};

const NONE: readonly number[] = Object.freeze([]);
const decoded = new WeakMap<SkippedRows, readonly number[]>();

/** Tells a file from the same file with other rows skipped: what is known of one need not hold of the other. */
export const fileVersion = ({ key, skip }: Pick<FileFacts, "key" | "skip">): string => (skip === undefined ? key : `${key} ${skip.runs}`);

/** Rows of a file that are not skipped. */
export const rowsLeft = ({ rows, skip }: Pick<FileFacts, "rows" | "skip">): number => rows - (skip?.rows ?? 0);

/** The places of a list, ascending, that are not in another. */
export const placesWithout = (places: readonly number[], others: readonly number[]): readonly number[] => {
  if (others.length === 0) return places;
  const left: number[] = [];
  let at = 0;
  for (const place of places) {
    while (at < others.length && (others[at] ?? 0) < place) at += 1;
    if (others[at] !== place) left.push(place);
  }
  return left;
};

/** Places of two lists, each ascending, as one. */
export const joinPlaces = (a: readonly number[], b: readonly number[]): readonly number[] => {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  return [...new Set([...a, ...b])].sort((one, other) => one - other);
};
