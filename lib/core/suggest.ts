/** The name of `known` nearest to `name`, when it is near enough to be what was meant (at most `most` letters off); never `name` itself. */
export const nearest = (name: string, known: Iterable<string>, most = Number.POSITIVE_INFINITY): string | undefined => {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.min(Math.floor(Math.max(wanted.length, 3) / 3), most) + 1;
  for (const candidate of known) {
    if (candidate === name || Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
};

/** " Did you mean `x`?", or nothing. */
export const didYouMean = (name: string, known: Iterable<string>): string => {
  const found = nearest(name, known);
  return found === undefined ? "" : ` Did you mean \`${found}\`?`;
};

/** Letters to add, leave out, replace or exchange with their neighbour. */
const editDistance = (a: string, b: string): number => {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
};
