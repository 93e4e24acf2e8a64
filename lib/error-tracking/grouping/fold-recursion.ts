/** Functions that call each other in a circle, at most. */
const LONGEST_CYCLE = 8;

/**
 * The items with each run of repeats as one: a function that calls itself, or several that call each other in turn. Where such a run was
 * entered and left makes no difference, so a stack that overflowed is the same wherever it was cut. Takes time in proportion to the list.
 */
export const foldRecursion = <T>(items: readonly T[], textOf: (item: T) => string): readonly T[] => {
  const texts = items.map(textOf);
  const folded: T[] = [];
  for (let at = 0; at < items.length; ) {
    const run = longestRun(texts, at);
    if (run === undefined) folded.push(...items.slice(at, at + 1));
    else folded.push(...fromLeast(items.slice(at, at + run.cycle), texts.slice(at, at + run.cycle)));
    at = run?.end ?? at + 1;
  }
  return folded;
};

/** The run of repeats that begins at a place and reaches furthest, however long its cycle; of those that reach as far the shortest. */
const longestRun = (texts: readonly string[], at: number): { readonly cycle: number; readonly end: number } | undefined => {
  let longest: { readonly cycle: number; readonly end: number } | undefined;
  for (let cycle = 1; cycle <= LONGEST_CYCLE; cycle += 1) {
    let end = at + cycle;
    while (end < texts.length && texts[end] === texts[end - cycle]) end += 1;
    if (end - at >= 2 * cycle && end > (longest?.end ?? 0)) longest = { cycle, end };
  }
  return longest;
};

/** A cycle, begun at its least item: all its beginnings are alike. */
const fromLeast = <T>(cycle: readonly T[], texts: readonly string[]): readonly T[] => {
  const rotated = texts.map((_, from) => [...texts.slice(from), ...texts.slice(0, from)].join("\n"));
  const least = rotated.indexOf(rotated.toSorted()[0] ?? "");
  return [...cycle.slice(least), ...cycle.slice(0, least)];
};
