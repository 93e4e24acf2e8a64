/** Of the texts that are put into one answer; with all that is around them it stays below what a function may answer. */
const MOST_BYTES = 1_500_000;

/** How many of the first texts of these lengths fit into an answer: all, or those before the one that does not, and at least one. */
export const withinBytes = (lengths: readonly number[]): number => {
  let bytes = 0;
  const beyond = lengths.findIndex((length, at) => {
    bytes += length;
    return at > 0 && bytes > MOST_BYTES;
  });
  return beyond === -1 ? lengths.length : beyond;
};
